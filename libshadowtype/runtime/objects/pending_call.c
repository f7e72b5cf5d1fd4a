/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/pending_call.h"

#include <stdarg.h>
#include <stdio.h>

#include "report/writer.h"
#include "runtime/objects/handle_name.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/facts.h"
#include "runtime/record/root.h"

enum { MOST_TEXT = 144 }; /* a name of MPI's has at most 255 bytes: a longer one is cut */

__attribute__((format(printf, 3, 4))) static void put(struct st_pending_call *call,
                                                      const char *name, const char *format, ...)
{
    if (call->count == ST_PENDING_ARGUMENTS) {
        return;
    }
    char text[MOST_TEXT];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    struct st_writer writer = st_texts_begin(&call->texts);
    st_put(&writer, text);
    call->arguments[call->count++] =
        (struct st_argument){.name = name, .value = st_texts_end(&call->texts, &writer)};
}

static void put_rank(struct st_pending_call *call, const char *name, int32_t value, const char *any)
{
    if (value == ST_PEER_ANY) {
        put(call, name, "%s", any);
    } else if (value == ST_PEER_NULL) {
        put(call, name, "MPI_PROC_NULL");
    } else if (value != ST_PEER_NONE) {
        put(call, name, "%d", value);
    }
}

static const char *argument_name(const struct st_form *form, int number, const char *otherwise)
{
    return number >= 0 ? form->parameters[number].name : otherwise;
}

/* Returns the part of the form that is used in the same way as this buffer. */
static const struct st_part *part_of(const struct st_form *form, uint8_t access)
{
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].access == access) {
            return &form->parts[i];
        }
    }
    return &form->parts[0];
}

/* Returns the number of the parameter that is the call's communicator or window; -1 if there is none. */
static int find_comm(const struct st_form *form)
{
    for (int i = 0; i < form->parameter_count; i++) {
        const struct st_parameter *parameter = &form->parameters[i];
        if (!parameter->pointer &&
            (parameter->kind == ST_KIND_COMM || parameter->kind == ST_KIND_WIN)) {
            return i;
        }
    }
    return -1;
}

static void put_comm(struct st_pending_call *call, const struct st_form *form,
                     const struct st_record *record)
{
    int number = record->comm ? find_comm(form) : -1;
    if (number < 0) {
        return;
    }
    const enum st_kind kind = form->parameters[number].kind;
    char text[MOST_TEXT];
    struct st_writer writer = {text, sizeof text - 1, 0};
    const char *name = st_constant_name(kind, record->comm);
    if (name) {
        st_put(&writer, name);
    } else if (!st_put_handle_name_then(&writer, kind, record->comm, record->serial)) {
        st_put_hex(&writer, record->comm);
    }
    text[writer.length < writer.room ? writer.length : writer.room] = 0;
    put(call, form->parameters[number].name, "%s", text);
}

void st_pending_call_describe(struct st_pending_call *call, const struct st_record *record,
                              const struct st_record_buffer *buffer)
{
    const struct st_form *form = st_form_table[record->function];
    const struct st_part *part = part_of(form, buffer->access);
    char type[MOST_TEXT];
    st_type_text(buffer->type, type, sizeof type);
    call->count = call->element_count = 0;
    call->texts = (struct st_texts){call->bytes, sizeof call->bytes, 0};
    put(call, argument_name(form, part->buffer, "buf"), "0x%llx",
        (unsigned long long)buffer->address);
    put(call, argument_name(form, part->count, "count"), "%lld", (long long)buffer->count);
    put(call, argument_name(form, part->type, "datatype"), "%s", type);
    put_rank(call, part->peer >= 0 ? form->parameters[part->peer].name : "root", record->peer,
             "MPI_ANY_SOURCE");
    put_rank(call, "tag", record->tag, "MPI_ANY_TAG");
    put_comm(call, form, record);
    if (record->kind == ST_KIND_REQUEST && record->handle) {
        put(call, "request", "0x%llx", (unsigned long long)record->handle);
    }
}

void st_pending_call_element(struct st_pending_call *call, const struct st_record_buffer *buffer,
                             uint64_t where, const char *of)
{
    if (call->element_count == ST_PENDING_ELEMENTS) {
        return;
    }
    struct st_element_text *text = &call->element_texts[call->element_count];
    if (!st_element_at(text, buffer->type, buffer->count, buffer->address, where)) {
        return;
    }
    call->elements[call->element_count++] = (struct st_element){.rank = st_root.world_rank,
                                                                .address = text->address,
                                                                .byte = text->byte,
                                                                .type = text->type,
                                                                .size = text->size,
                                                                .of = of,
                                                                .in_memory = true,
                                                                .at = where};
}
