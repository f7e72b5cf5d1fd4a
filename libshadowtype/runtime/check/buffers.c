/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of a call: compared with those of pending operations; then pending themselves. */
#include "runtime/check/check_groups.h"
#include "runtime/check/checks.h"
#include "runtime/check/epoch_operations.h"
#include "runtime/check/gone.h"
#include "runtime/wrap/constants.h"
#include "runtime/objects/collectives.h"
#include "runtime/objects/operations.h"
#include "runtime/report/frames.h"
#include "runtime/check/local/size.h"
#include "runtime/objects/memory.h"
#include "runtime/objects/pending_seals.h"
#include "runtime/objects/seals.h"
#include "runtime/objects/window_requests.h"
#include "runtime/record/lock.h"
#include "runtime/record/sites.h"

/* More findings in one call give no new information. */
enum { MOST_MEETINGS = 4 };

static bool has_threads(void)
{
    return atomic_load_explicit(&st_lock_armed, memory_order_relaxed);
}

/* --- calls that were left by longjmp() or an exception ------------------------------------------ */

/* This thread's calls that have a RUNNING record, the outermost one first. */
enum { MOST_RUNNING = 4 };
static _Thread_local struct {
    const void *sp;
    struct st_record_name name;
} running[MOST_RUNNING] __attribute__((tls_model("initial-exec")));
static _Thread_local int running_count __attribute__((tls_model("initial-exec")));

static atomic_bool may_be_left;

void st_buffers_may_be_left(void)
{
    atomic_store_explicit(&may_be_left, true, memory_order_relaxed);
}

void st_buffers_left(const void *sp)
{
    if (__builtin_expect(!running_count, 1)) {
        return;
    }
    bool locked = st_operations_lock();
    while (running_count && running[running_count - 1].sp <= sp) {
        struct st_record *record = st_records_named(running[--running_count].name);
        if (record && record->flags & ST_RECORD_RUNNING) {
            st_pending_remove(record);
        }
    }
    st_operations_unlock(locked);
}

static void push_running(const void *sp, struct st_record_name name)
{
    if (name.number != ST_NO_RECORD && running_count < MOST_RUNNING) {
        running[running_count].sp = sp;
        running[running_count++].name = name;
    }
}

/* Called when the call returns. */
static void pop_running(struct st_record_name name)
{
    if (running_count && running[running_count - 1].name.serial == name.serial) {
        running_count--;
    }
}

/* The record of a call of another thread, if that call may have been left. */
static bool is_doubtful(const struct st_record *record)
{
    return record->flags & ST_RECORD_RUNNING &&
           (record->thread == st_operations_thread() ||
            atomic_load_explicit(&may_be_left, memory_order_relaxed));
}

/* --- before the call: which buffers overlap ---------------------------------------------- */

struct st_met {
    struct st_meeting meeting;
    struct st_record_buffer own;
    int parameter;
};

/* Finds the pending buffers that the call's buffers overlap, at most one for each parameter.
 * Returns how many. The caller holds the lock. */
static int find_meetings(const struct st_uses *uses, struct st_met met[MOST_MEETINGS])
{
    int count = 0;
    for (size_t i = 0; i < uses->count && count < MOST_MEETINGS; i++) {
        const struct st_use *use = &uses->list[i];
        if (!use->active || (count && met[count - 1].parameter == use->part->buffer) ||
            !st_pending_meets(&use->buffer, use->access, NULL, &met[count].meeting) ||
            is_doubtful(&met[count].meeting.record)) {
            continue;
        }
        met[count].parameter = use->part->buffer;
        met[count++].own = (struct st_record_buffer){
            .address = use->address, .count = use->count, .type = use->node, .access = use->access};
    }
    return count;
}

/* The call writes this memory: the seals of pending sends there are dropped. */
static void spoil_seals(const struct st_uses *uses)
{
    for (size_t i = 0; st_seals_on && i < uses->count; i++) {
        if (uses->list[i].active && uses->list[i].access == ST_WRITE) {
            st_pending_spoil(&uses->list[i].buffer);
        }
    }
}

