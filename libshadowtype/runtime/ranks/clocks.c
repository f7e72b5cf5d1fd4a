/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/clocks.h"

#include "core/model/hash.h"
#include "runtime/ranks/node.h"

atomic_bool st_clocks_on;

static struct st_clock mine;
static uint32_t count;      /* number of ranks */
static bool is_unpublished; /* `mine` is newer than the history */
static bool is_blind;

static uint32_t own_rank(void)
{
    return st_ranks_node.rank;
}

static void publish_clock(void)
{
    st_clock_publish(&st_ranks_node.accesses->clocks, &mine, own_rank(), count);
    is_unpublished = false;
}

static void count_ranks(void)
{
    const uint32_t there = st_node_ranks();
    if (__builtin_expect(there == count, 1)) {
        return;
    }
    count = there < ST_CLOCK_RANKS ? there : ST_CLOCK_RANKS;
    if (there > ST_CLOCK_RANKS || is_blind) {
        st_clocks_blind();
    }
}

bool st_clocks_begin(void)
{
    if (st_ranks_node.accesses) {
        return true;
    }
    if (own_rank() >= ST_CLOCK_RANKS || !st_node_make_accesses()) {
        return false;
    }
    mine.ticks[own_rank()] = 1;
    count_ranks();
    publish_clock();
    atomic_store(&st_clocks_on, true);
    return true;
}

uint32_t st_clocks_count(void)
{
    count_ranks();
    return count;
}

/* --- ticks --------------------------------------------------------------------------------- */

uint32_t st_clocks_step(void)
{
    if (mine.ticks[own_rank()] < ST_TICK_ALL - 1) {
        mine.ticks[own_rank()]++;
    }
    publish_clock();
    return mine.ticks[own_rank()];
}

uint32_t st_clocks_tick(void)
{
    return is_unpublished ? st_clocks_step() : mine.ticks[own_rank()];
}

const struct st_clock *st_clocks_now(void)
{
    return &mine;
}

void st_clocks_blind(void)
{
    const uint32_t own = mine.ticks[own_rank()];
    is_blind = true;
    for (uint32_t i = 0; i < ST_CLOCK_RANKS; i++) {
        mine.ticks[i] = ST_TICK_ALL;
    }
    mine.ticks[own_rank()] = own;
    st_clocks_step();
}

static const struct st_clock_history *history_of(uint32_t rank)
{
    const struct st_access_room *room = rank < ST_CLOCK_RANKS ? st_node_accesses(rank) : NULL;
    return room ? &room->clocks : NULL;
}

/* A rank that has taken everything for known has passed this on to this rank as well. */
static void learn_clock(const struct st_clock *its)
{
    const uint32_t own = mine.ticks[own_rank()];
    is_unpublished |= st_clock_join(&mine, its, count);
    mine.ticks[own_rank()] = own;
}

static void join_rank(uint32_t rank, uint32_t tick)
{
    struct st_clock its;
    const struct st_clock_history *history = history_of(rank);
    count_ranks();
    if (rank == own_rank() || (tick && rank < ST_CLOCK_RANKS && mine.ticks[rank] >= tick)) {
        return;
    }
    if (history && st_clock_at(history, tick, count, &its)) {
        learn_clock(&its);
    } else {
        st_clocks_blind();
    }
}

void st_clocks_join(uint32_t rank, uint32_t tick)
{
    join_rank(rank, tick);
    st_clocks_tick();
}

static void join_last(uint32_t rank)
{
    const struct st_clock_history *history = history_of(rank);
    join_rank(rank, history ? __atomic_load_n(&history->last, __ATOMIC_ACQUIRE) : 0);
}

void st_clocks_join_current(uint32_t rank)
{
    join_last(rank);
    st_clocks_tick();
}

void st_clocks_join_all(void)
{
    for (uint32_t i = 0, there = st_clocks_count(); i < there; i++) {
        join_last(i);
    }
    st_clocks_tick();
}

void st_clocks_of(uint32_t rank, uint32_t tick, struct st_clock *clock)
{
    const struct st_clock_history *history = history_of(rank);
    *clock = (struct st_clock){{0}};
    if (history && st_clock_at(history, tick, count, clock)) {
        return;
    }
    for (uint32_t i = 0; i < ST_CLOCK_RANKS; i++) {
        clock->ticks[i] = ST_TICK_ALL;
    }
}

