/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/epochs.h"

#include <string.h>

#include "runtime/objects/comms.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/win_epochs.h"
#include "runtime/record/blocks.h"
#include "runtime/record/change.h"
#include "runtime/record/publish.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/names.h"
#include "runtime/wrap/win_ranks.h"

/* st_win_peer.lock: an operation has begun under it. */
enum { LOCK_USED = 8 };

/* --- the other processes of a window -------------------------------------------------------- */

struct st_win_peers {
    struct st_win_peer *list;
    int32_t count, own;
};

static struct st_block *add_peers(struct st_comm *window)
{
    const size_t bytes = (size_t)window->group.size * sizeof(struct st_win_peer);
    st_change_enter();
    struct st_block *block = st_block_take(bytes);
    if (block) {
        memset(st_block_data(block), 0, bytes);
        st_publish64(&window->peers, st_address(block));
    }
    st_change_leave();
    return block;
}

static struct st_comm *find_window(uint64_t win)
{
    const struct st_record *record = st_records_find(ST_KIND_WIN, win, 0);
    struct st_comm *window = record ? st_comms_of(record) : NULL;
    return window && window->flags & ST_COMM_KNOWN ? window : NULL;
}

/* Returns the peers of a window; an empty list if there is no table of them. The caller holds the
 * lock. */
static struct st_win_peers find_peers(struct st_comm *window)
{
    const int32_t size = window->group.size;
    if (size <= 0 || size > ST_MOST_WIN_PEERS) {
        return (struct st_win_peers){.own = window->rank};
    }
    struct st_block *block = window->peers ? st_pointer(window->peers) : add_peers(window);
    return (struct st_win_peers){block ? st_block_data(block) : NULL, block ? size : 0,
                                 window->rank};
}

/* Returns the peer that is the target of the call; NULL if there is none. */
static struct st_win_peer *target_of(const struct st_facts *facts, const struct st_win_peers *peers)
{
    int64_t target = facts->form->target < 0 ? -1 : (int64_t)facts->values[facts->form->target];
    return target >= 0 && target < peers->count ? &peers->list[target] : NULL;
}

/* --- epochs -------------------------------------------------------------------------------- */

/* Adds `by` to the counter of each rank. If count < 0 the ranks are not known; this is noted in the
 * window. */
static void count_ranks(uint64_t win, const int *ranks, int count, bool starts, int32_t by)
{
    bool locked = st_operations_lock();
    struct st_comm *window = find_window(win);
    const struct st_win_peers peers = window ? find_peers(window) : (struct st_win_peers){0};
    if (window && starts && (count < 0 || !peers.list)) {
        st_win_epochs_doubt(window);
    }
    for (int i = 0; i < count; i++) {
        if (ranks[i] < 0 || ranks[i] >= peers.count) {
            continue;
        }
        struct st_win_peer *peer = &peers.list[ranks[i]];
        uint32_t *counter = starts ? &peer->started : &peer->posted;
        st_publish32(counter, *counter + (uint32_t)by);
    }
    st_operations_unlock(locked);
}

/* Returns true if both handles are alive. MPI may not be asked about others: for a wrong one it
 * calls an error handler of the program, or ends the rank. */
static bool are_alive(uint64_t win, uint64_t group)
{
    bool locked = st_operations_lock();
    bool alive = st_records_find(ST_KIND_WIN, win, 0) && st_records_find(ST_KIND_GROUP, group, 0);
    st_operations_unlock(locked);
    return alive;
}

/* Adds `by` to the counter of each member of the group that is an argument of the call. */
static void count_members(const struct st_facts *facts, bool starts, int32_t by)
{
    enum { FEW = 256 };
    const uint64_t win = facts->values[facts->form->win], group = facts->values[0];
    const size_t bytes = ST_MOST_WIN_PEERS * sizeof(int);
    int few[FEW];
    if (st_constant_name(ST_KIND_GROUP, group)) { /* MPI_GROUP_EMPTY */
        return;
    }
    if (!are_alive(win, group)) {
        count_ranks(win, few, -1, starts, by);
        return;
    }
    int count = st_win_ranks_ask(win, group, few, FEW);
    if (count >= 0) {
        count_ranks(win, few, count, starts, by);
        return;
    }
    int *many = st_map(bytes);
    if (!many) {
        count_ranks(win, few, -1, starts, by);
        return;
    }
    count_ranks(win, many, st_win_ranks_ask(win, group, many, ST_MOST_WIN_PEERS), starts, by);
    st_unmap(many, bytes);
}

static void complete_all(const struct st_win_peers *peers)
{
    for (int32_t i = 0; i < peers->count; i++) {
        if (peers->list[i].completed != peers->list[i].started) {
            st_publish32(&peers->list[i].completed, peers->list[i].started);
        }
    }
}

/* --- locks --------------------------------------------------------------------------------- */

static void mark_lock(struct st_win_peer *peer, uint32_t set, uint32_t clear)
{
    if (peer && peer->lock) {
        st_publish32(&peer->lock, (peer->lock & ~clear) | set);
    }
}

static void mark_all(const struct st_win_peers *peers, uint32_t set, uint32_t clear)
{
    for (int32_t i = 0; i < peers->count; i++) {
        mark_lock(&peers->list[i], set, clear);
    }
}

/* Returns the bits of enum st_win_lock that the assertion of a lock sets. */
static uint32_t checked_by(uint64_t assertion)
{
    return (int64_t)assertion & st_numbers.no_check ? ST_LOCK_NO_CHECK : 0;
}

/* Adds a lock. MPI may request it only with the first operation under it; but a lock of the own
 * memory is held at once. */
