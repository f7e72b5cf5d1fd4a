/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, groups, operations, windows, files, infos, error handlers and keyvals: which are
 * alive, what is known of them, and which are never freed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "runtime/objects/alive.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/world_name.h"
#include "runtime/check/fatal.h"
#include "runtime/report/finding.h"
#include "runtime/objects/graves.h"
#include "runtime/check/quick.h"
#include "runtime/objects/comm_ids.h"
#include "runtime/objects/comms.h"
#include "runtime/record/change.h"
#include "runtime/objects/operations.h"
#include "runtime/record/lock.h"
#include "runtime/record/publish.h"
#include "runtime/report/frames.h"
#include "runtime/record/sites.h"

static bool is_predefined(enum st_kind kind, uint64_t handle)
{
    if (kind == ST_KIND_KEYVAL) {
        return st_is_null_handle(kind, handle);
    }
    return !handle || st_constant_name(kind, handle) != NULL;
}

static void add_predefined(uint64_t handle)
{
    struct st_comm_facts facts;
    bool locked = st_operations_lock();
    bool is_new = !st_records_find(ST_KIND_COMM, handle, 0);
    if (is_new) {
        st_handles_add(&(struct st_record){.kind = ST_KIND_COMM,
                                           .handle = handle,
                                           .site = ST_NO_SITE,
                                           .other_site = ST_NO_SITE,
                                           .function = ST_NO_FUNCTION});
    }
    st_operations_unlock(locked);
    if (!is_new || !st_comm_facts(handle, &facts)) {
        return;
    }
    locked = st_operations_lock();
    const struct st_record *record = st_records_find(ST_KIND_COMM, handle, 0);
    if (record && st_comms_of(record)) {
        st_comm_ids_predefined(st_comms_of(record));
    }
    st_operations_unlock(locked);
}

static void name_world(void)
{
    uint64_t name = st_world_name();
    bool locked = st_change_begin();
    st_root.world = name;
    st_change_end(locked);
}

void st_handles_begin(bool world)
{
    if (!world) {
        return;
    }
    if (!st_root.world) {
        name_world();
    }
    add_predefined(st_numbers.comm_world);
    add_predefined(st_numbers.comm_self);
}

static bool known_facts(uint64_t handle, struct st_comm_facts *facts, bool *exists)
{
    bool locked = st_lock();
    const struct st_record *record = st_records_find(ST_KIND_COMM, handle, 0);
    bool has = record && st_comms_facts(st_comms_of(record), facts);
    *exists = record != NULL;
    st_unlock(locked);
    return has;
}

static bool was_made_as_graph(uint64_t handle)
{
    bool locked = st_lock();
    const struct st_record *record = st_records_find(ST_KIND_COMM, handle, 0);
    const uint16_t function = record ? record->function : ST_NO_FUNCTION;
    st_unlock(locked);
    return function != ST_NO_FUNCTION && strstr(st_form_table[function]->name, "raph_create");
}

/* Asks MPI for the dimensions of a Cartesian communicator. Returns how many there are; 0 for another one. Open MPI
 * 5.0 says that a graph made of a Cartesian communicator by MPI_Dist_graph_create_adjacent is Cartesian, too, and
 * crashes when it is asked for the dimensions. */
static size_t ask_grid(uint64_t handle, struct st_dimension *grid)
{
    int sides[ST_MOST_DIMENSIONS], periods[ST_MOST_DIMENSIONS], here[ST_MOST_DIMENSIONS];
    if (was_made_as_graph(handle) || st_ask_topology(handle) != ST_CARTESIAN) {
        return 0;
    }
    const int64_t count = st_ask_grid(handle, sides, periods, here);
    for (int64_t i = 0; i < count; i++) {
        grid[i] = (struct st_dimension){sides[i], periods[i] != 0, here[i]};
    }
    return count > 0 ? (size_t)count : 0;
}

/* Stores the facts that MPI has given about a communicator, and asks for its processes. */
static void keep_facts(uint64_t handle, const struct st_comm_facts *facts)
{
    struct st_dimension grid[ST_MOST_DIMENSIONS];
    const size_t dimensions = facts->inter ? 0 : ask_grid(handle, grid);
    struct st_comm_members group, remote = {.list = NULL};
    st_members_ask(handle, false, &group);
    if (facts->inter) {
        st_members_ask(handle, true, &remote);
    }
    bool locked = st_operations_lock();
    struct st_record *record = st_records_find(ST_KIND_COMM, handle, 0);
    struct st_comm *comm = record ? st_comms_of(record) : NULL;
    if (comm) {
        st_comms_learn_grid(comm, grid, dimensions);
        st_comms_learn(comm, facts, &group, &remote);
    }
    st_operations_unlock(locked);
    st_members_free(&group);
    st_members_free(&remote);
}