/* --- records ------------------------------------------------------------------------------- */

/* Returns the call's window or file; 0 if it has none. */
static uint64_t memory_handle(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    int number = form->win >= 0 ? form->win : form->file;
    return number >= 0 ? facts->values[number] : 0;
}

/* Returns the place of a collective call that has begun in the order of the communicator; 0 if not
 * known. */
static uint32_t order_of(const struct st_form *form, const struct st_record *record)
{
    return form->collective >= 0 ? st_collective_order(record->comm) : 0;
}

/* Returns the record of the call's operation, without buffers. */
static struct st_record describe_operation(const struct st_checked *checked)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_form *form = facts->form;
    struct st_record record = {
        .kind = form->lasts == ST_LASTS_REQUEST ? ST_KIND_REQUEST : ST_KIND_OPERATION,
        .comm = form->comm >= 0 ? facts->values[form->comm] : memory_handle(facts),
        .other_site = ST_NO_SITE,
        .thread = st_operations_thread(),
        .function = form->number,
    };
    st_uses_peer(facts, &record.peer, &record.tag);
    if (record.kind == ST_KIND_REQUEST) {
        record.order = order_of(form, &record);
    }
    if (record.kind == ST_KIND_OPERATION && form->lasts != ST_LASTS_CALL) {
        int target = form->target;
        record.handle = memory_handle(facts);
        record.variable = target >= 0 ? facts->values[target] : 0;
    }
    return record;
}

/* Adds the operation and its buffers. Returns NULL if there is no memory. The caller holds the lock. */
static struct st_record *add_operation(struct st_checked *checked, struct st_record *like,
                                       const struct st_site *site)
{
    like->site = st_site_intern(site->frames);
    st_pending_passed(checked->facts.call);
    like->buffers = st_pending_take(&checked->uses);
    struct st_record *record = st_records_add(like);
    if (!record) {
        st_pending_give(like->buffers);
    } else if (like->flags & ST_RECORD_ACTIVE) {
        st_pending_start(record);
    }
    return record;
}

static struct st_site site_of(const struct st_call *call)
{
    struct st_site site;
    st_site_of_call(call, &site);
    return site;
}

/* Adds the call itself as an operation while it runs: other threads may use its buffers. */
static void add_running(struct st_checked *checked, const struct st_site *site)
{
    struct st_record like = describe_operation(checked);
    like.flags = ST_RECORD_RUNNING | ST_RECORD_ACTIVE;
    checked->running = st_records_name(add_operation(checked, &like, site));
    push_running(checked->facts.call->sp, checked->running);
}

static bool makes_persistent(const struct st_form *form)
{
    return form->parameter_count &&
           form->parameters[form->parameter_count - 1].role == ST_ROLE_NEW_PERSISTENT;
}

void st_check_uses(struct st_checked *checked)
{
    struct st_facts *facts = &checked->facts;
    struct st_met met[MOST_MEETINGS];
    int count = 0;
    bool begins = !makes_persistent(facts->form);
    if (!begins || !checked->uses.count) {
        return;
    }
    if (has_threads()) {
        struct st_site site = site_of(facts->call);
        bool locked = st_operations_lock();
        count = find_meetings(&checked->uses, met);
        add_running(checked, &site);
        st_operations_unlock(locked);
        if (facts->form->lasts == ST_LASTS_REQUEST) {
            st_pending_seal(checked->running);
        }
    } else if (atomic_load_explicit(&st_pending_active, memory_order_relaxed)) {
        count = find_meetings(&checked->uses, met);
        spoil_seals(&checked->uses);
    }
    for (int i = 0; i < count; i++) {
        st_find_overlap(facts, met[i].parameter, &met[i].meeting, &met[i].own);
    }
}

