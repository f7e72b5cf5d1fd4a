/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/onesided.h"

#include <string.h>

#include "core/agree/rules.h"
#include "core/model/hash.h"
#include "runtime/check/check_groups.h"
#include "runtime/check/order.h"
#include "runtime/check/own_accesses.h"
#include "runtime/check/synchronous_sends.h"
#include "runtime/objects/win_epochs.h"
#include "runtime/ranks/accesses.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/members.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/owner.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/race_report.h"
#include "runtime/wrap/constants.h"

/* --- functions ------------------------------------------------------------------------------ */

/* What the names of functions say is asked for once: the order that a call makes is looked at whenever one ends. */
enum { MOST_FORMS = 1024, LEARNS = 0x1, SYNCHRONOUS = 0x2 };
static uint8_t orders[MOST_FORMS];

static unsigned order_of(const struct st_form *form)
{
    unsigned order = st_order_may_learn(form) ? LEARNS : 0;
    if (st_order_is_synchronous(form)) {
        order |= SYNCHRONOUS;
    }
    return order;
}

static unsigned known_order(const struct st_form *form)
{
    return form->number < MOST_FORMS ? orders[form->number] : order_of(form);
}

bool st_onesided_wants(const struct st_form *form)
{
    if (form->number < MOST_FORMS) {
        orders[form->number] = (uint8_t)order_of(form);
    }
    return form->sync != ST_SYNC_NONE || form->collective >= 0 || form->there >= 0 ||
           st_order_makes_window(form) || order_of(form) || st_form_has_buffers(form);
}

/* --- accesses of pending operations ----------------------------------------------------------- */

/* Maps the record of a request (MPI_Rget, ...) or operation to its access. */
enum { LOG2_REQUESTS = 10 };
static struct st_access_request {
    uint64_t serial, number, window;
} requests[1 << LOG2_REQUESTS];

static void keep_request(uint64_t serial, uint64_t number, uint64_t window)
{
    struct st_access_request *place = &requests[serial & ((1u << LOG2_REQUESTS) - 1)];
    if (place->number) { /* it counts as complete: later ones are not reported */
        st_access_end_one(NULL, place->number);
    }
    *place = (struct st_access_request){serial, number, window};
}

/* --- collective calls ------------------------------------------------------------------------ */

static uint64_t handle_of(const struct st_checked *checked)
{
    const struct st_form *form = checked->facts.form;
    return form->parameters[form->collective].pointer
               ? st_handle_at(&checked->facts, form->collective, 0)
               : checked->facts.values[form->collective];
}

static uint64_t id_of(const struct st_comm *comm)
{
    return st_hash_word(comm->id, st_ranks_node.job);
}

static void enter_collective(struct st_checked *checked)
{
    const struct st_comm *comm = st_comm_of_handle(handle_of(checked));
    checked->entered = comm && comm->id ? comm : NULL;
    if (!checked->entered) {
        return;
    }
    checked->entered_serial = comm->serial;
    checked->entered_number = (uint32_t)__atomic_load_n(&comm->collectives, __ATOMIC_RELAXED);
    st_clocks_enter(id_of(comm), checked->entered_number);
}

/* Returns true if the actions of rank `other` before a collective call are before those of this
 * rank after it. */
static bool is_ordered(const struct st_form *form, const struct st_comm *comm, int64_t root,
                       int32_t other)
{
    const uint32_t rules = st_rules_of(form->name);
    if (st_order_is_scan(form)) {
        return other < comm->rank;
    }
    if (!(rules & ST_RULE_ROOT) || form->root < 0) {
        return true;
    }
    const bool gathers = rules & ST_RULE_GATHER || rules & ST_RULE_OPERATION ||
                         strstr(form->name, "ather"); /* MPI_Gatherv, MPI_Igatherv */
    return gathers ? comm->rank == root : other == root;
}