bool st_comm_facts(uint64_t comm, struct st_comm_facts *facts)
{
    bool exists;
    uint32_t epoch = atomic_load(&st_quick_epoch);
    if (!known_facts(comm, facts, &exists)) {
        if (!exists || !st_ask_comm(comm, facts)) {
            return false;
        }
        keep_facts(comm, facts);
    }
    st_quick_last = (struct st_quick_comm){.comm = comm,
                                           .epoch = epoch,
                                           .size = facts->size,
                                           .rank = facts->rank,
                                           .inter = facts->inter};
    return true;
}

bool st_win_facts(uint64_t win, struct st_comm_facts *facts)
{
    bool locked = st_lock();
    const struct st_record *record = st_records_find(ST_KIND_WIN, win, 0);
    bool has = record && st_comms_facts(st_comms_of(record), facts);
    st_unlock(locked);
    return has;
}

/* --- created and freed --------------------------------------------------------------------- */

static uint64_t handle_at(const struct st_facts *facts, int number)
{
    return facts->values[number] ? st_handle_at(facts, number, 0) : 0;
}

bool st_check_win(struct st_facts *facts)
{
    int number = facts->form->win;
    uint64_t win = facts->values[number];
    return !st_find_nothing(facts, number, win, ST_PASSES) &&
           !st_find_dead(facts, number, win, ST_PASSES);
}

static void find_predefined(struct st_facts *facts, int number, enum st_check check,
                            const char *name, const char *advice)
{
    char message[120];
    snprintf(message, sizeof message, "frees %s", name);
    st_find(facts, &(struct st_found){
                       .check = check, .parameter = number, .message = message, .advice = advice});
}

/* Returns true if the handle is predefined and must not be freed. Predefined groups and error
 * handlers may be, because MPI returns them from functions, too. */
static bool is_predefined_taken(struct st_facts *facts, int number, enum st_kind kind,
                                uint64_t handle)
{
    const char *name = st_constant_name(kind, handle);
    if (name && kind == ST_KIND_COMM) {
        find_predefined(facts, number, ST_ARGUMENT_COMM, name,
                        "it is MPI's own; free what the program has made, by MPI_Comm_dup and its "
                        "like");
    } else if (name && kind == ST_KIND_OP) {
        find_predefined(facts, number, ST_HANDLE_PREDEFINED_FREED, name,
                        "it is MPI's own; free what MPI_Op_create has made");
    }
    return name && (kind == ST_KIND_COMM || kind == ST_KIND_OP);
}

static void check_taken(struct st_checked *checked, int number)
{
    struct st_facts *facts = &checked->facts;
    enum st_kind kind = facts->form->parameters[number].kind;
    uint64_t handle = handle_at(facts, number);
    if (!facts->values[number] || kind == ST_KIND_TYPE) {
        return;
    }
    if (st_find_nothing(facts, number, handle, ST_FREES) ||
        is_predefined_taken(facts, number, kind, handle)) {
        return;
    }
    st_find_dead(facts, number, handle, ST_FREES);
    bool locked = st_lock();
    checked->taken = st_records_name(st_records_find(kind, handle, 0));
    checked->taken_handle = handle;
    st_unlock(locked);
    if (kind == ST_KIND_COMM) {
        atomic_fetch_add(&st_quick_epoch, 1);
    }
}

static void check_passed(struct st_facts *facts, int number, bool may_be_null)
{
    uint64_t handle = facts->values[number];
    if (may_be_null && handle == st_numbers.null[facts->form->parameters[number].kind]) {
        return;
    }
    if (!st_find_nothing(facts, number, handle, ST_PASSES) &&
        !st_find_dead(facts, number, handle, ST_PASSES)) {
        st_find_other_owner(facts, number, handle);
    }
}

/* An attribute that is set, or was, may keep the keyval alive after it is freed. */
static void check_keyval(struct st_facts *facts, int number)
{
    if (st_find_keyval(facts, number)) {
        return;
    }
    bool locked = st_operations_lock();
    struct st_record *record = st_records_find(ST_KIND_KEYVAL, (uint32_t)facts->values[number], 0);
    if (record) {
        st_records_mark(record, ST_RECORD_ATTACHED, 0);
    }
    st_operations_unlock(locked);
}