void st_check_buffers(struct st_checked *checked)
{
    const struct st_form *form = checked->facts.form;
    if (form->ends >= 0 && checked->facts.values[form->ends]) {
        checked->ended = form->parameters[form->ends].pointer
                             ? st_handle_at(&checked->facts, form->ends, 0)
                             : checked->facts.values[form->ends];
    } else {
        checked->ended = 0;
    }
    st_check_gone_ended(checked);
    bool alias = st_may_alias(form);
    bool meets = form->lasts != ST_LASTS_CALL || has_threads() ||
                 atomic_load_explicit(&st_pending_active, memory_order_relaxed);
    if (!(alias || meets) || !st_form_has_buffers(form)) {
        return;
    }
    st_uses_of(&checked->uses, &checked->facts);
    if (alias && checked->uses.count) {
        st_check_alias(&checked->facts, &checked->uses);
    }
    if (st_size_on) {
        st_check_size(&checked->facts, &checked->uses);
    }
    st_check_uses(checked);
}

/* Finds the first of a record's buffers `low`..`high` that MPI begins to use now and that overlaps
 * another. */
static bool meets_any(const struct st_record *record, int64_t low, int64_t high, bool partitions,
                      struct st_meeting *meeting, struct st_record_buffer *own)
{
    uint32_t link = record->buffers;
    for (int64_t i = 0; link && i <= high; i++, link = own->next) {
        const struct st_record_buffer *buffer;
        const struct st_buffer *bytes = st_pending_buffer(link - 1, &buffer);
        *own = *buffer;
        if (i >= low && (partitions || st_pending_starts(link - 1)) &&
            st_pending_meets(bytes, buffer->access, record, meeting)) {
            return true;
        }
    }
    return false;
}

void st_check_start(struct st_facts *facts, int number, struct st_record_name name)
{
    struct st_meeting meeting;
    struct st_record_buffer own;
    bool found = false;
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(name);
    if (record) {
        found = meets_any(record, 0, INT64_MAX, false, &meeting, &own);
        st_pending_start(record);
    }
    st_operations_unlock(locked);
    st_pending_seal(name);
    if (found) {
        st_find_overlap(facts, number, &meeting, &own);
    }
}

void st_check_partitions(struct st_facts *facts, int number, struct st_record_name name,
                         int64_t low, int64_t high)
{
    struct st_meeting meeting;
    struct st_record_buffer own;
    bool found = false;
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(name);
    if (record && record->flags & ST_RECORD_ACTIVE && !st_pending_writes(record)) {
        found = meets_any(record, low, high, true, &meeting, &own);
        st_pending_partitions(record, low, high, true);
    }
    st_operations_unlock(locked);
    st_pending_seal(name);
    if (found) {
        st_find_overlap(facts, number, &meeting, &own);
    }
}

/* --- after --------------------------------------------------------------------------------- */

static bool is_known(const struct st_checked *checked, const struct st_record *like)
{
    const struct st_use *use = &checked->uses.list[0];
    return checked->uses.count == 1 &&
           st_epoch_has_same(like->handle, like->variable, like->function, like->site,
                             &(struct st_record_buffer){.address = use->address,
                                                        .count = use->count,
                                                        .type = use->node,
                                                        .access = use->access});
}

/* Records a one-sided operation, or split I/O, that has begun. Returns the name of its record, if it has
 * one. The caller holds the lock. */
static struct st_record_name keep_operation(struct st_checked *checked, const struct st_site *site)
{
    struct st_record like = describe_operation(checked);
    like.flags = ST_RECORD_ACTIVE;
    like.site = st_site_intern(site->frames);
    bool epoch = checked->facts.form->lasts == ST_LASTS_EPOCH;
    if (!like.handle || (epoch && (!st_epoch_has_room() || is_known(checked, &like)))) {
        return st_records_name(NULL);
    }
    const struct st_record *record = add_operation(checked, &like, site);
    if (record && epoch) {
        st_epoch_begins_operation(record);
    }
    return st_records_name(record);
}

static bool is_one_sided(const struct st_record *record)
{
    return !(record->flags & ST_RECORD_RUNNING) && st_form_table[record->function]->win >= 0;
}

void st_operation_remove(struct st_record *record)
{
    if (is_one_sided(record) && record->kind == ST_KIND_REQUEST) {
        st_window_requests_drop();
    } else if (is_one_sided(record) && record->handle) {
        st_epoch_ends_operation();
    }
    st_pending_remove(record);
}