/* COMM is NULL, or has another serial, if it is gone or was never known. */
static void leave_collective(const struct st_form *form, const struct st_comm *comm,
                             uint64_t serial, uint32_t number, int64_t root)
{
    if (!comm || comm->serial != serial || comm->flags & ST_COMM_INTER ||
        !(comm->flags & ST_COMM_KNOWN)) {
        st_clocks_join_all();
        return;
    }
    const uint64_t id = id_of(comm);
    for (int32_t i = 0; i < comm->group.size; i++) {
        if (i != comm->rank && is_ordered(form, comm, root, i)) {
            st_clocks_met(st_group_place(&comm->group, i), id, number);
        }
    }
    st_clocks_tick();
}

/* --- synchronizations of windows ------------------------------------------------------------- */

static int64_t target_of(const struct st_facts *facts)
{
    return facts->form->target < 0 ? -1 : (int64_t)facts->values[facts->form->target];
}

static bool has_exclusive(const struct st_win_memory *window, int64_t target)
{
    return st_access_lock_of(st_win_epochs_peer(window->comm, target)) == ST_ACCESS_EXCLUSIVE;
}

static void release_lock(struct st_checked *checked, struct st_win_memory *window, int64_t target)
{
    checked->was_exclusive = has_exclusive(window, target);
    const uint32_t tick = st_access_end(&checked->facts, window, target, ST_ACCESS_LOCKS, 0);
    st_clocks_mark(window->id, ST_MARK_RELEASED, tick);
    if (checked->was_exclusive) {
        st_clocks_mark(window->id, ST_MARK_RELEASED_EXCLUSIVE, tick);
    }
}

/* After a call that needed a lock: joins the clocks of those who had it before. */
static void join_released(const struct st_win_memory *window, bool exclusive)
{
    for (uint32_t i = 0; i < window->size && window->is_compared; i++) {
        st_clocks_join_mark(window->places[i], window->id,
                            exclusive ? ST_MARK_RELEASED : ST_MARK_RELEASED_EXCLUSIVE);
    }
}

static void join_marked(const struct st_win_memory *window, enum st_clock_mark mark)
{
    for (uint32_t i = 0; i < window->size && window->is_compared; i++) {
        st_clocks_join_mark(window->places[i], window->id, mark);
    }
}

/* The result of an atomic access may show all earlier atomic accesses. */
static void join_updates(struct st_win_memory *window)
{
    if (window->has_fetched) {
        join_marked(window, ST_MARK_UPDATED);
    }
    window->has_fetched = false;
}

/* Joins the ranks whose exposure epochs this rank has completed. */
static void join_posted(const struct st_win_memory *window)
{
    for (uint32_t i = 0; i < window->size && window->is_compared; i++) {
        const struct st_win_peer *peer = st_win_epochs_peer(window->comm, i);
        if (peer && peer->started) {
            st_clocks_join_current(window->places[i]);
        }
    }
}

/* A wrong origin buffer alone does not prevent MPI from carrying out the call. */
static bool is_sound(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    uint32_t buffers = 0;
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].buffer >= 0) {
            buffers |= UINT32_C(1) << form->parts[i].buffer;
        }
    }
    return !(facts->found & ~buffers);
}

static struct st_win_opening opening_of(const struct st_facts *facts, uint64_t assertions)
{
    return (struct st_win_opening){.tick = st_clocks_step(),
                                   .place = st_place_of_call(facts->call),
                                   .no_put = (int64_t)assertions & st_numbers.no_put,
                                   .no_check = (int64_t)assertions & st_numbers.no_check};
}

