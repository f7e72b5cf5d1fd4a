/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The epochs of windows (MPI-4.0, 12.5), as far as the process' own calls show them:
 * rma-epoch-missing, rma-epoch-nested, rma-epoch-end, rma-epoch-open and rma-assert.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/objects/comms.h"
#include "runtime/objects/epochs.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/win_epochs.h"
#include "runtime/wrap/constants.h"

/* A call that began or ended an epoch, for a report. */
struct st_told_epoch {
    const char *call; /* NULL: there is none */
    uint32_t site;
    char remark[64];
};

static struct st_told_epoch tell_call(const struct st_epoch_call *call, const char *remark)
{
    struct st_told_epoch told = {.site = call->site};
    if (call->site == ST_NO_SITE) {
        return told;
    }
    told.call = st_form_table[call->function]->name;
    snprintf(told.remark, sizeof told.remark, "%s", remark);
    return told;
}

/* Describes the lock of the lowest rank that MPI_Win_lock has locked. */
static struct st_told_epoch tell_lock(const struct st_comm *window)
{
    const struct st_win_peer *peer;
    int64_t rank = 0;
    while ((peer = st_win_epochs_peer(window, rank)) && !peer->lock) {
        rank++;
    }
    struct st_told_epoch told = {.call = "MPI_Win_lock",
                                 .site = peer ? peer->site : window->epochs.access.site};
    if (peer) {
        snprintf(told.remark, sizeof told.remark, "locks rank %lld", (long long)rank);
    }
    return told;
}

/* Describes an open epoch of one of these kinds, of locks first. */
static struct st_told_epoch tell_open(const struct st_comm *window, uint32_t kinds)
{
    const uint32_t open = st_win_epochs_open(window) & kinds;
    const struct st_win_epochs *epochs = &window->epochs;
    if (open & (ST_EPOCH_LOCK_ALL | ST_EPOCH_START)) {
        return tell_call(&epochs->access, "");
    }
    if (open & ST_EPOCH_LOCK) {
        return tell_lock(window);
    }
    if (open & ST_EPOCH_POST) {
        return tell_call(&epochs->exposure, "");
    }
    if (open & ST_EPOCH_FENCE) {
        return tell_call(&epochs->fence, "");
    }
    return (struct st_told_epoch){.site = ST_NO_SITE};
}

static void find_epoch(struct st_facts *facts, const struct st_comm *window, struct st_found *found,
                       const struct st_told_epoch *told)
{
    const bool used = told->call && strcmp(told->call, "MPI_Win_fence") == 0 &&
                      st_win_epochs_open(window) & ST_EPOCH_USED;
    found->other_call = told->call;
    found->other_site = told->site;
    found->other_remark = told->remark[0] ? told->remark : NULL;
    if (used) {
        found->made_call = st_form_table[window->epochs.used.function]->name;
        found->made_site = window->epochs.used.site;
    }
    found->parameter = facts->form->sync == ST_SYNC_FREE ? facts->form->ends : facts->form->win;
    st_find(facts, found);
}

/* --- rma-epoch-missing --------------------------------------------------------------------- */

static const char *epoch_verb(const struct st_form *form)
{
    if (form->sync == ST_SYNC_FLUSH || form->sync == ST_SYNC_FLUSH_LOCAL) {
        return "flushes";
    }
    if (form->op >= 0 || strcmp(form->name, "MPI_Compare_and_swap") == 0) {
        return "accumulates at";
    }
    return form->parts[0].access == ST_READ ? "puts to" : "gets from";
}

/* Describes why the open epochs do not allow the call. */
static struct st_told_epoch tell_reason(const struct st_comm *window, bool locks)
{
    const uint32_t open = st_win_epochs_open(window);
    const struct st_win_epochs *epochs = &window->epochs;
    if (open & ST_EPOCH_LOCK) {
        return tell_lock(window);
    }
    if (open & ST_EPOCH_START) {
        return tell_call(&epochs->access, locks ? "locks nothing" : "names other targets");
    }
    if (open & ST_EPOCH_FENCE) {
        return tell_call(&epochs->fence, "locks nothing");
    }
    const bool fence = epochs->access_end.site != ST_NO_SITE &&
                       st_form_table[epochs->access_end.function]->sync == ST_SYNC_FENCE;
    return tell_call(&epochs->access_end,
                     fence ? "opens none, by MPI_MODE_NOSUCCEED" : "has ended the last one");
}

