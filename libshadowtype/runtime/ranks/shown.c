/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/shown.h"

#include "runtime/ranks/far.h"
#include "runtime/ranks/node.h"
#include "runtime/record/root.h"

static struct st_shared_messages shown;
static uint64_t *sent, *received;                  /* NULL: nothing is counted */
static uint64_t taken_addresses[ST_SEGMENT_RANKS]; /* of the next ones, by rank in MPI_COMM_WORLD */
static struct st_message_taken *taken[ST_SEGMENT_RANKS]; /* by sender, and place */
static bool is_blind; /* there was no memory for one of them: what was taken is not known */

void st_shown_begin(void)
{
    sent = st_map(ST_SEGMENT_RANKS * sizeof *sent);
    received = st_map(ST_SEGMENT_RANKS * sizeof *received);
    if (!sent || !received) {
        sent = received = NULL;
        return;
    }
    shown = (struct st_shared_messages){
        .magic = ST_SHARED_MESSAGES_MAGIC,
        .rank = st_ranks_node.rank,
        .log2_messages = (uint32_t)__builtin_popcount(st_ranks_node.message_mask),
        .room = st_address(st_ranks_node.messages),
        .sent = st_address(sent),
        .received = st_address(received),
        .taken = st_address(taken_addresses),
        .remote = st_ranks_node.remote ? st_address(st_ranks_node.remote) : 0};
    st_node_show_messages(&shown);
}

void st_shown_sent(int32_t to)
{
    if (to >= 0 && to < ST_SEGMENT_RANKS && sent) {
        __atomic_store_n(&sent[to], sent[to] + 1, __ATOMIC_RELAXED);
    }
}

/* Returns ST_SEGMENT_RANKS if the process is not counted. */
static uint32_t world_rank_of(uint64_t process)
{
    const int32_t rank = process && st_gpid_world(process) == st_root.world ? st_gpid_rank(process)
                                                                            : ST_SEGMENT_RANKS;
    return rank >= 0 && rank < ST_SEGMENT_RANKS ? (uint32_t)rank : ST_SEGMENT_RANKS;
}

void st_shown_received(uint64_t sender)
{
    const uint32_t rank = world_rank_of(sender);
    if (rank < ST_SEGMENT_RANKS && received) {
        __atomic_store_n(&received[rank], received[rank] + 1, __ATOMIC_RELAXED);
    }
}

void st_shown_taken(uint32_t sender, uint32_t place, const struct st_message *message)
{
    if (!taken[sender]) {
        taken[sender] = st_map(((size_t)st_ranks_node.message_mask + 1) * sizeof *taken[sender]);
        if (!taken[sender]) {
            is_blind = true;
            return;
        }
        const uint32_t rank = world_rank_of(st_ranks_node.ranks[sender].gpid);
        if (rank < ST_SEGMENT_RANKS) {
            __atomic_store_n(&taken_addresses[rank], st_address(taken[sender]), __ATOMIC_RELEASE);
        }
    }
    taken[sender][place] = (struct st_message_taken){message->channel, message->number};
}

bool st_shown_was_taken(uint32_t sender, uint32_t place, const struct st_message *message)
{
    return taken[sender] ? taken[sender][place].channel == message->channel &&
                               taken[sender][place].number == message->number
                         : is_blind;
}

void st_shown_unsure(void)
{
    __atomic_store_n(&shown.is_unsure, 1, __ATOMIC_RELAXED);
    st_far_unsure();
}

void st_shown_unnumbered(uint32_t count)
{
    if (shown.unnumbered != count) {
        __atomic_store_n(&shown.unnumbered, count, __ATOMIC_RELAXED);
    }
}
