/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/beyond.h"

#include <string.h>

#include "core/model/hash.h"
#include "runtime/objects/collectives.h"
#include "runtime/ranks/node.h"
#include "runtime/record/lock.h"

static bool polls; /* see st_beyond_polls() */

/* By sender: on this communicator, it had begun as many calls as this rank when it sent a message. So it had when it
 * sent the later ones. */
static struct st_begun_both {
    uint64_t comm;
    uint32_t begun;
} both[ST_SEGMENT_RANKS];

static uint32_t short_number(uint64_t number)
{
    const uint32_t low = (uint32_t)number;
    return number && (low == ST_BEYOND_NONE || low == ST_BEYOND_UNKNOWN) ? 1 : low;
}

/* True if a call comes before another one of the same communicator. */
static bool is_before(uint32_t one, uint32_t other)
{
    return one != other && other - one < UINT32_MAX / 2;
}

static void note_call(uint64_t comm, uint64_t number, bool is_blocking)
{
    struct st_begun_call *begun = &st_ranks_node.messages->begun[st_begun_place(comm)];
    if (begun->comm != comm) {
        *begun = (struct st_begun_call){.blocking = 0};
    }
    if (is_blocking) {
        begun->blocking = number;
    }
    if (number > begun->number) {
        __atomic_store_n(&begun->number, number, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&begun->comm, comm, __ATOMIC_RELEASE);
}

void st_beyond_begin(uint64_t comm, uint64_t number)
{
    note_call(comm, number, true);
}

/* Returns the number of the call that has made a request; `low`: its low bits. */
static uint64_t long_number(uint32_t low, uint64_t last)
{
    return last - (uint32_t)((uint32_t)last - low);
}

void st_beyond_waited(const struct st_record *record)
{
    const struct st_form *form =
        record->function < st_form_count ? st_form_table[record->function] : NULL;
    if (!form || form->collective < 0 || !st_collective_joins(form) ||
        st_parameter_of(form, ST_ROLE_NEW_REQUEST) < 0) {
        return;
    }
    const struct st_comm *comm = st_comm_find_near(record->comm);
    if (record->order && comm && comm->id && !comm->kind) {
        note_call(st_hash_word(comm->id, st_ranks_node.job),
                  long_number(record->order, comm->collectives), false);
    }
}

struct st_beyond_last st_beyond_last(uint64_t comm)
{
    const struct st_begun_call *begun = &st_ranks_node.messages->begun[st_begun_place(comm)];
    if (atomic_load_explicit(&st_lock_armed, memory_order_relaxed) ||
        (begun->comm && begun->comm != comm)) {
        /* Another thread's call need not come before. */
        return (struct st_beyond_last){ST_BEYOND_UNKNOWN, ST_BEYOND_UNKNOWN};
    }
    return (struct st_beyond_last){short_number(begun->number), short_number(begun->blocking)};
}

void st_beyond_polls(void)
{
    polls = true;
}

/* Returns true if the sender has by now begun a call that this rank has not: a quick test, since its result
 * hardly ever changes. */
static bool is_sender_beyond(const struct st_message_room *room, const struct st_message_end *end)
{
    const struct st_begun_call *begun = &room->begun[st_begun_place(end->id)];
    const uint64_t comm = __atomic_load_n(&begun->comm, __ATOMIC_ACQUIRE);
    return comm && (comm != end->id ||
                    __atomic_load_n(&begun->number, __ATOMIC_RELAXED) > end->comm->collectives);
}

/* Returns true if the receive was posted by a call that waits for it. */
static bool is_waited(const struct st_message_end *end)
{
    const struct st_form *form = st_form_table[end->function];
    if (st_parameter_of(form, ST_ROLE_MESSAGE) >= 0 || !form->part_count) {
        return false; /* MPI_Improbe may have found it */
    }
    return end->is_waited || (st_parameter_of(form, ST_ROLE_NEW_REQUEST) < 0 &&
                              st_parameter_of(form, ST_ROLE_NEW_PERSISTENT) < 0);
}

/* Returns true if the message was sent by MPI_Send. */
static bool is_standard_send(const struct st_message *message)
{
    const uint16_t function = st_message_function(message);
    const char *name = function < st_form_count ? st_form_table[function]->name : "";
    return strcmp(name, "MPI_Send") == 0 || strcmp(name, "MPI_Send_c") == 0;
}

/* Stores how many calls the sender had begun. Returns false if that is not known. */
static bool read_after(const struct st_message_room *room, const struct st_found_message *taken,
                       uint32_t *after)
{
    *after = __atomic_load_n(&st_message_after(room, st_ranks_node.message_mask)[taken->place],
                             __ATOMIC_ACQUIRE);
    return *after != ST_BEYOND_UNKNOWN &&
           __atomic_load_n(&room->list[taken->place].number, __ATOMIC_ACQUIRE) ==
               taken->message.number;
}

/* Returns false if the sender had begun as many calls as this rank when it posted the receive, or if that is not
 * known. */
static bool may_be_late(const struct st_message_end *end, uint32_t sender)
{
    const struct st_begun_both *known = &both[sender];
    return end->begun_before != ST_BEYOND_UNKNOWN && end->begun_before != ST_BEYOND_NONE &&
           (known->comm != end->id || known->begun != end->begun_before);
}

bool st_beyond_may_find(const struct st_message_end *end, uint32_t sender,
                        const struct st_message_room *room)
{
    return may_be_late(end, sender) || is_sender_beyond(room, end);
}

bool st_beyond_find(const struct st_message_end *end, const struct st_found_message *taken,
                    struct st_beyond_call *call)
{
    const struct st_comm *comm = end->comm;
    uint32_t after;
    if (end->peer == ST_NUMBERING_ANY || taken->sender == st_ranks_node.rank ||
        taken->sender >= ST_SEGMENT_RANKS || comm->serial != end->serial ||
        comm->flags & ST_COMM_INTER || atomic_load_explicit(&st_lock_armed, memory_order_relaxed)) {
        return false;
    }
    const struct st_message_room *room = st_node_messages(taken->sender);
    const bool is_late = may_be_late(end, taken->sender);
    if (!room || (!is_late && !is_sender_beyond(room, end)) || !read_after(room, taken, &after) ||
        st_ended_has(st_ranks_node.ended, end->id)) {
        return false;
    }
    if (after && !polls && is_before((uint32_t)comm->collectives, after) && is_waited(end)) {
        *call = (struct st_beyond_call){after, true};
        return true;
    }
    if (is_late && is_before(after, end->begun_before)) {
        *call = (struct st_beyond_call){end->begun_before, false};
        return is_standard_send(&taken->message);
    }
    if (is_late) {
        both[taken->sender] = (struct st_begun_both){end->id, end->begun_before};
    }
    return false;
}
