#include "runtime/objects/pending_call.h"

#include <stdarg.h>
#include <stdio.h>

#include "runtime/wrap/facts.h"
#include "runtime/record/root.h"

__attribute__((format(printf, 3, 4))) static void put(struct st_pending_call *call,
                                                      const char *name, const char *format, ...)
{
    if (call->count == ST_PENDING_ARGUMENTS)
        return;
    va_list values;
    va_start(values, format);
    vsnprintf(call->texts[call->count], ST_PENDING_TEXT, format, values);
    va_end(values);
    call->arguments[call->count] =
        (struct st_argument){.name = name, .value = call->texts[call->count]};
    call->count++;
}

static void put_rank(struct st_pending_call *call, const char *name, int32_t value, const char *any)
{
    if (value == ST_PEER_ANY)
        put(call, name, "%s", any);
    else if (value == ST_PEER_NULL)
        put(call, name, "MPI_PROC_NULL");
    else if (value != ST_PEER_NONE)
        put(call, name, "%d", value);
}

static const char *name_of(const struct st_form *form, int number, const char *otherwise)
{
    return number >= 0 ? form->parameters[number].name : otherwise;
}

/* Returns the part of the form that is used in the same way as this buffer. */
static const struct st_part *part_of(const struct st_form *form, uint8_t access)
{
    for (int i = 0; i < form->part_count; i++)
        if (form->parts[i].access == access)
            return &form->parts[i];
    return &form->parts[0];
}

void st_pending_call_describe(struct st_pending_call *call, const struct st_record *record,
                              const struct st_record_buffer *buffer)
{
    const struct st_form *form = st_form_table[record->function];
    const struct st_part *part = part_of(form, buffer->access);
    char type[ST_PENDING_TEXT];
    st_type_text(buffer->type, type, sizeof type);
    call->count = call->element_count = 0;
    put(call, name_of(form, part->buffer, "buf"), "0x%llx", (unsigned long long)buffer->address);
    put(call, name_of(form, part->count, "count"), "%lld", (long long)buffer->count);
    put(call, name_of(form, part->type, "datatype"), "%s", type);
    put_rank(call, part->peer >= 0 ? form->parameters[part->peer].name : "root", record->peer,
             "MPI_ANY_SOURCE");
    put_rank(call, "tag", record->tag, "MPI_ANY_TAG");
    if (record->kind == ST_KIND_REQUEST && record->handle)
        put(call, "request", "0x%llx", (unsigned long long)record->handle);
}

void st_pending_call_element(struct st_pending_call *call, const struct st_record_buffer *buffer,
                             uint64_t where, const char *of)
{
    if (call->element_count == ST_PENDING_ELEMENTS)
        return;
    struct st_element_text *text = &call->element_texts[call->element_count];
    if (!st_element_at(text, buffer->type, buffer->count, buffer->address, where))
        return;
    call->elements[call->element_count++] = (struct st_element){.rank = st_root.world_rank,
                                                                .address = text->address,
                                                                .byte = text->byte,
                                                                .type = text->type,
                                                                .of = of,
                                                                .in_memory = true,
                                                                .at = where};
}