static void begin_sync(struct st_checked *checked, struct st_win_memory *window)
{
    const struct st_facts *facts = &checked->facts;
    switch (facts->form->sync) {
    case ST_SYNC_ACCESS:
    case ST_SYNC_REQUEST:
        checked->access = st_access_leave(facts, window, st_place_of_call(facts->call));
        break;
    case ST_SYNC_FENCE:
        window->fenced[(window->fences + 1) % ST_FENCES_KEPT] = opening_of(facts, facts->values[0]);
        break;
    case ST_SYNC_COMPLETE:
        st_clocks_mark(window->id, ST_MARK_COMPLETED,
                       st_access_end(facts, window, -1, ST_ACCESS_STARTED, ST_ACCESS_READS));
        break;
    case ST_SYNC_POST:
        window->posted = opening_of(facts, facts->values[1]);
        break;
    case ST_SYNC_UNLOCK:
        release_lock(checked, window, target_of(facts));
        break;
    case ST_SYNC_UNLOCK_ALL:
        release_lock(checked, window, -1);
        break;
    case ST_SYNC_FLUSH:
        st_access_end(facts, window, target_of(facts), ST_ACCESS_LOCKS, 0);
        break;
    case ST_SYNC_FLUSH_LOCAL:
        st_access_end(facts, window, target_of(facts), ST_ACCESS_LOCKS, ST_ACCESS_READS);
        break;
    case ST_SYNC_FLUSH_ALL:
        st_access_end(facts, window, -1, ST_ACCESS_LOCKS,
                      strstr(facts->form->name, "local") ? ST_ACCESS_READS : 0);
        break;
    default:
        break;
    }
}

/* Where the epoch is opened that one-sided calls are in from now on. */
static void note_opening(const struct st_facts *facts, struct st_win_memory *window)
{
    const int64_t target = target_of(facts);
    const uint32_t place = st_place_of_call(facts->call);
    if (facts->form->sync == ST_SYNC_FENCE) {
        window->fence_place = place;
    } else if (facts->form->sync != ST_SYNC_LOCK) {
        window->access_place = place;
    } else if (target >= 0 && target < (int64_t)window->size) {
        window->lock_places[target] = place;
    }
}

static bool is_true(const struct st_facts *facts)
{
    const int flag = st_parameter_of(facts->form, ST_ROLE_FLAG);
    const int number = flag >= 0 ? flag : 1;
    const int *value = (const int *)(uintptr_t)facts->values[number];
    return value && *value;
}

static void end_exposure(const struct st_facts *facts, struct st_win_memory *window)
{
    join_marked(window, ST_MARK_COMPLETED);
    st_owner_listen();
    st_owner_ends_exposure(facts, window);
}

static void end_fence(struct st_checked *checked, struct st_win_memory *window)
{
    window->fences++;
    if (!((int64_t)checked->facts.values[0] & st_numbers.no_precede)) {
        leave_collective(checked->facts.form, checked->entered, checked->entered_serial,
                         checked->entered_number, -1);
    }
    join_updates(window);
    st_owner_listen();
    st_owner_ends_fence(&checked->facts, window);
    note_opening(&checked->facts, window);
}

static void end_sync(struct st_checked *checked, struct st_win_memory *window)
{
    const struct st_facts *facts = &checked->facts;
    switch (facts->form->sync) {
    case ST_SYNC_FENCE:
        end_fence(checked, window);
        break;
    case ST_SYNC_COMPLETE:
        join_posted(window);
        join_updates(window);
        break;
    case ST_SYNC_TEST:
        if (!is_true(facts)) {
            break;
        }
        /* fall through */
    case ST_SYNC_WAIT:
        end_exposure(facts, window);
        break;
    case ST_SYNC_START:
        window->starts_unchecked = (int64_t)facts->values[1] & st_numbers.no_check;
        /* fall through */
    case ST_SYNC_LOCK_ALL:
        note_opening(facts, window);
        break;
    case ST_SYNC_LOCK:
        note_opening(facts, window);
        if (target_of(facts) == window->comm->rank) { /* it is there at once */
            join_released(window, has_exclusive(window, target_of(facts)));
        }
        break;
    case ST_SYNC_UNLOCK:
    case ST_SYNC_UNLOCK_ALL:
        join_released(window, checked->was_exclusive);
        join_updates(window);
        break;
    case ST_SYNC_FLUSH:
    case ST_SYNC_FLUSH_LOCAL:
    case ST_SYNC_FLUSH_ALL:
        join_released(window, has_exclusive(window, target_of(facts)));
        join_updates(window);
        break;
    default:
        break;
    }
}

