/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/owner.h"

#include "core/model/hash.h"
#include "core/races/footprint.h"
#include "runtime/objects/win_epochs.h"
#include "runtime/ranks/accesses.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/places.h"
#include "runtime/report/finding.h"

enum { MOST_PAIRS = 128, MOST_WRONG = 32, LOG2_TOLD = 9, KEPT_AT_LEAST = 256 };

/* Accesses of this rank itself have separate numbers. */
#define OWN_NUMBERS (UINT64_C(1) << 63)

static struct st_races *races;
static struct st_heard {
    uint64_t read;  /* number of the last access that was read */
    uint64_t until; /* accesses up to here were written before this rank has begun to read */
    uint32_t sent;  /* of the last access to this rank */
} heard[ST_CLOCK_RANKS];
static struct st_race_pair pairs[MOST_PAIRS];
static size_t pair_count;
static struct st_wrong_access wrong[MOST_WRONG];
static size_t wrong_count;
static uint64_t told[1 << LOG2_TOLD]; /* pairs of call sites that were reported, and single ones */
static size_t forget_at = KEPT_AT_LEAST;

bool st_owner_begin(void)
{
    races = races ? races : st_races_new(ST_CLOCK_RANKS);
    return races;
}

static void count_missed(uint64_t count)
{
    atomic_fetch_add_explicit(&st_access_uncompared, count, memory_order_relaxed);
}

static uint64_t name_side(uint32_t origin, uint32_t place)
{
    return (uint64_t)origin << 32 | place;
}

/* Returns true the second time. */
static bool was_told(uint64_t one, uint64_t other)
{
    const uint64_t name = st_hash_word(st_hash_word(1, one), other) | 1;
    uint64_t *place = &told[name >> (64 - LOG2_TOLD)];
    const bool was = *place == name;
    *place = name;
    return was;
}

/* What a rank knew at a tick, as st_clocks_of(). Many accesses have the same tick; what a rank knew then does not change. Valid
 * until the next call. */
static const struct st_clock *clock_of(uint32_t rank, uint32_t tick)
{
    enum { CLOCKS = 8 };
    static struct {
        uint32_t rank, tick; /* 0: none */
        struct st_clock clock;
    } known[CLOCKS]; /* used under the lock */
    struct st_clock *clock = &known[rank % CLOCKS].clock;
    if (!tick || known[rank % CLOCKS].rank != rank || known[rank % CLOCKS].tick != tick) {
        known[rank % CLOCKS].rank = rank;
        known[rank % CLOCKS].tick = tick;
        st_clocks_of(rank, tick, clock);
    }
    return clock;
}

/* --- reading ------------------------------------------------------------------------------- */

static const struct st_access_runs *read_runs(const struct st_access_room *room,
                                              const struct st_access_record *call)
{
    static struct st_access_runs runs[ST_FOOTPRINT_RUNS]; /* used under the lock */
    const uint32_t slots = (call->runs + ST_ACCESS_RUNS_EACH - 1u) / ST_ACCESS_RUNS_EACH;
    for (uint32_t i = 0; i < slots; i++) {
        if (i == ST_FOOTPRINT_RUNS || !st_access_read_runs(room, call->number + 1 + i, &runs[i])) {
            return NULL;
        }
    }
    return runs;
}

/* The memory of a dynamic window must be attached. In this rank's program the call of MPI_Win_attach has returned before
 * another rank could know of it. */
static void check_attached(uint32_t origin, const struct st_win_memory *window,
                           const struct st_access_record *call, const struct st_buffer *bytes)
{
    const struct st_attached_memory *nearest;
    const uint64_t last = bytes->first + bytes->span - 1;
    if (!window->is_dynamic || bytes->doubt || !bytes->span) {
        return;
    }
    const enum st_attachment how =
        st_attached_judge(window->handle, bytes->first, last, call->block == bytes->span, &nearest);
    if (how == ST_ATTACHMENT_FITS || was_told(name_side(origin, call->place), ST_RMA_RANGE)) {
        return;
    }
    if (wrong_count == MOST_WRONG) {
        count_missed(1);
        return;
    }
    struct st_wrong_access *access = &wrong[wrong_count++];
    *access = (struct st_wrong_access){.side = {.call = *call, .origin = origin},
                                       .handle = window->handle,
                                       .first = bytes->first,
                                       .last = last,
                                       .how = how,
                                       .has_nearest = nearest};
    if (nearest) {
        access->nearest = *nearest;
    }
}