/* The last operations whose requests were freed. */
enum { RELEASED = 64 };
static struct st_record_name released[RELEASED];
static uint32_t next_released;

void st_operation_release(struct st_record *record)
{
    struct st_record like = *record;
    struct st_record *old = st_records_named(released[next_released]);
    st_pending_stop(record);
    st_records_remove(record);
    if (old) {
        st_pending_remove(old);
    }
    if (is_one_sided(&like)) {
        st_window_requests_drop();
    }
    like.kind = ST_KIND_OPERATION;
    like.handle = like.variable = 0;
    like.flags = ST_RECORD_ACTIVE | ST_RECORD_POSSIBLE;
    record = st_records_add(&like);
    if (!record) {
        st_pending_give(like.buffers);
    }
    released[next_released] = st_records_name(record);
    next_released = (next_released + 1) % RELEASED;
}

/* Ends the operations of a window or file.
 * target  only operations to this rank; -1 for all */
static void end_operations(struct st_checked *checked, int64_t target, bool *locked)
{
    struct st_facts *facts = &checked->facts;
    struct st_record *record;
    uint64_t place = checked->ended, variable = target < 0 ? 0 : (uint64_t)target;
    while ((record = st_records_find(ST_KIND_OPERATION, place, variable)) &&
           (target < 0 || record->variable == variable)) {
        if ((record = st_check_groups_completed(facts, facts->form->ends, -1, record, locked))) {
            st_operation_remove(record);
        }
    }
    size_t rest = st_window_requests_all();
    while ((record = st_window_requests_next(&rest, place))) {
        if ((target < 0 || record->peer == target) &&
            (record = st_check_groups_completed(facts, facts->form->ends, -1, record, locked))) {
            st_pending_stop(record);
        }
    }
}

static void stop_running(struct st_checked *checked)
{
    struct st_record *record = st_records_named(checked->running);
    if (record) {
        st_pending_remove(record);
    }
    pop_running(checked->running);
}

void st_check_buffers_after(struct st_checked *checked, bool succeeded)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_form *form = facts->form;
    bool keeps = succeeded && checked->uses.count &&
                 (form->lasts == ST_LASTS_EPOCH || form->lasts == ST_LASTS_SPLIT);
    if (keeps || checked->ended || checked->running.number != ST_NO_RECORD) {
        struct st_record_name kept = {.number = ST_NO_RECORD};
        struct st_site site;
        if (keeps) {
            site = site_of(facts->call);
        }
        bool locked = st_operations_lock();
        stop_running(checked);
        if (keeps) {
            kept = keep_operation(checked, &site);
        }
        if (checked->ended) {
            int target = form->target;
            end_operations(checked, target >= 0 ? (int64_t)facts->values[target] : -1, &locked);
        }
        st_operations_unlock(locked);
        st_pending_seal(kept);
    }
    st_uses_deinit(&checked->uses);
}

struct st_record_name st_buffers_of_request(struct st_checked *checked, uint64_t variable,
                                            uint64_t handle, bool persistent)
{
    const struct st_call *call = checked->facts.call;
    const uint8_t flags = persistent ? ST_RECORD_PERSISTENT : ST_RECORD_ACTIVE;
    uint64_t where = call->caller == ST_CALLER_USER ? variable : 0;
    struct st_site site = site_of(call);
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(checked->running);
    if (record) {
        pop_running(checked->running);
        st_records_settle(record, handle, where, flags);
        checked->running.number = ST_NO_RECORD;
    } else {
        struct st_record like = describe_operation(checked);
        like.handle = handle;
        like.variable = where;
        like.flags = flags;
        record = add_operation(checked, &like, &site);
    }
    if (record && checked->facts.form->win >= 0) {
        st_window_requests_add(record);
    }
    st_pending_supersede(record);
    struct st_record_name name = st_records_name(record);
    st_operations_unlock(locked);
    st_pending_seal(name);
    return name;
}