/* --- a call ---------------------------------------------------------------------------------- */

static bool is_off(void)
{
    return !atomic_load_explicit(&st_clocks_on, memory_order_acquire);
}

static uint64_t window_of(const struct st_checked *checked)
{
    const struct st_form *form = checked->facts.form;
    if (form->win >= 0) {
        return checked->facts.values[form->win];
    }
    return form->sync == ST_SYNC_FREE && form->ends >= 0
               ? st_handle_at(&checked->facts, form->ends, 0)
               : 0;
}

void st_onesided_before(struct st_checked *checked)
{
    checked->access = checked->own_access = 0;
    checked->window_id = 0;
    checked->entered = NULL;
    if (is_off()) {
        return;
    }
    st_clocks_last_message = 0;
    const uint64_t handle = window_of(checked);
    struct st_uses uses;
    if (handle) {
        st_win_memory_learn(handle, NULL);
    }
    st_uses_init(&uses);
    if (st_own_access_wants(checked->facts.form)) {
        st_uses_of(&uses, &checked->facts);
    }
    bool locked = st_lock();
    st_onesided_forget_quick();
    st_owner_listen();
    if (uses.count) {
        st_own_access_begin(checked, &uses);
    }
    struct st_win_memory *window = handle ? st_win_memory_of(handle) : NULL;
    if (window) {
        checked->window_id = window->id;
        if (is_sound(&checked->facts)) {
            begin_sync(checked, window);
        } else if (checked->facts.form->there < 0) { /* its later epochs are not known */
            window->is_compared = false;
        }
    }
    if (checked->facts.form->collective >= 0) {
        enter_collective(checked);
    }
    if (checked->facts.form->there < 0) {
        st_owner_compare();
    }
    st_unlock(locked);
    st_uses_deinit(&uses);
}

static bool tells_pairs;

static void tell_wrong(void)
{
    struct st_wrong_access access;
    for (;;) {
        bool locked = st_lock();
        const bool is_there = st_owner_next_wrong(&access);
        st_unlock(locked);
        if (!is_there) {
            return;
        }
        if (tells_pairs) {
            st_wrong_access_tell(&access);
        }
    }
}

static void tell_pairs(void)
{
    struct st_race_pair pair;
    tell_wrong();
    for (;;) {
        bool locked = st_lock();
        const bool is_there = st_owner_next(&pair);
        st_unlock(locked);
        if (!is_there) {
            return;
        }
        if (tells_pairs) {
            st_race_tell(&pair);
        }
    }
}

/* Keeps the request that MPI_Rget or a similar call has made. */
static void end_request(const struct st_checked *checked, const struct st_win_memory *window)
{
    const struct st_facts *facts = &checked->facts;
    const int parameter = st_parameter_of(facts->form, ST_ROLE_NEW_REQUEST);
    if (parameter < 0 || !checked->access || !(st_access_kind_of(facts) & ST_ACCESS_READS)) {
        return;
    }
    const struct st_record *record = st_records_find(
        ST_KIND_REQUEST, st_handle_at(facts, parameter, 0), facts->values[parameter]);
    if (record) {
        keep_request(record->serial, checked->access, window->id);
    } else {
        st_access_end_one(facts, checked->access);
    }
}

static void end_window(struct st_checked *checked, struct st_win_memory *window)
{
    end_sync(checked, window);
    if (checked->facts.form->sync == ST_SYNC_REQUEST) {
        end_request(checked, window);
    }
}

