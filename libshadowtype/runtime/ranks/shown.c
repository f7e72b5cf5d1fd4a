/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/shown.h"

#include "runtime/ranks/node.h"
#include "runtime/record/root.h"

static struct st_shared_messages shown;
static uint64_t *sent, *received;                         /* NULL: nothing is counted */
static uint64_t taken_addresses[ST_SEGMENT_RANKS];        /* of the next ones */
static struct st_messages_taken *taken[ST_SEGMENT_RANKS]; /* by sender */

void st_shown_begin(void)
{
    sent = st_map(ST_SEGMENT_RANKS * sizeof *sent);
    received = st_map(ST_SEGMENT_RANKS * sizeof *received);
    if (!sent || !received) {
        sent = received = NULL;
        return;
    }
    shown = (struct st_shared_messages){.magic = ST_SHARED_MESSAGES_MAGIC,
                                        .rank = st_ranks_node.rank,
                                        .room = st_address(st_ranks_node.messages),
                                        .sent = st_address(sent),
                                        .received = st_address(received),
                                        .taken = st_address(taken_addresses)};
    st_node_show_messages(&shown);
}

void st_shown_sent(int32_t to)
{
    if (to >= 0 && to < ST_SEGMENT_RANKS && sent) {
        __atomic_store_n(&sent[to], sent[to] + 1, __ATOMIC_RELAXED);
    }
}

void st_shown_received(uint32_t sender)
{
    if (sender < ST_SEGMENT_RANKS && received) {
        __atomic_store_n(&received[sender], received[sender] + 1, __ATOMIC_RELAXED);
    }
}

void st_shown_taken(uint32_t sender, uint32_t place, const struct st_message *message)
{
    if (!taken[sender]) {
        taken[sender] = st_map(sizeof *taken[sender]);
        if (!taken[sender]) {
            return;
        }
        __atomic_store_n(&taken_addresses[sender], st_address(taken[sender]), __ATOMIC_RELEASE);
    }
    taken[sender]->list[place].channel = message->channel;
    taken[sender]->list[place].number = message->number;
}

bool st_shown_was_taken(uint32_t sender, uint32_t place, const struct st_message *message)
{
    return taken[sender] && taken[sender]->list[place].channel == message->channel &&
           taken[sender]->list[place].number == message->number;
}

void st_shown_unsure(void)
{
    __atomic_store_n(&shown.is_unsure, 1, __ATOMIC_RELAXED);
}

void st_shown_unnumbered(uint32_t count)
{
    if (shown.unnumbered != count) {
        __atomic_store_n(&shown.unnumbered, count, __ATOMIC_RELAXED);
    }
}