static void find_missing(struct st_facts *facts, const struct st_comm *window, int64_t target,
                         bool locks)
{
    const struct st_form *form = facts->form;
    const bool all = form->sync == ST_SYNC_FLUSH_ALL;
    const bool request = form->sync == ST_SYNC_REQUEST;
    char message[160], advice[160];
    if (all) {
        snprintf(message, sizeof message, "calls %s, and has locked no rank", form->name);
    } else {
        snprintf(message, sizeof message, "%s rank %lld, %s", epoch_verb(form), (long long)target,
                 locks ? request ? "which it has not locked, with a request"
                                 : "which it has not locked"
                       : "for which no epoch is open");
    }
    if (all) {
        snprintf(advice, sizeof advice,
                 "it belongs between MPI_Win_lock, or MPI_Win_lock_all, "
                 "and the call that unlocks");
    } else if (locks || st_win_epochs_open(window) & ST_EPOCH_LOCK) {
        snprintf(advice, sizeof advice, "lock rank %lld before, or call MPI_Win_lock_all",
                 (long long)target);
    } else if (st_win_epochs_open(window) & ST_EPOCH_START) {
        snprintf(advice, sizeof advice, "add rank %lld to the group of MPI_Win_start",
                 (long long)target);
    } else {
        snprintf(advice, sizeof advice,
                 "begin one before, by MPI_Win_fence, MPI_Win_start, "
                 "MPI_Win_lock or MPI_Win_lock_all");
    }
    const struct st_told_epoch told = tell_reason(window, locks);
    find_epoch(
        facts, window,
        &(struct st_found){.check = ST_RMA_EPOCH_MISSING, .message = message, .advice = advice},
        &told);
}

/* Returns the rank of the window that the call names; negative if there is none, or for
 * MPI_PROC_NULL. */
static int64_t target_of(const struct st_facts *facts, const struct st_comm *window)
{
    const int number = facts->form->target;
    const int64_t target = number >= 0 ? (int64_t)facts->values[number] : -1;
    return target < window->group.size ? target : -1;
}

static void check_access(struct st_facts *facts, const struct st_comm *window, bool locks)
{
    const int64_t target = target_of(facts, window);
    if (target >= 0 && !st_win_epochs_reach(window, target, locks)) {
        find_missing(facts, window, target, locks);
    }
}

static void check_flush_all(struct st_facts *facts, const struct st_comm *window)
{
    if (!(st_win_epochs_open(window) & (ST_EPOCH_LOCK | ST_EPOCH_LOCK_ALL))) {
        find_missing(facts, window, -1, true);
    }
}

/* --- rma-epoch-nested ---------------------------------------------------------------------- */

/* The kinds of epochs that a call begins and another one ends. */
enum st_ended { ENDED_LOCK, ENDED_LOCK_ALL, ENDED_START, ENDED_POST, ENDED_COUNT };

static enum st_ended ended_of(enum st_sync sync)
{
    switch (sync) {
    case ST_SYNC_LOCK:
    case ST_SYNC_UNLOCK:
        return ENDED_LOCK;
    case ST_SYNC_LOCK_ALL:
    case ST_SYNC_UNLOCK_ALL:
        return ENDED_LOCK_ALL;
    case ST_SYNC_START:
    case ST_SYNC_COMPLETE:
        return ENDED_START;
    case ST_SYNC_POST:
    case ST_SYNC_WAIT:
    case ST_SYNC_TEST:
        return ENDED_POST;
    default:
        return ENDED_COUNT;
    }
}

/* The window (its serial) in which a call that begins such an epoch was reported last. Where MPI refuses that call, the one that
 * ends its epoch finds none: that is no second error. */
