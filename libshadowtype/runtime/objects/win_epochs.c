/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/win_epochs.h"

#include "runtime/record/blocks.h"
#include "runtime/record/publish.h"
#include "runtime/wrap/constants.h"

const struct st_win_peer *st_win_epochs_peer(const struct st_comm *window, int64_t rank)
{
    const uint64_t peers = __atomic_load_n(&window->peers, __ATOMIC_ACQUIRE);
    if (!peers || rank < 0 || rank >= window->group.size) {
        return NULL;
    }
    const struct st_win_peer *list = st_block_data(st_pointer(peers));
    return &list[rank];
}

static bool is_locked(const struct st_win_peer *peer)
{
    return peer && __atomic_load_n(&peer->lock, __ATOMIC_RELAXED);
}

static bool is_started(const struct st_win_peer *peer)
{
    return peer && __atomic_load_n(&peer->started, __ATOMIC_RELAXED) !=
                       __atomic_load_n(&peer->completed, __ATOMIC_RELAXED);
}

bool st_win_epochs_reach(const struct st_comm *window, int64_t target, bool locks)
{
    const uint32_t open = st_win_epochs_open(window);
    if (open & ST_EPOCH_LOCK_ALL || (!locks && open & ST_EPOCH_FENCE)) {
        return true;
    }
    const bool unsure = open & ST_EPOCH_UNSURE;
    const struct st_win_peer *peer = st_win_epochs_peer(window, target);
    return (open & ST_EPOCH_LOCK && (unsure || is_locked(peer))) ||
           (!locks && open & ST_EPOCH_START && (unsure || is_started(peer)));
}

/* --- changes ------------------------------------------------------------------------------- */

static void put_call(struct st_epoch_call *call, const struct st_facts *facts, uint32_t site)
{
    call->function = facts->form->number;
    st_publish32(&call->site, site);
}

static void change_open(struct st_win_epochs *epochs, uint32_t set, uint32_t clear)
{
    st_publish32(&epochs->open, (epochs->open & ~clear) | set);
}

void st_win_epochs_doubt(struct st_comm *window)
{
    change_open(&window->epochs, ST_EPOCH_UNSURE, 0);
}

static void begin_access(struct st_win_epochs *epochs, const struct st_facts *facts, uint32_t site,
                         uint32_t flag)
{
    put_call(&epochs->access, facts, site);
    change_open(epochs, flag, ST_EPOCH_FENCE | ST_EPOCH_USED);
}

static void end_access(struct st_win_epochs *epochs, const struct st_facts *facts, uint32_t site,
                       uint32_t flag)
{
    if (!(epochs->open & flag)) {
        return;
    }
    put_call(&epochs->access_end, facts, site);
    change_open(epochs, 0, flag);
}

static void pass_fence(struct st_win_epochs *epochs, const struct st_facts *facts, uint32_t site)
{
    const bool ends = (int64_t)facts->values[0] & st_numbers.no_succeed;
    put_call(&epochs->fence, facts, site);
    if (ends) {
        put_call(&epochs->access_end, facts, site);
    }
    change_open(epochs, ends ? 0 : ST_EPOCH_FENCE, ST_EPOCH_FENCE | ST_EPOCH_USED);
}

static void add_lock(struct st_comm *window, const struct st_facts *facts, uint32_t site)
{
    const int64_t target = (int64_t)facts->values[facts->form->target];
    const struct st_win_peer *peer = st_win_epochs_peer(window, target);
    if (target < 0 || is_locked(peer)) {
        return;
    }
    if (!peer) {
        st_win_epochs_doubt(window);
    }
    st_publish32(&window->epochs.locks, window->epochs.locks + 1);
    begin_access(&window->epochs, facts, site, ST_EPOCH_LOCK);
}

static void drop_lock(struct st_comm *window, const struct st_facts *facts, uint32_t site)
{
    struct st_win_epochs *epochs = &window->epochs;
    const int64_t target = (int64_t)facts->values[facts->form->target];
    const bool unsure = epochs->open & ST_EPOCH_UNSURE;
    if (target < 0 || !epochs->locks || epochs->open & ST_EPOCH_LOCK_ALL ||
        !(unsure || is_locked(st_win_epochs_peer(window, target)))) {
        return;
    }
    st_publish32(&epochs->locks, epochs->locks - 1);
    if (!epochs->locks) {
        end_access(epochs, facts, site, ST_EPOCH_LOCK);
    }
}

static void end_exposure(struct st_win_epochs *epochs, const struct st_facts *facts, uint32_t site)
{
    put_call(&epochs->exposure_end, facts, site);
    change_open(epochs, 0, ST_EPOCH_POST);
}

static bool is_complete(const struct st_facts *facts)
{
    const int *flag = (const int *)(uintptr_t)facts->values[1];
    return flag && *flag;
}

void st_win_epochs_change(struct st_comm *window, const struct st_facts *facts, uint32_t site)
{
    struct st_win_epochs *epochs = &window->epochs;
    switch (facts->form->sync) {
    case ST_SYNC_FENCE:
        pass_fence(epochs, facts, site);
        break;
    case ST_SYNC_START:
        begin_access(epochs, facts, site, ST_EPOCH_START);
        break;
    case ST_SYNC_COMPLETE:
        end_access(epochs, facts, site, ST_EPOCH_START);
        break;
    case ST_SYNC_POST:
        put_call(&epochs->exposure, facts, site);
        change_open(epochs, ST_EPOCH_POST, 0);
        break;
    case ST_SYNC_TEST:
        if (!is_complete(facts)) {
            break;
        }
        /* fall through */
    case ST_SYNC_WAIT:
        end_exposure(epochs, facts, site);
        break;
    case ST_SYNC_LOCK:
        add_lock(window, facts, site);
        break;
    case ST_SYNC_UNLOCK:
        drop_lock(window, facts, site);
        break;
    case ST_SYNC_LOCK_ALL: /* it now contains the own locks of single targets */
        st_publish32(&epochs->locks, 0);
        change_open(epochs, 0, ST_EPOCH_LOCK);
        begin_access(epochs, facts, site, ST_EPOCH_LOCK_ALL);
        break;
    case ST_SYNC_UNLOCK_ALL:
        end_access(epochs, facts, site, ST_EPOCH_LOCK_ALL);
        break;
    case ST_SYNC_ACCESS:
        put_call(&epochs->used, facts, site);
        change_open(epochs, ST_EPOCH_USED, 0);
        break;
    default:
        break;
    }
}

/* Returns true if the call transfers no element, at the origin and at the target. */
static bool is_empty(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].count < 0 || facts->values[form->parts[i].count]) {
            return false;
        }
    }
    return true;
}

bool st_win_epochs_is_first(const struct st_comm *window, const struct st_facts *facts)
{
    const uint32_t others = ST_EPOCH_USED | ST_EPOCH_START | ST_EPOCH_LOCK | ST_EPOCH_LOCK_ALL;
    return (st_win_epochs_open(window) & (ST_EPOCH_FENCE | others)) == ST_EPOCH_FENCE &&
           (int64_t)facts->values[facts->form->target] >= 0 && !is_empty(facts);
}