/* Enters an access with what its origin knew, and what this rank did before it allowed the access. */
static void enter_access(uint32_t origin, const struct st_access_room *room,
                         const struct st_access_record *call)
{
    struct st_win_memory *window = st_win_memory_named(call->window);
    const struct st_access_runs *runs = read_runs(room, call);
    heard[origin].sent = call->sent;
    if (!window || !window->is_compared || !runs) {
        count_missed(1);
        return;
    }
    const uint64_t at = window->base + (uint64_t)call->displacement * (uint64_t)window->unit;
    struct st_layout *layout;
    struct st_buffer bytes;
    struct st_remote *remote = NULL;
    if (st_footprint_bytes(call, runs, at, &bytes, &layout)) {
        check_attached(origin, window, call, &bytes);
        if (!layout && st_races_continue(races, call, origin, &bytes, heard[origin].until)) {
            return;
        }
        remote = st_races_enter(races, call, origin, clock_of(origin, call->tick), &bytes);
    }
    if (remote) {
        remote->is_even = st_footprint_is_even(call, runs, call->element_size);
    } else {
        count_missed(1);
    }
    st_layout_release(layout);
    /* This rank may have seen it in its memory. */
    if (st_access_is_locked(call->epoch) && call->kind & ST_ACCESS_WRITES) {
        st_clocks_join(origin, call->tick);
    }
}

static void end_accesses(uint32_t origin, const struct st_access_record *call)
{
    st_races_end(races, &(struct st_ending){.origin = origin,
                                            .window = call->window,
                                            .epoch = call->epoch,
                                            .kind = call->kind,
                                            .end = {origin, call->tick},
                                            .place = call->place,
                                            .function = call->function});
}

static void hear_call(uint32_t origin, const struct st_access_room *room,
                      const struct st_access_record *call)
{
    const uint64_t number = (uint64_t)call->displacement;
    if (call->owner != st_ranks_node.rank && call->owner != ST_ACCESS_EVERY_OWNER) {
        return;
    }
    switch (call->what) {
    case ST_ACCESS_CALL:
        enter_access(origin, room, call);
        break;
    case ST_ACCESS_END:
        end_accesses(origin, call);
        break;
    case ST_ACCESS_END_ONE:
        st_races_end(races, &(struct st_ending){.origin = origin,
                                                .number = number,
                                                .end = {origin, call->tick},
                                                .place = call->place,
                                                .function = call->function});
        break;
    case ST_ACCESS_TAKEN_BACK:
        st_races_drop(races, origin, number);
        break;
    default:
        break;
    }
}

/* Accesses that were not read in time are lost: it is not known which of the rank's accesses have
 * ended, nor what this rank has seen of them. */
static void lose_rank(uint32_t origin, uint64_t written)
{
    enum { BEHIND = (1 << ST_LOG2_ACCESSES) / 2 };
    count_missed(st_races_drop(races, origin, 0));
    heard[origin].read = written > BEHIND ? written - BEHIND : written;
    st_clocks_join_current(origin);
}

/* Returns true if an access of a rank, that is there, is for others only. */
static bool is_for_others(const struct st_access_room *room, uint64_t number)
{
    uint32_t owner;
    return st_access_read_owner(room, number, &owner) && owner != st_ranks_node.rank &&
           owner != ST_ACCESS_EVERY_OWNER;
}