void st_check_handles(struct st_checked *checked)
{
    const struct st_form *form = checked->facts.form;
    for (int i = 0; i < form->parameter_count; i++) {
        switch (form->parameters[i].role) {
        case ST_ROLE_TAKES:
            check_taken(checked, i);
            break;
        case ST_ROLE_HANDLE:
        case ST_ROLE_SUBGROUP:
        case ST_ROLE_FILE:
            check_passed(&checked->facts, i, false);
            break;
        case ST_ROLE_KEYVAL:
            check_keyval(&checked->facts, i);
            break;
        case ST_ROLE_OPTIONAL:
            check_passed(&checked->facts, i, true);
            break;
        case ST_ROLE_LATER: { /* It may get the number of a freed one. */
            bool locked = st_lock();
            st_graves_forget(form->parameters[i].kind);
            st_unlock(locked);
            break;
        }
        default:
            break;
        }
    }
}

/* mpi4py makes a keyval when it first needs one, and leaves it to MPI_Finalize. */
static bool is_of_python(enum st_kind kind, uint32_t site)
{
    uint64_t frames[ST_SITE_FRAMES] = {0};
    if (kind != ST_KIND_KEYVAL) {
        return false;
    }
    st_site_read(site, frames);
    return (frames[0] & ST_SITE_TEXT) != 0;
}

/* Stores the memory of a window, as the arguments of the call that has made it say. MPI's attributes
 * do not always: MPICH 4.0.2 gives another base of MPI_Win_allocate than the program got. */
static void learn_space(const struct st_facts *facts, struct st_comm *window)
{
    const int bytes = st_parameter_of(facts->form, ST_ROLE_BYTES);
    const int unit = st_parameter_of(facts->form, ST_ROLE_UNIT);
    const int given = st_parameter_of(facts->form, ST_ROLE_ROOM);
    const int got = st_parameter_of(facts->form, ST_ROLE_MEMORY);
    if (bytes < 0 || unit < 0 || (given < 0 && (got < 0 || !facts->values[got]))) {
        return;
    }
    st_comms_learn_space(window,
                         &(struct st_win_space){
                             .base = given >= 0 ? facts->values[given]
                                                : *(const uint64_t *)st_pointer(facts->values[got]),
                             .bytes = facts->values[bytes],
                             .unit = (uint32_t)facts->values[unit]});
}

static void identify_handle(const struct st_facts *facts, enum st_kind kind, uint64_t handle)
{
    bool locked = st_operations_lock();
    const struct st_record *record = st_records_find(kind, handle, 0);
    struct st_comm *comm = record ? st_comms_of(record) : NULL;
    if (comm && kind == ST_KIND_COMM) {
        st_comm_ids_made(facts, comm);
    } else if (comm) {
        st_comm_ids_place(facts, comm);
    }
    if (comm && kind == ST_KIND_WIN) {
        learn_space(facts, comm);
    }
    st_operations_unlock(locked);
}

/* The program has registered a function that MPI may call. */
static void note_callback(enum st_kind kind)
{
    uint32_t callback = kind == ST_KIND_OP       ? ST_CALLBACK_OP
                        : kind == ST_KIND_KEYVAL ? ST_CALLBACK_KEYVAL
                                                 : 0;
    if (callback & ~st_operations.callbacks) {
        st_publish32(&st_operations.callbacks, st_operations.callbacks | callback);
    }
}

/* Adds the other groups of all intercommunicators: parents and children. Groups that meet at a port name no common
 * communicator. Returns the new count. */
static size_t list_known_others(struct st_known_group *groups, size_t count)
{
    const struct st_record *record;
    uint32_t number = 0;
    bool locked = st_lock();
    while (count < ST_MOST_KNOWN_GROUPS && (record = st_records_walk(&number))) {
        const struct st_comm *comm = record->kind == ST_KIND_COMM ? st_comms_of(record) : NULL;
        if (comm && comm->flags & ST_COMM_INTER) {
            count += st_comm_ids_list(comm, true, &groups[count]);
        }
    }
    st_unlock(locked);
    return count;
}

/* Lists the groups of the communicators that are arguments of a call, if their processes are known. */
static size_t list_known_groups(const struct st_facts *facts, struct st_known_group *groups)
{
    size_t count = 0;
    for (int i = 0; i < facts->form->parameter_count; i++) {
        const struct st_parameter *parameter = &facts->form->parameters[i];
        if (parameter->kind != ST_KIND_COMM || parameter->pointer) {
            continue;
        }
        bool locked = st_lock();
        const struct st_record *record = st_records_find(ST_KIND_COMM, facts->values[i], 0);
        const struct st_comm *comm = record ? st_comms_of(record) : NULL;
        for (int remote = 0; comm && remote < 2 && count < ST_MOST_KNOWN_GROUPS; remote++) {
            count += st_comm_ids_list(comm, remote, &groups[count]);
        }
        st_unlock(locked);
    }
    if (facts->form->identity == ST_IDENTITY_MET) {
        count = list_known_others(groups, count);
    }
    return count;
}

