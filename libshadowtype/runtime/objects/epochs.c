#include "runtime/objects/epochs.h"

#include <string.h>

#include "runtime/objects/comms.h"
#include "runtime/objects/operations.h"
#include "runtime/record/blocks.h"
#include "runtime/record/change.h"
#include "runtime/record/publish.h"
#include "runtime/wrap/names.h"
#include "runtime/wrap/win_ranks.h"

/* st_win_peer.lock: an operation has begun under it. */
enum { LOCK_USED = 8 };

enum st_epoch_call {
    NO_EPOCH,
    STARTS,
    COMPLETES,
    POSTS,
    LOCKS,
    LOCKS_ALL,
    UNLOCKS,
    UNLOCKS_ALL,
    FLUSHES
};

static enum st_epoch_call call_of(const struct st_form *form)
{
    static const struct {
        const char *name;
        enum st_epoch_call call;
    } calls[] = {
        {"MPI_Win_start", STARTS},
        {"MPI_Win_complete", COMPLETES},
        {"MPI_Win_post", POSTS},
        {"MPI_Win_lock", LOCKS},
        {"MPI_Win_lock_all", LOCKS_ALL},
        {"MPI_Win_unlock", UNLOCKS},
        {"MPI_Win_unlock_all", UNLOCKS_ALL},
        {"MPI_Win_flush", FLUSHES},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, form->name) == 0)
            return calls[i].call;
    return NO_EPOCH;
}

bool st_epochs_have(const struct st_form *form)
{
    return call_of(form) != NO_EPOCH;
}

/* --- the others of a window ---------------------------------------------------------------- */

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

/* The caller holds the lock. False: nothing is kept of this window. */
static bool find_peers(uint64_t win, struct st_win_peers *peers)
{
    const struct st_record *record = st_records_find(ST_KIND_WIN, win, 0);
    struct st_comm *window = record ? st_comms_of(record) : NULL;
    if (!window || !(window->flags & ST_COMM_KNOWN) || window->group.size <= 0 ||
        window->group.size > ST_MOST_WIN_PEERS)
        return false;
    struct st_block *block = window->peers ? st_pointer(window->peers) : add_peers(window);
    if (!block)
        return false;
    *peers = (struct st_win_peers){st_block_data(block), window->group.size, window->rank};
    return true;
}

/* The peer that the call names as its target; NULL: there is none. */
static struct st_win_peer *target_of(const struct st_facts *facts, const struct st_win_peers *peers)
{
    int64_t target = facts->form->target < 0 ? -1 : (int64_t)facts->values[facts->form->target];
    return target >= 0 && target < peers->count ? &peers->list[target] : NULL;
}

/* --- epochs -------------------------------------------------------------------------------- */

static void count_ranks(uint64_t win, const int *ranks, int count, bool starts, int32_t by)
{
    struct st_win_peers peers;
    bool locked = st_operations_lock();
    if (!find_peers(win, &peers))
        count = 0;
    for (int i = 0; i < count; i++) {
        if (ranks[i] < 0 || ranks[i] >= peers.count)
            continue;
        struct st_win_peer *peer = &peers.list[ranks[i]];
        uint32_t *counter = starts ? &peer->started : &peer->posted;
        st_publish32(counter, *counter + (uint32_t)by);
    }
    st_operations_unlock(locked);
}

/* MPI may be asked about handles that are alive, and about no others: with a wrong one it calls an error handler
 * of the program's, or ends the rank. MPI_GROUP_EMPTY has no record, and nobody to count. */
static bool are_alive(uint64_t win, uint64_t group)
{
    bool locked = st_operations_lock();
    bool alive = st_records_find(ST_KIND_WIN, win, 0) && st_records_find(ST_KIND_GROUP, group, 0);
    st_operations_unlock(locked);
    return alive;
}

/* Adds `by` to the counter of each member of the group that the call names. */
static void count_members(const struct st_facts *facts, bool starts, int32_t by)
{
    enum { FEW = 256 };
    const uint64_t win = facts->values[facts->form->win], group = facts->values[0];
    const size_t bytes = ST_MOST_WIN_PEERS * sizeof(int);
    int few[FEW];
    if (!are_alive(win, group))
        return;
    int count = st_win_ranks_ask(win, group, few, FEW);
    if (count >= 0) {
        count_ranks(win, few, count, starts, by);
        return;
    }
    int *many = st_map(bytes);
    if (!many)
        return;
    count_ranks(win, many, st_win_ranks_ask(win, group, many, ST_MOST_WIN_PEERS), starts, by);
    st_unmap(many, bytes);
}