static int64_t root_of(const struct st_facts *facts)
{
    return facts->form->root < 0 ? -1 : (int64_t)facts->values[facts->form->root];
}

static void end_call(struct st_checked *checked, bool succeeded)
{
    const struct st_form *form = checked->facts.form;
    struct st_win_memory *window = st_win_memory_named(checked->window_id);
    st_own_access_end(checked, succeeded);
    if (!succeeded && checked->access) {
        st_access_take_back(checked->access);
    }
    if (window && succeeded && is_sound(&checked->facts) && form->sync != ST_SYNC_FREE) {
        end_window(checked, window);
    }
    if (form->collective >= 0 && form->sync != ST_SYNC_FENCE && !st_order_is_later(form)) {
        leave_collective(form, checked->entered, checked->entered_serial, checked->entered_number,
                         root_of(&checked->facts));
    }
    const unsigned order = known_order(form);
    if (order & LEARNS) {
        st_clocks_join_all();
    }
    if (order & SYNCHRONOUS && succeeded) {
        st_synchronous_send_end(&checked->facts);
    }
    st_owner_listen();
    st_owner_compare();
    if (window && succeeded && form->sync == ST_SYNC_FREE) {
        st_owner_drops(window);
    }
}

void st_onesided_after(struct st_checked *checked, bool succeeded)
{
    const struct st_form *form = checked->facts.form;
    const bool is_plain = form->sync == ST_SYNC_ACCESS && succeeded && !checked->own_access;
    if (is_off() || is_plain) { /* such a call gives no knowledge of others */
        return;
    }
    /* Before this rank listens: others may access it already. */
    if (succeeded && st_order_makes_window(form)) {
        st_win_memory_learn(st_handle_at(&checked->facts, st_parameter_of(form, ST_ROLE_GIVES), 0),
                            &checked->facts);
    }
    if (succeeded && strcmp(form->name, "MPI_Win_set_info") == 0) {
        st_win_memory_ask_info(checked->facts.values[form->win]);
    }
    bool locked = st_lock();
    end_call(checked, succeeded);
    st_unlock(locked);
    tell_pairs();
}

/* --- requests -------------------------------------------------------------------------------- */

static void complete_access(const struct st_facts *facts, const struct st_record *record)
{
    struct st_access_request *request = &requests[record->serial & ((1u << LOG2_REQUESTS) - 1)];
    if (request->serial != record->serial || !request->number) {
        return;
    }
    struct st_win_memory *window = st_win_memory_named(request->window);
    st_access_end_one(facts, request->number);
    *request = (struct st_access_request){0};
    if (!window) {
        return;
    }
    join_released(window, true);
    join_updates(window);
}

/* For messages, their own checks determine the order. */
struct st_record *st_onesided_completed(struct st_facts *facts, int parameter, int64_t member,
                                        struct st_record *record, bool *locked)
{
    (void)parameter, (void)member, (void)locked;
    if (is_off()) {
        return record;
    }
    st_own_access_completed(record->serial);
    if (record->kind != ST_KIND_REQUEST || record->function >= st_form_count) {
        return record;
    }
    const struct st_form *form = st_form_table[record->function];
    if (form->there >= 0) {
        complete_access(facts, record);
    } else if (form->collective >= 0 && record->order && !record->starts) {
        const struct st_comm *comm = st_comm_of_handle(record->comm);
        leave_collective(form, comm, comm ? comm->serial : 0, record->order, record->peer);
    } else if (!st_order_is_message(form) && !st_synchronous_send_completed(record)) {
        st_clocks_join_all();
    }
    return record;
}

/* --- the run --------------------------------------------------------------------------------- */

bool st_onesided_begin(bool tells)
{
    tells_pairs = tells;
    return st_owner_begin() && st_clocks_begin();
}

void st_onesided_end(void)
{
    atomic_store(&st_clocks_on, false);
    if (!tells_pairs) {
        atomic_store(&st_access_uncompared, 0);
    }
}