/* A new communicator with processes of other worlds: they are among those of the communicators that
 * it was made of. */
static void find_foreign_members(const struct st_facts *facts, uint64_t handle)
{
    struct st_known_group groups[ST_MOST_KNOWN_GROUPS];
    bool locked = st_lock();
    const struct st_record *record = st_records_find(ST_KIND_COMM, handle, 0);
    const struct st_comm *comm = record ? st_comms_of(record) : NULL;
    const bool is_known = comm && comm->flags & ST_COMM_KNOWN;
    const bool has_remote = is_known && comm->flags & ST_COMM_INTER;
    const bool is_foreign = is_known && comm->group.form == ST_GROUP_UNKNOWN;
    const bool is_remote_foreign = has_remote && comm->remote.form == ST_GROUP_UNKNOWN;
    st_unlock(locked);
    if (!is_foreign && !is_remote_foreign) {
        return;
    }
    const size_t count = list_known_groups(facts, groups);
    struct st_comm_members group = {.list = NULL}, remote = {.list = NULL};
    if (is_foreign) {
        st_members_ask_among(handle, false, groups, count, &group);
    }
    if (is_remote_foreign) {
        st_members_ask_among(handle, true, groups, count, &remote);
    }
    locked = st_operations_lock();
    record = st_records_find(ST_KIND_COMM, handle, 0);
    struct st_comm *learning = record ? st_comms_of(record) : NULL;
    if (learning) {
        st_comms_learn_group(learning, &group);
        st_comms_learn_remote(learning, &remote);
    }
    st_operations_unlock(locked);
    st_members_free(&group);
    st_members_free(&remote);
    for (size_t i = 0; i < count; i++) {
        st_unmap(groups[i].gpids, (size_t)groups[i].size * sizeof *groups[i].gpids);
    }
}

/* Returns the function that the program has given to MPI_Op_create; 0 for a handle of another kind. */
static uint64_t function_of(const struct st_facts *facts, enum st_kind kind)
{
    const int number = kind == ST_KIND_OP ? st_parameter_of(facts->form, ST_ROLE_MUST) : -1;
    return number < 0 ? 0 : facts->values[number];
}

/* Returns true if the call returns an error handler whose creation was not seen, such as one of Open
 * MPI's bindings for C++. It is not known how often the program may free it. */
static bool is_made_unseen(const struct st_facts *facts, enum st_kind kind, uint64_t handle)
{
    if (kind != ST_KIND_ERRHANDLER || st_parameter_of(facts->form, ST_ROLE_MUST) >= 0) {
        return false;
    }
    const struct st_record *record = st_records_find(kind, handle, 0);
    struct st_grave grave;
    return record ? record->flags & ST_RECORD_SHOWN : !st_graves_find(kind, handle, &grave);
}

static void take_given(const struct st_facts *facts, int number)
{
    enum st_kind kind = facts->form->parameters[number].kind;
    uint64_t handle = handle_at(facts, number);
    if (kind == ST_KIND_TYPE || is_predefined(kind, handle)) {
        return;
    }
    uint32_t site = st_site_number(facts->call);
    bool is_anyone_s = facts->form->parameters[number].role == ST_ROLE_SHOWS;
    bool shown = is_anyone_s || is_of_python(kind, site);
    bool locked = st_operations_lock();
    note_callback(kind);
    shown |= is_made_unseen(facts, kind, handle);
    /* MPI_Comm_get_parent returns the same one each time */
    if (!is_anyone_s || !st_records_find(kind, handle, 0)) {
        st_handles_add(&(struct st_record){.kind = (uint8_t)kind,
                                           .handle = handle,
                                           .variable = function_of(facts, kind),
                                           .site = site,
                                           .other_site = ST_NO_SITE,
                                           .function = facts->form->number,
                                           .flags = shown ? ST_RECORD_SHOWN : 0});
    }
    st_operations_unlock(locked);
    struct st_comm_facts known;
    bool later = facts->form->parameters[number].role == ST_ROLE_LATER;
    if (kind == ST_KIND_COMM && !later) {
        st_comm_facts(handle, &known); /* for a debugger, before the program uses it */
        find_foreign_members(facts, handle);
    }
    if (kind == ST_KIND_COMM && facts->form->identity != ST_IDENTITY_NONE) {
        identify_handle(facts, kind, handle);
    }
    if ((kind == ST_KIND_WIN || kind == ST_KIND_FILE) && facts->form->collective >= 0) {
        identify_handle(facts, kind, handle);
    }
    if ((kind == ST_KIND_COMM || kind == ST_KIND_WIN || kind == ST_KIND_FILE) && !later) {
        st_fatal_adopt(kind, handle);
    }
}