static _Atomic uint64_t nested_in[ENDED_COUNT];

static void note_nested(const struct st_facts *facts, const struct st_comm *window)
{
    const enum st_ended kind = ended_of(facts->form->sync);
    if (kind != ENDED_COUNT) {
        atomic_store(&nested_in[kind], window->serial);
    }
}

/* Returns true once for such a call. */
static bool take_nested(const struct st_facts *facts, const struct st_comm *window)
{
    const enum st_ended kind = ended_of(facts->form->sync);
    uint64_t serial = window->serial;
    return kind != ENDED_COUNT && atomic_compare_exchange_strong(&nested_in[kind], &serial, 0);
}

static void find_nested(struct st_facts *facts, const struct st_comm *window,
                        const struct st_told_epoch *told, const char *advice)
{
    char message[160];
    snprintf(message, sizeof message, "calls %s within the epoch that %s has opened",
             facts->form->name, told->call ? told->call : "another call");
    find_epoch(
        facts, window,
        &(struct st_found){.check = ST_RMA_EPOCH_NESTED, .message = message, .advice = advice},
        told);
    note_nested(facts, window);
}

/* Returns the open epochs in which no access epoch of another kind may begin. */
static uint32_t kinds_of_access(const struct st_comm *window)
{
    const bool used = st_win_epochs_open(window) & ST_EPOCH_USED;
    return ST_EPOCH_START | ST_EPOCH_LOCK | ST_EPOCH_LOCK_ALL | (used ? ST_EPOCH_FENCE : 0);
}

/* Returns true, and reports, if the call begins an access epoch within one of these kinds. */
static bool is_within(struct st_facts *facts, const struct st_comm *window, uint32_t kinds)
{
    const struct st_told_epoch told = tell_open(window, kinds);
    if (st_win_epochs_open(window) & kinds) {
        find_nested(facts, window, &told,
                    "end that one first: a process is in one access epoch of a window at a time");
    }
    return st_win_epochs_open(window) & kinds;
}

static const char own_advice[] =
    "end that one first: memory of a window is not locked while MPI_Win_post exposes it";

static void check_post(struct st_facts *facts, const struct st_comm *window)
{
    const uint32_t open = st_win_epochs_open(window);
    const struct st_win_peer *own = st_win_epochs_peer(window, window->rank);
    if (open & ST_EPOCH_POST) {
        const struct st_told_epoch told = tell_open(window, ST_EPOCH_POST);
        find_nested(facts, window, &told,
                    "call MPI_Win_wait before: a process is in one exposure epoch of a window at "
                    "a time");
    } else if (open & ST_EPOCH_LOCK_ALL) {
        const struct st_told_epoch told = tell_open(window, ST_EPOCH_LOCK_ALL);
        find_nested(facts, window, &told, own_advice);
    } else if (open & ST_EPOCH_LOCK && own && own->lock) {
        const struct st_told_epoch told = {
            .call = "MPI_Win_lock", .site = own->site, .remark = "locks its own memory"};
        find_nested(facts, window, &told, own_advice);
    }
}

static void check_lock_all(struct st_facts *facts, const struct st_comm *window)
{
    const struct st_told_epoch exposed = tell_open(window, ST_EPOCH_POST);
    if (!is_within(facts, window, kinds_of_access(window)) && exposed.call) {
        find_nested(facts, window, &exposed, own_advice);
    }
}

static void check_lock(struct st_facts *facts, const struct st_comm *window)
{
    const int64_t target = target_of(facts, window);
    const struct st_win_peer *peer = st_win_epochs_peer(window, target);
    char message[80];
    if (target < 0 ||
        is_within(facts, window, kinds_of_access(window) & ~(uint32_t)ST_EPOCH_LOCK)) {
        return;
    }
    const struct st_told_epoch exposed = tell_open(window, ST_EPOCH_POST);
    if (target == window->rank && exposed.call) {
        find_nested(facts, window, &exposed, own_advice);
    }
    if (!peer || !peer->lock) {
        return;
    }
    snprintf(message, sizeof message, "locks rank %lld, which it has locked already",
             (long long)target);
    const struct st_told_epoch told = {.call = "MPI_Win_lock", .site = peer->site};
    find_epoch(facts, window,
               &(struct st_found){.check = ST_RMA_EPOCH_NESTED,
                                  .message = message,
                                  .advice = "unlock it before; one lock of a target is held at a "
                                            "time"},
               &told);
    note_nested(facts, window);
}