static void add_lock(const struct st_facts *facts, const struct st_win_peers *peers, uint32_t site)
{
    struct st_win_peer *peer = target_of(facts, peers);
    const char *type = st_name_of("lock", facts->values[0]);
    const bool exclusive = type && strcmp(type, "MPI_LOCK_EXCLUSIVE") == 0;
    const bool held = peer && peer - peers->list == peers->own && !facts->values[2];
    if (!peer) {
        return;
    }
    st_publish32(&peer->site, site);
    const uint32_t type_bits = exclusive ? ST_LOCK_EXCLUSIVE : ST_LOCK_SHARED;
    const uint32_t held_bits = held ? ST_LOCK_HELD : 0;
    st_publish32(&peer->lock, type_bits | held_bits | checked_by(facts->values[2]));
}

static struct st_win_peer *own_of(const struct st_win_peers *peers)
{
    return peers->own >= 0 && peers->own < peers->count ? &peers->list[peers->own] : NULL;
}

static void set_all(const struct st_win_peers *peers, uint32_t lock)
{
    for (int32_t i = 0; i < peers->count; i++) {
        st_publish32(&peers->list[i].lock, lock);
    }
}

/* Notes that a flush has operations to complete: for that MPI needs the lock. */
static void note_use(const struct st_facts *facts, struct st_win_peer *peer)
{
    const uint64_t target = facts->values[facts->form->target];
    const struct st_record *last =
        st_records_find(ST_KIND_OPERATION, facts->values[facts->form->win], target);
    if (last && last->variable == target) {
        mark_lock(peer, LOCK_USED, 0);
    }
}

/* --- calls --------------------------------------------------------------------------------- */

static void begin_call(const struct st_facts *facts, const struct st_win_peers *peers)
{
    switch (facts->form->sync) {
    case ST_SYNC_COMPLETE:
        complete_all(peers);
        break;
    case ST_SYNC_UNLOCK:
        mark_lock(target_of(facts, peers), 0, ST_LOCK_HELD);
        break;
    case ST_SYNC_UNLOCK_ALL:
        mark_all(peers, 0, ST_LOCK_HELD);
        break;
    case ST_SYNC_FLUSH:
        note_use(facts, target_of(facts, peers));
        break;
    default:
        break;
    }
}

static uint64_t window_of(const struct st_facts *facts)
{
    return facts->form->win >= 0 ? facts->values[facts->form->win] : 0;
}

void st_epochs_before(const struct st_facts *facts)
{
    switch (facts->form->sync) {
    case ST_SYNC_START:
    case ST_SYNC_POST:
        count_members(facts, facts->form->sync == ST_SYNC_START, 1);
        return;
    case ST_SYNC_COMPLETE:
    case ST_SYNC_UNLOCK:
    case ST_SYNC_UNLOCK_ALL:
    case ST_SYNC_FLUSH:
        break;
    default:
        return;
    }
    bool locked = st_operations_lock();
    struct st_comm *window = find_window(window_of(facts));
    if (window) {
        const struct st_win_peers peers = find_peers(window);
        begin_call(facts, &peers);
    }
    st_operations_unlock(locked);
}

static void end_call(const struct st_facts *facts, struct st_comm *window, uint32_t site)
{
    const struct st_win_peers peers = find_peers(window);
    struct st_win_peer *peer = target_of(facts, &peers);
    const bool all = window->epochs.open & ST_EPOCH_LOCK_ALL;
    st_win_epochs_change(window, facts, site);
    switch (facts->form->sync) {
    case ST_SYNC_LOCK:
        add_lock(facts, &peers, site);
        break;
    case ST_SYNC_LOCK_ALL:
        set_all(&peers, ST_LOCK_SHARED | checked_by(facts->values[0]));
        if (!facts->values[0]) { /* no MPI_MODE_NOCHECK */
            mark_lock(own_of(&peers), ST_LOCK_HELD, 0);
        }
        break;
    case ST_SYNC_UNLOCK:
        if (peer) {
            st_publish32(&peer->lock, 0);
        }
        break;
    case ST_SYNC_UNLOCK_ALL:
        if (all) {
            set_all(&peers, 0);
        }
        break;
    case ST_SYNC_FLUSH:
        if (peer && peer->lock & LOCK_USED) {
            mark_lock(peer, ST_LOCK_HELD, 0);
        }
        break;
    default:
        break;
    }
}

/* MPI has refused the call: restores the epochs. */
static void take_back(const struct st_facts *facts)
{
    if (facts->form->sync == ST_SYNC_START || facts->form->sync == ST_SYNC_POST) {
        count_members(facts, facts->form->sync == ST_SYNC_START, -1);
    }
    if (facts->form->sync != ST_SYNC_COMPLETE) {
        return;
    }
    bool locked = st_operations_lock();
    struct st_comm *window = find_window(window_of(facts));
    if (window) { /* which targets it was to complete is not known any more */
        st_win_epochs_doubt(window);
    }
    st_operations_unlock(locked);
}

/* Returns false for functions that begin and end nothing. */
static bool has_effect(const struct st_form *form)
{
    return form->sync != ST_SYNC_REQUEST && form->sync != ST_SYNC_FLUSH_LOCAL &&
           form->sync != ST_SYNC_FLUSH_ALL && form->sync != ST_SYNC_FREE;
}

void st_epochs_after(const struct st_facts *facts, bool succeeded)
{
    if (!succeeded) {
        take_back(facts);
        return;
    }
    if (!has_effect(facts->form)) {
        return;
    }
    const uint32_t site =
        facts->form->sync == ST_SYNC_FLUSH ? ST_NO_SITE : st_site_number(facts->call);
    bool locked = st_operations_lock();
    struct st_comm *window = find_window(window_of(facts));
    if (window) {
        end_call(facts, window, site);
    }
    st_operations_unlock(locked);
}
