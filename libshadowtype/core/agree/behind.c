/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/behind.h"

#include <string.h>

static uint32_t message_place(const struct st_sent_name *message)
{
    const uint64_t mixed = (message->channel + message->number) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mixed >> (64 - ST_LOG2_BEHIND));
}

static void write_entry(struct st_behind *place, const struct st_sent_name *message,
                        const struct st_sent_name *next)
{
    __atomic_store_n(&place->number, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&place->channel, message->channel, __ATOMIC_RELEASE);
    __atomic_store_n(&place->next_channel, next ? next->channel : 0, __ATOMIC_RELEASE);
    __atomic_store_n(&place->next_number, next ? next->number : 0, __ATOMIC_RELEASE);
    __atomic_store_n(&place->next_receiver, next ? next->receiver : 0, __ATOMIC_RELEASE);
    __atomic_store_n(&place->ends, !next, __ATOMIC_RELEASE);
    /* Of two ranks that write their entries and then look for the other's, one finds it. One that is behind
     * nothing is in no circle. */
    if (next) {
        __atomic_store_n(&place->number, message->number, __ATOMIC_SEQ_CST);
    } else {
        __atomic_store_n(&place->number, message->number, __ATOMIC_RELEASE);
    }
}

/* Finds what the receiver of a message has written. */
static bool read_entry(const struct st_behind_rooms *rooms, const struct st_sent_name *message,
                       struct st_behind *entry)
{
    const struct st_behind_room *room = rooms->of(message->receiver);
    const struct st_behind *place = room ? &room->list[message_place(message)] : NULL;
    if (!place || __atomic_load_n(&place->number, __ATOMIC_SEQ_CST) != message->number) {
        return false;
    }
    entry->channel = __atomic_load_n(&place->channel, __ATOMIC_ACQUIRE);
    entry->next_channel = __atomic_load_n(&place->next_channel, __ATOMIC_ACQUIRE);
    entry->next_number = __atomic_load_n(&place->next_number, __ATOMIC_ACQUIRE);
    entry->next_receiver = __atomic_load_n(&place->next_receiver, __ATOMIC_ACQUIRE);
    entry->ends = __atomic_load_n(&place->ends, __ATOMIC_ACQUIRE);
    return entry->channel == message->channel &&
           __atomic_load_n(&place->number, __ATOMIC_ACQUIRE) == message->number;
}

static size_t find_name(const struct st_sent_name *chain, size_t count,
                        const struct st_sent_name *name)
{
    size_t i = 0;
    while (i < count && (chain[i].channel != name->channel || chain[i].number != name->number ||
                         chain[i].sender != name->sender)) {
        i++;
    }
    return i;
}

size_t st_behind_enter(const struct st_behind_rooms *rooms, const struct st_sent_name *message,
                       const struct st_sent_name *next, struct st_sent_name circle[ST_MOST_CIRCLE])
{
    struct st_behind *own = &rooms->own->list[message_place(message)];
    write_entry(own, message, next);
    if (!next) {
        return 0;
    }
    circle[0] = *message;
    circle[1] = *next;
    if (find_name(circle, 1, next) == 0) {
        return 1; /* to itself */
    }
    for (size_t count = 2;; count++) {
        struct st_behind entry;
        const struct st_sent_name *last = &circle[count - 1];
        if (!read_entry(rooms, last, &entry)) {
            return 0;
        }
        if (entry.ends) {
            __atomic_store_n(&own->ends, 1, __ATOMIC_RELEASE);
            return 0;
        }
        const struct st_sent_name following = {entry.next_channel, entry.next_number,
                                               last->receiver, entry.next_receiver};
        const size_t first = find_name(circle, count, &following);
        if (first < count) {
            memmove(circle, circle + first, (count - first) * sizeof *circle);
            return count - first;
        }
        if (count == ST_MOST_CIRCLE) {
            return 0;
        }
        circle[count] = following;
    }
}