static void complete_all(const struct st_win_peers *peers)
{
    for (int32_t i = 0; i < peers->count; i++)
        if (peers->list[i].completed != peers->list[i].started)
            st_publish32(&peers->list[i].completed, peers->list[i].started);
}

/* --- locks --------------------------------------------------------------------------------- */

static void mark_lock(struct st_win_peer *peer, uint32_t set, uint32_t clear)
{
    if (peer && peer->lock)
        st_publish32(&peer->lock, (peer->lock & ~clear) | set);
}

static void mark_all(const struct st_win_peers *peers, uint32_t set, uint32_t clear)
{
    for (int32_t i = 0; i < peers->count; i++)
        mark_lock(&peers->list[i], set, clear);
}

/* A lock may be asked for only with the first operation under it; that of the own memory is there at once. */
static void add_lock(const struct st_facts *facts, const struct st_win_peers *peers)
{
    struct st_win_peer *peer = target_of(facts, peers);
    const char *type = st_name_of("lock", facts->values[0]);
    const bool exclusive = type && strcmp(type, "MPI_LOCK_EXCLUSIVE") == 0;
    const bool held = peer && peer - peers->list == peers->own && !facts->values[2];
    if (peer)
        st_publish32(&peer->lock,
                     (exclusive ? ST_LOCK_EXCLUSIVE : ST_LOCK_SHARED) | (held ? ST_LOCK_HELD : 0));
}

static void set_all(const struct st_win_peers *peers, uint32_t lock)
{
    for (int32_t i = 0; i < peers->count; i++)
        st_publish32(&peers->list[i].lock, lock);
}

/* A flush that has operations to end needs the lock. */
static void note_use(const struct st_facts *facts, struct st_win_peer *peer)
{
    const uint64_t target = facts->values[facts->form->target];
    const struct st_record *last =
        st_records_find(ST_KIND_OPERATION, facts->values[facts->form->win], target);
    if (last && last->variable == target)
        mark_lock(peer, LOCK_USED, 0);
}

/* --- calls --------------------------------------------------------------------------------- */

static void begin_call(const struct st_facts *facts, enum st_epoch_call call,
                       const struct st_win_peers *peers)
{
    switch (call) {
    case COMPLETES:
        complete_all(peers);
        break;
    case UNLOCKS:
        mark_lock(target_of(facts, peers), 0, ST_LOCK_HELD);
        break;
    case UNLOCKS_ALL:
        mark_all(peers, 0, ST_LOCK_HELD);
        break;
    case FLUSHES:
        note_use(facts, target_of(facts, peers));
        break;
    default:
        break;
    }
}

void st_epochs_before(const struct st_facts *facts)
{
    const enum st_epoch_call call = call_of(facts->form);
    struct st_win_peers peers;
    if (call == STARTS || call == POSTS) {
        count_members(facts, call == STARTS, 1);
        return;
    }
    bool locked = st_operations_lock();
    if (find_peers(facts->values[facts->form->win], &peers))
        begin_call(facts, call, &peers);
    st_operations_unlock(locked);
}

static void end_call(const struct st_facts *facts, enum st_epoch_call call,
                     const struct st_win_peers *peers)
{
    struct st_win_peer *peer;
    switch (call) {
    case LOCKS:
        add_lock(facts, peers);
        break;
    case LOCKS_ALL:
        set_all(peers, ST_LOCK_SHARED);
        break;
    case UNLOCKS:
        peer = target_of(facts, peers);
        if (peer)
            st_publish32(&peer->lock, 0);
        break;
    case UNLOCKS_ALL:
        set_all(peers, 0);
        break;
    case FLUSHES:
        peer = target_of(facts, peers);
        if (peer && peer->lock & LOCK_USED)
            mark_lock(peer, ST_LOCK_HELD, 0);
        break;
    default:
        break;
    }
}

void st_epochs_after(const struct st_facts *facts, bool succeeded)
{
    const enum st_epoch_call call = call_of(facts->form);
    struct st_win_peers peers;
    if (!succeeded) {
        if (call == STARTS || call == POSTS)
            count_members(facts, call == STARTS, -1);
        return;
    }
    bool locked = st_operations_lock();
    if (find_peers(facts->values[facts->form->win], &peers))
        end_call(facts, call, &peers);
    st_operations_unlock(locked);
}