static void hear_rank(uint32_t origin, const struct st_access_room *room)
{
    struct st_heard *own = &heard[origin];
    const uint64_t written = __atomic_load_n(&room->written, __ATOMIC_ACQUIRE);
    const uint32_t before = own->sent;
    bool is_lost = written - own->read > 1u << ST_LOG2_ACCESSES;
    if (is_lost) {
        lose_rank(origin, written);
    }
    while (own->read < written) {
        struct st_access_record call;
        struct st_access_runs runs;
        const uint64_t number = own->read + 1;
        if (is_for_others(room, number)) {
            own->read = number;
            continue;
        }
        if (st_access_read(room, number, &call)) {
            if (is_lost && call.what == ST_ACCESS_CALL && call.owner == st_ranks_node.rank) {
                count_missed(call.sent - 1 - before);
            }
            is_lost &= call.what != ST_ACCESS_CALL || call.owner != st_ranks_node.rank;
            hear_call(origin, room, &call);
        } else if (!st_access_read_runs(room, number, &runs)) {
            lose_rank(origin, __atomic_load_n(&room->written, __ATOMIC_ACQUIRE));
            return;
        }
        own->read = number;
    }
}

void st_owner_passes(uint64_t number)
{
    struct st_heard *own = &heard[st_ranks_node.rank];
    if (own->read == number - 1 && is_for_others(st_ranks_node.accesses, number)) {
        own->read = number;
    }
}

