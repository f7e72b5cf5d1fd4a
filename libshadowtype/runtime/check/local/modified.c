/* SPDX-License-Identifier: BSD-3-Clause */
/* buffer-modified: the program wrote into a send buffer before the operation was complete. */
#include <stdio.h>
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/pending_call.h"
#include "runtime/objects/seals.h"

#define WHO_DOES "; in gdb 'watch -l' on one of its bytes, after the call, shows who does"

static const char *modified_advice(const struct st_form *form)
{
    switch (form->lasts) {
    case ST_LASTS_EPOCH:
        return "end the epoch, or flush, before the buffer is changed" WHO_DOES;
    case ST_LASTS_SPLIT:
        return "call the routine that ends the split I/O before the buffer is changed" WHO_DOES;
    default:
        return "complete the operation by MPI_Wait or MPI_Test before its buffer is "
               "changed" WHO_DOES;
    }
}

static __attribute__((noinline)) void report_breach(struct st_facts *facts, int parameter,
                                                    const struct st_record *record,
                                                    const struct st_record_buffer *buffer,
                                                    const struct st_breach *breach)
{
    const struct st_form *form = st_form_table[record->function];
    struct st_pending_call pending;
    char message[200];
    bool locked = st_lock();
    st_pending_call_describe(&pending, record, buffer);
    st_pending_call_element(&pending, buffer, breach->first, NULL);
    st_pending_call_element(&pending, buffer, breach->last, NULL);
    st_unlock(locked);
    if (pending.element_count == 2 &&
        strcmp(pending.elements[0].address, pending.elements[1].address) == 0) {
        pending.element_count = 1;
    }
    snprintf(message, sizeof message,
             "completes %s, whose buffer has changed since it began: at most %llu of its %llu "
             "byte%s%s",
             form->name, (unsigned long long)breach->bytes, (unsigned long long)breach->all,
             breach->all == 1 ? "" : "s",
             pending.element_count == 2 ? ", from the first of the elements to the second" : "");
    st_find(facts, &(struct st_found){.check = ST_BUFFER_MODIFIED,
                                      .parameter = parameter,
                                      .message = message,
                                      .advice = modified_advice(form),
                                      .type_node = buffer->type,
                                      .has_node = true,
                                      .elements = pending.elements,
                                      .element_count = pending.element_count,
                                      .other_call = form->name,
                                      .other_arguments = pending.arguments,
                                      .other_argument_count = pending.count,
                                      .other_site = record->site,
                                      .by_other = true});
}

/* Takes the seal of the record's next buffer that has one, from `*link` on. The caller holds the lock. */
static bool take_next_seal(const struct st_record *record, uint32_t *link, struct st_seal *seal,
                           struct st_held_buffer *held)
{
    while (record && *link) {
        const struct st_record_buffer *buffer;
        uint32_t number = *link - 1;
        st_pending_buffer(number, &buffer);
        *link = buffer->next;
        if (st_seals_take(number, seal)) {
            st_pending_hold(number, held);
            return true;
        }
    }
    return false;
}

struct st_record *st_check_modified(struct st_facts *facts, int parameter, int64_t member,
                                    struct st_record *record, bool *locked)
{
    (void)member;
    struct st_record_name name = st_records_name(record);
    struct st_record copy;
    struct st_seal seal;
    struct st_held_buffer held;
    uint32_t link = record->buffers;
    bool found = false;
    if (!st_seals_on || record->flags & ST_RECORD_POSSIBLE) {
        return record;
    }
    copy = *record;
    while (take_next_seal(record, &link, &seal, &held)) {
        struct st_breach breach;
        st_operations_unlock(*locked);
        if (!found && st_seal_broken(&seal, &held.bytes, &breach)) {
            report_breach(facts, parameter, &copy, &held.published, &breach);
            found = true;
        }
        st_seal_drop(&seal);
        *locked = st_operations_lock();
        st_pending_let_go(&held);
        record = st_records_named(name);
    }
    return record;
}