/* MPI_Comm_set_name: MPI truncates a long name. */
static void take_name(const struct st_facts *facts, int number)
{
    const char *name = (const char *)(uintptr_t)facts->values[number];
    size_t bytes = name ? strnlen(name, st_numbers.most_name) : 0;
    bool locked = st_operations_lock();
    struct st_record *record =
        st_records_find(facts->form->parameters[number - 1].kind, facts->values[number - 1], 0);
    struct st_comm *comm = record ? st_comms_of(record) : NULL;
    if (comm) {
        st_comms_call(comm, name, bytes);
    }
    st_operations_unlock(locked);
}

static void give_back(struct st_checked *checked, int number, bool succeeded)
{
    enum st_kind kind = checked->facts.form->parameters[number].kind;
    if (kind == ST_KIND_TYPE || !succeeded) {
        return;
    }
    uint32_t site = st_site_number(checked->facts.call);
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(checked->taken);
    if (record && record->function != ST_NO_FUNCTION) {
        const struct st_record gone = *record;
        st_handles_remove(record);
        const bool may_remain = kind == ST_KIND_ERRHANDLER && gone.flags & ST_RECORD_SHOWN;
        if (!may_remain && !st_records_find(kind, gone.handle, 0)) {
            st_graves_bury(&gone, checked->facts.form->number, site);
        }
    }
    st_operations_unlock(locked);
    if (kind == ST_KIND_COMM) {
        atomic_fetch_add(&st_quick_epoch, 1);
    }
}

void st_check_handles_after(struct st_checked *checked, bool succeeded)
{
    const struct st_form *form = checked->facts.form;
    for (int i = 0; i < form->parameter_count; i++) {
        enum st_role role = form->parameters[i].role;
        if (role == ST_ROLE_TAKES) {
            give_back(checked, i, succeeded);
        } else if ((role == ST_ROLE_GIVES || role == ST_ROLE_SHOWS || role == ST_ROLE_LATER) &&
                   succeeded) { /* MPI_Comm_idup: the handle is valid, its communicator not yet
                               usable */
            take_given(&checked->facts, i);
        } else if (role == ST_ROLE_NAMES && succeeded) {
            take_name(&checked->facts, i);
        }
    }
}

static bool may_be_late(const struct st_record *record)
{
    return record->kind == ST_KIND_INFO || record->kind == ST_KIND_ERRHANDLER;
}

static bool is_leak(const struct st_record *record)
{
    return record->kind != ST_KIND_REQUEST && record->kind != ST_KIND_OPERATION &&
           record->function != ST_NO_FUNCTION && !(record->flags & ST_RECORD_SHOWN);
}

static void find_leaks(bool late)
{
    uint32_t number = 0;
    struct st_record copy;
    while (st_records_next(&number, &copy)) {
        if (!is_leak(&copy) || may_be_late(&copy) != late) {
            continue;
        }
        char message[120], advice[120];
        const bool is_message = copy.kind == ST_KIND_MESSAGE;
        snprintf(message, sizeof message, "never %s %s that it got",
                 is_message ? "receives" : "frees", st_kind_words(copy.kind)->one);
        snprintf(advice, sizeof advice,
                 is_message ? "receive it by MPI_Mrecv or MPI_Imrecv: no other call can"
                            : "call %s when it is no longer needed",
                 st_kind_words(copy.kind)->freed_by);
        st_find_at(
            &(struct st_found){
                .check = ST_HANDLE_LEAK, .parameter = -1, .message = message, .advice = advice},
            st_form_table[copy.function]->name, copy.site, 1);
    }
}

void st_check_handles_at_end(void)
{
    find_leaks(false);
}

void st_check_handles_late(void)
{
    find_leaks(true);
}

bool st_check_handles_are_late(void)
{
    uint32_t number = 0;
    struct st_record copy;
    while (st_records_next(&number, &copy)) {
        if (is_leak(&copy) && may_be_late(&copy)) {
            return true;
        }
    }
    return false;
}

void st_check_frees_late(enum st_kind kind, uint64_t handle)
{
    if (!atomic_load(&st_check_late)) {
        return;
    }
    bool locked = st_operations_lock();
    struct st_record *record = st_records_find(kind, handle, 0);
    if (record) {
        st_handles_remove(record);
    }
    st_operations_unlock(locked);
}