void st_owner_listen(void)
{
    const uint32_t count = st_clocks_count();
    for (uint32_t i = 0; i < count; i++) {
        const struct st_access_room *room = st_node_known_accesses(i);
        if (room) {
            heard[i].until = __atomic_load_n(&room->written, __ATOMIC_ACQUIRE);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct st_access_room *room = st_node_known_accesses(i);
        if (room && __atomic_load_n(&room->written, __ATOMIC_ACQUIRE) != heard[i].read) {
            hear_rank(i, room);
        }
    }
}

/* --- this rank's own buffers ---------------------------------------------------------------- */

/* Returns the lock that this rank has of its own memory. */
static uint8_t own_epoch(const struct st_win_memory *window)
{
    const uint8_t lock = st_access_lock_of(st_win_epochs_peer(window->comm, window->comm->rank));
    return !lock && st_win_epochs_open(window->comm) & ST_EPOCH_LOCK_ALL ? ST_ACCESS_SHARED : lock;
}

static bool enter_use(const struct st_use *use, struct st_access_record *call)
{
    const struct st_buffer *bytes = &use->buffer;
    const struct st_win_memory *window =
        bytes->doubt || !bytes->span
            ? NULL
            : st_win_memory_at(bytes->first, bytes->first + bytes->span - 1);
    if (!window) {
        return false;
    }
    call->window = window->id;
    call->epoch = own_epoch(window);
    call->length = (int64_t)bytes->span;
    call->kind = ST_ACCESS_LOCAL | (use->access == ST_WRITE ? ST_ACCESS_WRITES : ST_ACCESS_READS);
    return st_races_enter(races, call, st_ranks_node.rank, st_clocks_now(), bytes);
}

uint64_t st_owner_uses(const struct st_uses *uses, unsigned access, uint16_t function,
                       uint32_t place)
{
    static uint64_t last = OWN_NUMBERS;
    bool is_any = false;
    struct st_access_record call = {.number = last + 1,
                                    .owner = st_ranks_node.rank,
                                    .tick = st_clocks_tick(),
                                    .place = place,
                                    .function = function};
    for (size_t i = 0; i < uses->count; i++) {
        if (uses->list[i].access & access) {
            is_any |= enter_use(&uses->list[i], &call);
        }
    }
    return is_any ? ++last : 0;
}

void st_owner_used(uint64_t number)
{
    st_races_end(races, &(struct st_ending){.origin = st_ranks_node.rank,
                                            .number = number,
                                            .end = {st_ranks_node.rank, st_clocks_step()}});
}

/* --- epochs of this rank ------------------------------------------------------------------- */

/* For all origins; a fence ends those of all fences before. */
static void end_epoch(const struct st_facts *facts, const struct st_win_memory *window,
                      uint8_t epoch, uint32_t tick)
{
    struct st_ending ending = {.window = window->id,
                               .epoch = epoch,
                               .by_match = true,
                               .match = window->fences - 1,
                               .end = {st_ranks_node.rank, tick},
                               .place = st_place_of_call(facts->call),
                               .function = facts->form->number};
    for (uint32_t i = 0; i < window->size && window->is_compared; i++) {
        const struct st_win_peer *peer = st_win_epochs_peer(window->comm, i);
        ending.origin = window->places[i];
        if (epoch == ST_ACCESS_STARTED && peer) {
            ending.match = peer->posted;
        }
        if (epoch == ST_ACCESS_FENCE || peer) {
            st_races_end(races, &ending);
        }
    }
}

void st_owner_ends_fence(const struct st_facts *facts, struct st_win_memory *window)
{
    end_epoch(facts, window, ST_ACCESS_FENCE, window->fenced[window->fences % ST_FENCES_KEPT].tick);
}

void st_owner_ends_exposure(const struct st_facts *facts, struct st_win_memory *window)
{
    end_epoch(facts, window, ST_ACCESS_STARTED, st_clocks_step());
}

void st_owner_drops(struct st_win_memory *window)
{
    st_races_drop_window(races, window->id);
    st_win_memory_drop(window);
}

/* --- comparing ----------------------------------------------------------------------------- */

/* What this rank knew at one of its ticks comes before the access. */
static void add_start(struct st_remote *remote, uint32_t tick)
{
    const struct st_clock *own = clock_of(st_ranks_node.rank, tick);
    /* Of ranks that are not there nothing is known, unless everything is taken for known. */
    const bool is_all = own->ticks[ST_CLOCK_RANKS - 1] == ST_TICK_ALL;
    st_clock_join(&remote->start, own, is_all ? ST_CLOCK_RANKS : st_clocks_count());
}

/* The call that accesses the memory at `address`; *last is reduced to the last byte there that it accesses. */
static struct st_race_side side_at(const struct st_remote *remote, uint64_t address, uint64_t *last)
{
    const struct st_win_memory *window = st_win_memory_named(remote->call.window);
    const uint64_t skipped = st_remote_skipped(remote, address);
    struct st_race_side side = {.call = remote->call,
                                .origin = remote->origin,
                                .has_ended = remote->has_ended,
                                .end_rank = remote->end.rank,
                                .end_place = remote->end_place,
                                .end_function = remote->end_function};
    if (remote->last_number != remote->call.number && window && window->unit > 0) {
        const uint64_t end = remote->active.buffer.first + skipped + remote->call.block - 1;
        side.call.displacement += (int64_t)skipped / window->unit;
        *last = *last < end ? *last : end;
    }
    return side;
}

/* The bytes of an access that is kept. */
static struct st_wrong_access found_access(const struct st_win_memory *window,
                                           const struct st_remote *remote)
{
    const struct st_buffer *bytes = &remote->active.buffer;
    uint64_t last = bytes->first + bytes->span - 1;
    const struct st_race_side side = side_at(remote, bytes->first, &last);
    return (struct st_wrong_access){.side = side,
                                    .handle = window->handle,
                                    .first = bytes->first - window->base,
                                    .last = last - window->base};
}

/* MPI_MODE_NOCHECK: MPI-4.0, 12.5.5. If only MPI_Win_post has it, the libraries wait in MPI_Win_start for ever. */
static enum st_broken_assertion find_broken_start(const struct st_win_opening *opening,
                                                  const struct st_remote *remote)
{
    const uint32_t known = remote->start.ticks[st_ranks_node.rank];
    if (!(remote->call.kind & ST_ACCESS_UNCHECKED) || known == ST_TICK_ALL) {
        return ST_BROKEN_NONE;
    }
    if (!opening->no_check) {
        return ST_BROKEN_NO_CHECK_POST;
    }
    return known < opening->tick ? ST_BROKEN_NO_CHECK : ST_BROKEN_NONE;
}

/* What the call asserts that has opened the epoch to the others. */
static void check_asserted(const struct st_win_memory *window, const struct st_win_opening *opening,
                           const struct st_remote *remote)
{
    const bool writes = remote->call.kind & ST_ACCESS_WRITES;
    const enum st_broken_assertion broken =
        opening->no_put && writes ? ST_BROKEN_NO_PUT : find_broken_start(opening, remote);
    if (broken == ST_BROKEN_NONE ||
        was_told(name_side(remote->origin, remote->call.place), ST_RMA_ASSERT)) {
        return;
    }
    if (wrong_count == MOST_WRONG) {
        count_missed(1);
        return;
    }
    struct st_wrong_access *access = &wrong[wrong_count++];
    *access = found_access(window, remote);
    access->broken = broken;
    access->asserted = opening->place;
}

/* Returns true if this rank has opened the epoch of the access: it waits for that. */
static bool is_exposed(const struct st_win_memory *window, struct st_remote *remote)
{
    const struct st_access_record *call = &remote->call;
    const struct st_win_opening *opening;
    if (call->epoch == ST_ACCESS_FENCE) {
        if (call->match > window->fences) {
            return false;
        }
        opening = &window->fenced[call->match % ST_FENCES_KEPT];
        if (call->match + ST_FENCES_KEPT > window->fences + 1) { /* a fence may have begun */
            check_asserted(window, opening, remote);
        }
    } else if (call->epoch == ST_ACCESS_STARTED) {
        const struct st_win_peer *peer =
            st_win_epochs_peer(window->comm, st_win_memory_rank(window, remote->origin));
        if (!peer || call->match > peer->posted) {
            return false;
        }
        opening = &window->posted;
        if (call->match == peer->posted) {
            check_asserted(window, opening, remote);
        }
    } else {
        return true;
    }
    add_start(remote, opening->tick);
    return true;
}

static bool is_ready(void *context, struct st_remote *remote)
{
    (void)context;
    const struct st_win_memory *window = st_win_memory_named(remote->call.window);
    if (remote->call.kind & ST_ACCESS_LOCAL) {
        return true;
    }
    return window && remote->last_number <= heard[remote->origin].until &&
           is_exposed(window, remote);
}

/* In any order. */
static bool was_pair_told(const struct st_remote *one, const struct st_remote *other)
{
    const uint64_t a = name_side(one->origin, one->call.place),
                   b = name_side(other->origin, other->call.place);
    return was_told(a < b ? a : b, a < b ? b : a);
}

static void keep_pair(void *context, const struct st_remote *one, const struct st_remote *other,
                      enum st_race race, const struct st_shared *shared)
{
    const struct st_win_memory *window = st_win_memory_named(one->call.window);
    (void)context;
    if (!window || was_pair_told(one, other)) {
        return;
    }
    if (pair_count == MOST_PAIRS) {
        count_missed(1);
        return;
    }
    uint64_t last = shared->address + shared->length - 1;
    const struct st_race_side first = side_at(one, shared->address, &last);
    const struct st_race_side second = side_at(other, shared->address, &last);
    pairs[pair_count++] = (struct st_race_pair){
        .sides = {first, second},
        .race = race,
        .handle = window->handle,
        .first = shared->address - window->base,
        .last = last - window->base,
        .mixes_operations = window->mixes_operations,
    };
}

/* Forgets accesses whose ends all ranks know: no later access can conflict with them. */
static void forget_old(const struct st_clock *known)
{
    st_races_forget(races, known);
    const size_t count = st_races_count(races);
    forget_at = 2 * count > KEPT_AT_LEAST ? 2 * count : KEPT_AT_LEAST;
}

static void find_known(struct st_clock *known)
{
    const uint32_t count = st_clocks_count();
    *known = *st_clocks_now();
    for (uint32_t i = 0; i < count; i++) {
        struct st_clock its;
        st_clocks_of(i, 0, &its);
        for (uint32_t k = 0; k < count; k++) {
            if (its.ticks[k] < known->ticks[k]) {
                known->ticks[k] = its.ticks[k];
            }
        }
    }
}

void st_owner_compare(void)
{
    static struct st_clock known; /* used under the lock */
    static size_t forgotten;
    const bool is_much = st_races_count(races) > forget_at;
    if (is_much) { /* read first: later data knows at least as much */
        find_known(&known);
        st_owner_listen();
    }
    count_missed(st_races_settle(races, is_ready, keep_pair, NULL));
    if (is_much) {
        forget_old(&known);
    }
    count_missed(st_races_forgotten(races) - forgotten);
    forgotten = st_races_forgotten(races);
}

bool st_owner_next(struct st_race_pair *pair)
{
    if (!pair_count) {
        return false;
    }
    *pair = pairs[--pair_count];
    return true;
}

bool st_owner_next_wrong(struct st_wrong_access *access)
{
    if (!wrong_count) {
        return false;
    }
    *access = wrong[--wrong_count];
    return true;
}
