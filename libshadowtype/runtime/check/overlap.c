/* buffer-overlap: memory that a pending operation uses, and that another call may not use now. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "runtime/check/checks.h"
#include "runtime/check/constants.h"
#include "runtime/check/element.h"
#include "runtime/check/finding.h"
#include "runtime/lock.h"
#include "runtime/root.h"

enum { ARGUMENTS = 6, TEXT = 96 };

/* What a report says of the pending operation. */
struct st_pending_text {
    struct st_argument arguments[ARGUMENTS];
    size_t count;
    char texts[ARGUMENTS][TEXT];
    struct st_element_text elements[2];
    size_t element_count;
};

__attribute__((format(printf, 3, 4))) static void put(struct st_pending_text *pending,
                                                      const char *name, const char *format, ...)
{
    if (pending->count == ARGUMENTS)
        return;
    va_list values;
    va_start(values, format);
    vsnprintf(pending->texts[pending->count], TEXT, format, values);
    va_end(values);
    pending->arguments[pending->count] =
        (struct st_argument){.name = name, .value = pending->texts[pending->count]};
    pending->count++;
}

static void put_rank(struct st_pending_text *pending, const char *name, int32_t value,
                     const char *any)
{
    if (value == ST_PEER_ANY)
        put(pending, name, "%s", any);
    else if (value == ST_PEER_NULL)
        put(pending, name, "MPI_PROC_NULL");
    else if (value != ST_PEER_NONE)
        put(pending, name, "%d", value);
}

static const char *name_of(const struct st_form *form, int number, const char *otherwise)
{
    return number >= 0 ? form->parameters[number].name : otherwise;
}

/* The part of the call's that does with a buffer what was done with this one. */
static const struct st_part *part_of(const struct st_form *form, uint8_t access)
{
    for (int i = 0; i < form->part_count; i++)
        if (form->parts[i].access == access)
            return &form->parts[i];
    return &form->parts[0];
}

static void describe(struct st_pending_text *pending, const struct st_meeting *meeting)
{
    const struct st_record *record = &meeting->record;
    const struct st_form *form = st_form_table[record->function];
    const struct st_part *part = part_of(form, meeting->buffer.access);
    char type[TEXT];
    st_type_text(meeting->buffer.type, type, sizeof type);
    pending->count = pending->element_count = 0;
    put(pending, name_of(form, part->buffer, "buf"), "0x%llx",
        (unsigned long long)meeting->buffer.address);
    put(pending, name_of(form, part->count, "count"), "%lld", (long long)meeting->buffer.count);
    put(pending, name_of(form, part->type, "datatype"), "%s", type);
    put_rank(pending, part->peer >= 0 ? form->parameters[part->peer].name : "root", record->peer,
             "MPI_ANY_SOURCE");
    put_rank(pending, "tag", record->tag, "MPI_ANY_TAG");
    if (record->kind == ST_KIND_REQUEST && record->handle)
        put(pending, "request", "0x%llx", (unsigned long long)record->handle);
}

static void add_element(struct st_pending_text *pending, const struct st_record_buffer *buffer,
                        uint64_t where)
{
    if (st_element_at(&pending->elements[pending->element_count], buffer->type, buffer->count,
                      buffer->address, where))
        pending->element_count++;
}

static void say(char *message, size_t room, const struct st_meeting *meeting, uint8_t access)
{
    char bytes[48] = "memory";
    if (meeting->bytes > 0)
        snprintf(bytes, sizeof bytes, "%lld byte%s", (long long)meeting->bytes,
                 meeting->bytes == 1 ? "" : "s");
    snprintf(message, room, "%s %s that %s %s %s", access == ST_WRITE ? "writes" : "reads", bytes,
             meeting->record.flags & ST_RECORD_RUNNING ? "another thread's" : "a pending",
             st_form_table[meeting->record.function]->name,
             meeting->buffer.access == ST_WRITE ? "writes" : "reads");
}

static const char *advice_of(const struct st_meeting *meeting)
{
    if (meeting->record.flags & ST_RECORD_RUNNING)
        return "a buffer is MPI's until the call returns: let the threads wait for one another";
    switch (st_form_table[meeting->record.function]->lasts) {
    case ST_LASTS_EPOCH:
        return "end the epoch, or flush, before the memory is used again";
    case ST_LASTS_SPLIT:
        return "call the routine that ends the split I/O before the memory is used again";
    default:
        return "complete the pending operation by MPI_Wait or MPI_Test before the memory is used "
               "again";
    }
}

void st_find_overlap(struct st_facts *facts, int parameter, const struct st_meeting *meeting,
                     const struct st_record_buffer *own)
{
    struct st_pending_text pending;
    struct st_element elements[2];
    char message[200];
    bool locked = st_lock();
    describe(&pending, meeting);
    add_element(&pending, own, meeting->shared.address);
    add_element(&pending, &meeting->buffer, meeting->shared.address);
    st_unlock(locked);
    for (size_t i = 0; i < pending.element_count; i++)
        elements[i] = (struct st_element){.rank = st_root.world_rank,
                                          .address = pending.elements[i].address,
                                          .byte = pending.elements[i].byte,
                                          .type = pending.elements[i].type,
                                          .in_memory = true,
                                          .at = meeting->shared.address};
    say(message, sizeof message, meeting, own->access);
    st_find(facts, &(struct st_found){.check = ST_BUFFER_OVERLAP,
                                      .parameter = parameter,
                                      .message = message,
                                      .advice = advice_of(meeting),
                                      .type_node = own->type,
                                      .has_node = true,
                                      .other_node = meeting->buffer.type,
                                      .has_other_node = meeting->buffer.type != own->type,
                                      .elements = elements,
                                      .element_count = pending.element_count,
                                      .other_call = st_form_table[meeting->record.function]->name,
                                      .other_arguments = pending.arguments,
                                      .other_argument_count = pending.count,
                                      .other_site = meeting->record.site});
}