/* With both assertions a fence neither ends nor begins an epoch: it is a barrier. */
static void check_fence(struct st_facts *facts, const struct st_comm *window)
{
    const uint32_t others = ST_EPOCH_START | ST_EPOCH_POST | ST_EPOCH_LOCK | ST_EPOCH_LOCK_ALL;
    const int64_t both = st_numbers.fence_assertions, given = (int64_t)facts->values[0];
    const uint32_t open = st_win_epochs_open(window);
    if (open & others && (given & both) != both) {
        const struct st_told_epoch told = tell_open(window, others);
        find_nested(facts, window, &told,
                    "end that one first: a fence begins and ends its own epochs");
    } else if (open & ST_EPOCH_USED && given & st_numbers.no_precede) {
        const struct st_told_epoch told = tell_open(window, ST_EPOCH_FENCE);
        find_epoch(facts, window,
                   &(struct st_found){.check = ST_RMA_ASSERT,
                                      .message = "passes MPI_MODE_NOPRECEDE to the fence after "
                                                 "its own one-sided calls",
                                      .advice = "leave MPI_MODE_NOPRECEDE out: this fence has to "
                                                "complete them"},
                   &told);
    }
}

/* --- rma-epoch-end ------------------------------------------------------------------------- */

static void find_unopened(struct st_facts *facts, const struct st_comm *window, const char *begin,
                          const struct st_epoch_call *ended)
{
    const bool exposure = ended == &window->epochs.exposure_end;
    const uint32_t access = ST_EPOCH_START | ST_EPOCH_LOCK | ST_EPOCH_LOCK_ALL | ST_EPOCH_FENCE;
    struct st_told_epoch told = tell_open(window, exposure ? 0 : access);
    char message[160], advice[120];
    if (take_nested(facts, window)) {
        return;
    }
    if (!told.call) {
        told = tell_call(ended, "has ended the last one");
    }
    if (facts->form->sync == ST_SYNC_UNLOCK) {
        snprintf(message, sizeof message, "unlocks rank %lld, which it has not locked",
                 (long long)target_of(facts, window));
    } else {
        snprintf(message, sizeof message, "calls %s, and no epoch of %s is open", facts->form->name,
                 begin);
    }
    snprintf(advice, sizeof advice, "each %s ends what one %s has begun", facts->form->name, begin);
    find_epoch(facts, window,
               &(struct st_found){.check = ST_RMA_EPOCH_END, .message = message, .advice = advice},
               &told);
}

static void check_unlock(struct st_facts *facts, const struct st_comm *window)
{
    const uint32_t open = st_win_epochs_open(window);
    const int64_t target = target_of(facts, window);
    if (target >= 0 && (open & ST_EPOCH_LOCK_ALL || !st_win_epochs_reach(window, target, true))) {
        find_unopened(facts, window, "MPI_Win_lock", &window->epochs.access_end);
    }
}

static void check_end(struct st_facts *facts, const struct st_comm *window, uint32_t kind,
                      const char *begin)
{
    if (!(st_win_epochs_open(window) & kind)) {
        find_unopened(facts, window, begin,
                      kind == ST_EPOCH_POST ? &window->epochs.exposure_end
                                            : &window->epochs.access_end);
    }
}

/* --- rma-epoch-open ------------------------------------------------------------------------ */

static struct st_told_epoch tell_last(const struct st_comm *window)
{
    return tell_open(window, kinds_of_access(window) | ST_EPOCH_POST);
}