/* --- messages ------------------------------------------------------------------------------ */

void st_clocks_sends(uint32_t place)
{
    __atomic_store_n(&st_message_ticks(st_ranks_node.messages, st_ranks_node.message_mask)[place],
                     st_clocks_tick(), __ATOMIC_RELEASE);
}

uint32_t st_clocks_sent(uint32_t sender, uint32_t place)
{
    const struct st_message_room *room = st_node_accesses(sender) ? st_node_messages(sender) : NULL;
    return room ? __atomic_load_n(&st_message_ticks(room, st_ranks_node.message_mask)[place],
                                  __ATOMIC_ACQUIRE)
                : 0;
}

void st_clocks_receives(uint32_t sender, uint32_t place)
{
    if (st_node_accesses(sender) && st_node_messages(sender)) {
        st_clocks_join(sender, st_clocks_sent(sender, place));
    } else {
        st_clocks_blind();
    }
}

uint64_t st_clocks_last_message;

uint64_t st_clocks_name_message(uint64_t channel, uint64_t number)
{
    return st_hash_word(channel, number) | 1;
}

void st_clocks_take(uint64_t message)
{
    st_access_mark(st_ranks_node.accesses->taken, ST_LOG2_TAKEN, message, st_clocks_tick());
}

void st_clocks_join_taken(uint32_t receiver, uint64_t message)
{
    const struct st_access_room *room =
        receiver < ST_CLOCK_RANKS ? st_node_accesses(receiver) : NULL;
    uint32_t tick = 0;
    if (!room) {
        st_clocks_blind();
        return;
    }
    /* First: if the mark is not there later, the receiver has done nothing else by now. */
    const uint32_t last = __atomic_load_n(&room->clocks.last, __ATOMIC_ACQUIRE);
    const bool is_found =
        message && st_access_marked(room->taken, ST_LOG2_TAKEN, message, &tick) == ST_MARK_FOUND;
    st_clocks_join(receiver, is_found ? tick : last);
}

/* --- collective calls ------------------------------------------------------------------------ */

static uint64_t name_call(uint64_t comm, uint32_t number)
{
    return st_hash_word(comm, number) | 1;
}

void st_clocks_enter(uint64_t comm, uint32_t number)
{
    st_access_mark(st_ranks_node.accesses->entries, ST_LOG2_ENTRIES, name_call(comm, number),
                   st_clocks_tick());
}

void st_clocks_met(uint32_t rank, uint64_t comm, uint32_t number)
{
    const struct st_access_room *room = rank < ST_CLOCK_RANKS ? st_node_accesses(rank) : NULL;
    uint32_t tick;
    if (!room) {
        st_clocks_blind();
    } else if (st_access_marked(room->entries, ST_LOG2_ENTRIES, name_call(comm, number), &tick) ==
               ST_MARK_FOUND) {
        join_rank(rank, tick);
    } else {
        join_last(rank);
    }
}

/* --- windows ------------------------------------------------------------------------------- */

static uint64_t name_mark(uint64_t window, enum st_clock_mark mark)
{
    return st_hash_word(window, (uint64_t)mark + 1) | 1;
}

void st_clocks_mark(uint64_t window, enum st_clock_mark mark, uint32_t tick)
{
    st_access_mark(st_ranks_node.accesses->marks, ST_LOG2_MARKS, name_mark(window, mark), tick);
}

void st_clocks_join_mark(uint32_t rank, uint64_t window, enum st_clock_mark mark)
{
    const struct st_access_room *room = rank < ST_CLOCK_RANKS ? st_node_accesses(rank) : NULL;
    uint32_t tick = 0;
    if (!room) {
        st_clocks_blind();
        return;
    }
    switch (st_access_marked(room->marks, ST_LOG2_MARKS, name_mark(window, mark), &tick)) {
    case ST_MARK_NONE:
        return;
    case ST_MARK_FOUND:
        st_clocks_join(rank, tick);
        return;
    case ST_MARK_GONE:
        st_clocks_join_current(rank);
        return;
    }
}
