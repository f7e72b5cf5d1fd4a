/* SPDX-License-Identifier: BSD-3-Clause */
/* buffer-overlap: memory that a pending operation uses, and that another call may not use now. */
#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/objects/pending_call.h"
#include "runtime/record/arena.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"

static void describe_meeting(char *message, size_t room, const struct st_meeting *meeting,
                             uint8_t access)
{
    char bytes[48] = "memory";
    if (meeting->bytes > 0) {
        snprintf(bytes, sizeof bytes, "%lld byte%s", (long long)meeting->bytes,
                 meeting->bytes == 1 ? "" : "s");
    }
    snprintf(message, room, "%s %s that %s %s %s", access == ST_WRITE ? "writes" : "reads", bytes,
             meeting->record.flags & ST_RECORD_RUNNING ? "another thread's" : "a pending",
             st_form_table[meeting->record.function]->name,
             meeting->buffer.access == ST_WRITE ? "writes" : "reads");
}

static const char *time_advice(const struct st_meeting *meeting)
{
    if (meeting->record.flags & ST_RECORD_RUNNING) {
        return "a buffer is MPI's until the call returns: let the threads wait for one another";
    }
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

static bool is_derived(const struct st_record_buffer *buffer)
{
    return st_node_at(buffer->type)->combiner != ST_NAMED;
}

/* The memory is used too early, or more of it is used than was meant. */
static void advise(char *advice, size_t room, const struct st_meeting *meeting,
                   const struct st_record_buffer *own)
{
    bool derived = is_derived(own) || is_derived(&meeting->buffer);
    snprintf(advice, room, "%s; or one of the %s more than was meant", time_advice(meeting),
             derived ? "datatypes covers" : "counts is");
}

void st_find_overlap(struct st_facts *facts, int parameter, const struct st_meeting *meeting,
                     const struct st_record_buffer *own)
{
    struct st_pending_call pending;
    char message[160], advice[200], others[80];
    bool locked = st_lock();
    st_pending_call_describe(&pending, &meeting->record, &meeting->buffer);
    st_pending_call_element(&pending, own, meeting->shared.address, "this call's buffer");
    snprintf(others, sizeof others, "the buffer of %s %s",
             meeting->record.flags & ST_RECORD_RUNNING ? "another thread's" : "the pending",
             st_form_table[meeting->record.function]->name);
    st_pending_call_element(&pending, &meeting->buffer, meeting->shared.address, others);
    advise(advice, sizeof advice, meeting, own);
    st_unlock(locked);
    describe_meeting(message, sizeof message, meeting, own->access);
    st_find(facts, &(struct st_found){.check = ST_BUFFER_OVERLAP,
                                      .parameter = parameter,
                                      .message = message,
                                      .advice = advice,
                                      .type_node = own->type,
                                      .has_node = true,
                                      .other_node = meeting->buffer.type,
                                      .has_other_node = meeting->buffer.type != own->type,
                                      .elements = pending.elements,
                                      .element_count = pending.element_count,
                                      .other_call = st_form_table[meeting->record.function]->name,
                                      .other_arguments = pending.arguments,
                                      .other_argument_count = pending.count,
                                      .other_site = meeting->record.site});
}