static void check_free(struct st_facts *facts, const struct st_comm *window)
{
    const struct st_told_epoch told = tell_last(window);
    char message[120];
    if (!told.call) {
        return;
    }
    snprintf(message, sizeof message, "frees a window within the epoch that %s has opened",
             told.call);
    find_epoch(facts, window,
               &(struct st_found){.check = ST_RMA_EPOCH_OPEN,
                                  .message = message,
                                  .advice = "end the epoch before MPI_Win_free"},
               &told);
}

void st_check_epochs_at_end(void)
{
    struct st_record copy;
    uint32_t number = 0;
    char message[120];
    while (st_records_next(&number, &copy)) {
        if (copy.kind != ST_KIND_WIN) {
            continue;
        }
        bool locked = st_lock();
        const struct st_comm *window = st_comms_of(&copy);
        struct st_told_epoch told = {.site = ST_NO_SITE};
        if (window && window->serial == copy.serial) {
            told = tell_last(window);
        }
        st_unlock(locked);
        if (!told.call) {
            continue;
        }
        snprintf(message, sizeof message, "calls MPI_Finalize within the epoch that %s has opened",
                 told.call);
        st_find_at(&(struct st_found){.check = ST_RMA_EPOCH_OPEN,
                                      .parameter = -1,
                                      .message = message,
                                      .advice = "end the epoch, and free the window, before "
                                                "MPI_Finalize"},
                   told.call, told.site, 1);
    }
}

/* --- one call ------------------------------------------------------------------------------ */

static uint64_t window_of(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    if (form->sync != ST_SYNC_FREE) {
        return facts->values[form->win];
    }
    return facts->values[form->ends] ? st_handle_at(facts, form->ends, 0) : 0;
}

static void check_call(struct st_facts *facts, const struct st_comm *window)
{
    switch (facts->form->sync) {
    case ST_SYNC_ACCESS:
        check_access(facts, window, false);
        break;
    case ST_SYNC_REQUEST:
    case ST_SYNC_FLUSH:
    case ST_SYNC_FLUSH_LOCAL:
        check_access(facts, window, true);
        break;
    case ST_SYNC_FLUSH_ALL:
        check_flush_all(facts, window);
        break;
    case ST_SYNC_FENCE:
        check_fence(facts, window);
        break;
    case ST_SYNC_START:
        is_within(facts, window, kinds_of_access(window));
        break;
    case ST_SYNC_POST:
        check_post(facts, window);
        break;
    case ST_SYNC_LOCK:
        check_lock(facts, window);
        break;
    case ST_SYNC_LOCK_ALL:
        check_lock_all(facts, window);
        break;
    case ST_SYNC_COMPLETE:
        check_end(facts, window, ST_EPOCH_START, "MPI_Win_start");
        break;
    case ST_SYNC_WAIT:
    case ST_SYNC_TEST:
        check_end(facts, window, ST_EPOCH_POST, "MPI_Win_post");
        break;
    case ST_SYNC_UNLOCK:
        check_unlock(facts, window);
        break;
    case ST_SYNC_UNLOCK_ALL:
        check_end(facts, window, ST_EPOCH_LOCK_ALL, "MPI_Win_lock_all");
        break;
    case ST_SYNC_FREE:
        check_free(facts, window);
        break;
    default:
        break;
    }
}

bool st_check_epochs(struct st_facts *facts)
{
    const struct st_comm *window = st_win_epochs_window(window_of(facts));
    if (!window) {
        return false;
    }
    const bool accesses = facts->form->sync == ST_SYNC_ACCESS;
    const uint32_t open = st_win_epochs_open(window);
    if (!(accesses && open & (ST_EPOCH_FENCE | ST_EPOCH_LOCK_ALL))) {
        check_call(facts, window);
    }
    if (accesses) { /* most calls */
        return (open & (ST_EPOCH_FENCE | ST_EPOCH_USED)) == ST_EPOCH_FENCE &&
               st_win_epochs_is_first(window, facts);
    }
    st_epochs_before(facts);
    return true;
}
