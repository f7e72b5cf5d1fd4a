/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/collective.h"

#include <string.h>

#include "core/agree/rules.h"
#include "core/model/hash.h"
#include "runtime/objects/collectives.h"
#include "runtime/record/root.h"
#include "runtime/ranks/agreed.h"
#include "runtime/ranks/beyond.h"
#include "runtime/ranks/differs.h"
#include "runtime/ranks/edges.h"
#include "runtime/ranks/named_edges.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/paired.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/repeated.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/finalize.h"

atomic_bool st_collectives_on;

/* By number of the form. */
static struct st_compared_form {
    uint32_t rules;    /* enum st_rule */
    uint16_t function; /* plain_form() */
    bool is_named;     /* its name is in the area */
    bool blocks;       /* it may wait for the other ranks */
    bool joins;        /* st_collective_joins(), when it is called */
} *forms;

/* --- the functions ------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* Returns the form that is equivalent to a form: without _c, and without info. */
static uint16_t plain_form(uint16_t number)
{
    const char *name = st_form_table[number]->name;
    size_t length = strlen(name);
    if (ends_with(name, "_c")) {
        length -= strlen("_c");
    } else if (ends_with(name, "dup_with_info")) {
        length -= strlen("_with_info");
    }
    for (uint16_t i = number; i-- > 0;) { /* they are sorted by name */
        if (strlen(st_form_table[i]->name) == length &&
            strncmp(st_form_table[i]->name, name, length) == 0) {
            return i;
        }
    }
    return number;
}

/* MPI_Comm_free and MPI_Comm_set_info have no reason to wait, nor has one half of a split call. */
static bool is_blocking(const struct st_form *form)
{
    static const char *const others[] = {"_begin", "_end", "_begin_c", "_set_info", "_Comm_free"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (ends_with(form->name, others[i])) {
            return false;
        }
    }
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].kind == ST_KIND_REQUEST) {
            return false;
        }
    }
    return true;
}

static bool read_forms(void)
{
    forms = st_map(st_form_count * sizeof *forms);
    for (uint16_t i = 0; forms && i < st_form_count; i++) {
        if (st_form_table[i]->collective >= 0) {
            forms[i] = (struct st_compared_form){.rules = st_rules_of(st_form_table[i]->name),
                                                 .function = plain_form(i),
                                                 .blocks = is_blocking(st_form_table[i]),
                                                 .joins = is_blocking(st_form_table[i]) &&
                                                          st_collective_joins(st_form_table[i])};
        }
    }
    return forms;
}

void st_collectives_begin(void)
{
    if (atomic_load(&st_collectives_on) || forms || !read_forms()) {
        return;
    }
    st_agreed_begin();
    atomic_store(&st_collectives_on, true);
}

void st_collectives_forget(void)
{
    atomic_store(&st_collectives_on, false);
}

static void name_function(const struct st_form *form)
{
    st_node_name_function(form);
    forms[form->number].is_named = true;
}

/* --- counted -------------------------------------------------------------------------------- */

/* Inexact by a few, if threads call at the same time. */
static void count_one(_Atomic uint64_t *count)
{
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

void st_collective_counted(void)
{
    count_one(&st_collective_calls);
}

void st_collective_not_compared(void)
{
    count_one(&st_collective_calls);
    count_one(&st_collective_uncompared);
}

/* --- compared ------------------------------------------------------------------------------ */

struct st_compared_call {
    const struct st_differing *differing;
    uint64_t key;
    uint64_t digest; /* of differing.mine */
    struct st_meeting_point *meeting;
};

static void compare_with(struct st_compared_call *compared, const struct st_collective *other)
{
    const struct st_collective *mine = compared->differing->mine;
    enum st_agreement agreement = st_collective_compare(mine, other);
    if (agreement == ST_CALLS_AGREE) {
        return;
    }
    if (agreement == ST_DIFFERS_IN_CALL) {
        st_ended_add(st_ranks_node.ended, mine->comm);
    }
    if (st_meeting_tells(compared->meeting, compared->key)) {
        st_differs_tell(compared->differing, other);
    }
}

/* Compares with the call that a rank has written. Returns false if it has written none, or if it is
 * gone. */
static bool compare_with_rank(struct st_compared_call *compared, uint32_t rank)
{
    struct st_collective other;
    if (!st_node_find_call(rank, compared->key, compared->differing->mine, &other)) {
        return false;
    }
    compare_with(compared, &other);
    return true;
}

/* Returns false if no other rank has written one. Of two ranks that write theirs and look for the
 * other's, one finds it. */
static bool compare_with_all(struct st_compared_call *compared)
{
    bool found = false;
    atomic_thread_fence(memory_order_seq_cst);
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++) {
        if (i != st_ranks_node.rank) {
            found |= compare_with_rank(compared, i);
        }
    }
    return found;
}

/* Leaves the call for the agent of the node. */
static void tell_other_nodes(const struct st_compared_call *compared)
{
    if (__builtin_expect(st_ranks_node.firsts != NULL, 0)) {
        st_firsts_add(st_ranks_node.firsts, compared->differing->mine);
    }
}

/* Compares this rank's call, which has been written for the others. */
static void compare_call(struct st_compared_call *compared)
{
    const struct st_comer mine = {compared->digest, st_ranks_node.rank};
    uint32_t first;
    bool known = true;
    switch (st_meeting_arrive(compared->meeting, compared->key, &mine, &first)) {
    case ST_CAME_FIRST:
        tell_other_nodes(compared);
        break;
    case ST_CAME_ALIKE:
        break;
    case ST_CAME_OTHERWISE:
        known = compare_with_rank(compared, first) || compare_with_all(compared);
        break;
    case ST_CAME_TOO_LATE:
        tell_other_nodes(compared);
        known = compare_with_all(compared);
        break;
    }
    if (!known) {
        count_one(&st_collective_uncompared);
    }
}

static struct st_compared_call meet_ranks(const struct st_differing *differing, uint64_t digest)
{
    const struct st_collective *mine = differing->mine;
    if (__builtin_expect(!forms[mine->called].is_named, 0)) {
        name_function(differing->form);
    }
    struct st_compared_call compared = {
        .differing = differing,
        .key = st_collective_key(mine->comm, mine->number),
        .digest = digest,
        .meeting = st_node_meeting(mine),
    };
    /* It comes from another rank's cache while this one writes its call. */
    __builtin_prefetch(compared.meeting);
    st_node_leave_call(compared.key, mine);
    compare_call(&compared);
    return compared;
}

void st_collective_meet(const struct st_differing *differing)
{
    meet_ranks(differing, st_collective_digest(differing->mine));
}

/* Fills in the description of the call for the others. */
static void fill_call(const struct st_form *form, const struct st_comm *comm,
                      const uint64_t *values, uint32_t rules, struct st_collective *call)
{
    if (!(comm->flags & ST_COMM_KNOWN)) {
        call->flags = ST_COLLECTIVE_VAGUE;
        return;
    }
    if (comm->flags & ST_COMM_INTER) {
        rules = st_agreed_inter_rules(rules);
    }
    st_agreed_fill(form, comm, values, rules, call);
    if (call->flags & ST_COLLECTIVE_VAGUE) {
        return;
    }
    if ((rules & ST_RULE_PAIRS && !st_pairs_leave(form, comm, values, call)) ||
        (rules & ST_RULE_EDGES && !st_edges_leave(form, comm, values, call)) ||
        (rules & ST_RULE_NAMED_EDGES && !st_named_edges_leave(form, values, call))) {
        count_one(&st_collective_uncompared);
    }
}

/* A call that is about to be compared, without what the ranks must agree on. */
static struct st_collective new_call(const struct st_form *form, const struct st_comm *comm)
{
    return (struct st_collective){
        .comm = st_hash_word(comm->id, st_ranks_node.job),
        .number = __atomic_load_n(&comm->collectives, __ATOMIC_RELAXED),
        .rank = st_ranks_node.rank,
        .member = comm->rank,
        .function = forms[form->number].function,
        .called = form->number,
    };
}

static void note_begin(const struct st_form *form, const struct st_collective *mine)
{
    if (st_ranks_node.messages && forms[form->number].joins) {
        bool locked = st_lock();
        st_beyond_begin(mine->comm, mine->number);
        st_unlock(locked);
    }
}

/* Counts a call. Returns false if there is nobody to compare it with. */
static bool is_with_others(const struct st_comm *comm, const struct st_collective *mine)
{
    if (comm->group.size == 1 && !(comm->flags & ST_COMM_INTER)) {
        return false;
    }
    if (st_ended_has(st_ranks_node.ended, mine->comm)) {
        if (st_ended_is_full(st_ranks_node.ended)) {
            st_collective_not_compared();
        }
        return false;
    }
    st_collective_counted();
    return true;
}

/* Compares what each two ranks send to each other, and what the digest does not show. */
static void compare_others(struct st_compared_call *compared)
{
    const struct st_collective *mine = compared->differing->mine;
    const uint32_t rules = compared->differing->rules;
    if (mine->flags & (ST_COLLECTIVE_GROUP | ST_COLLECTIVE_SIDE | ST_COLLECTIVE_INTER)) {
        compare_with_all(compared);
    }
    if (!mine->pairs) {
        return;
    }
    const struct st_pairing pairing = {compared->differing, compared->meeting, compared->key};
    if (!(rules & ST_RULE_EDGES         ? st_pairs_compare(&pairing, st_edges_differ)
          : rules & ST_RULE_NAMED_EDGES ? st_pairs_compare(&pairing, st_named_edges_differ)
                                        : st_counts_compare(&pairing))) {
        count_one(&st_collective_uncompared);
    }
}

/* Publishes and compares a call that has been filled in. */
static void compare_filled(const struct st_differing *differing, uint64_t digest)
{
    if (forms[differing->form->number].blocks) {
        st_node_leave_order(differing->mine);
    }
    struct st_compared_call compared = meet_ranks(differing, digest);
    compare_others(&compared);
}

/* Works out what the ranks must agree on. */
static void state_call(const struct st_form *form, const struct st_comm *comm,
                       const struct st_call *call, const uint64_t *values,
                       struct st_collective *mine)
{
    mine->place = st_place_of_call(call);
    fill_call(form, comm, values, forms[form->number].rules, mine);
}

void st_collective_compared(const struct st_form *form, const struct st_comm *comm,
                            const struct st_call *call, const uint64_t *values, uint32_t found)
{
    struct st_collective mine = new_call(form, comm);
    note_begin(form, &mine);
    /* If something is wrong, MPI may refuse it, and other ranks may not make this call. */
    if (!is_with_others(comm, &mine) || found) {
        return;
    }
    state_call(form, comm, call, values, &mine);
    compare_filled(&(struct st_differing){form, call, values, forms[form->number].rules,
                                          form->collective, false, &mine},
                   st_collective_digest(&mine));
}

void st_collective_compared_quick(const struct st_form *form, const struct st_comm *comm,
                                  const void *pc, const void *sp, const uint64_t *values)
{
    const struct st_call call = {.pc = pc, .sp = sp, .caller = ST_CALLER_USER, .record = true};
    const struct st_repeated_line line = {form, comm, pc, values};
    const uint32_t rules = forms[form->number].rules;
    struct st_collective mine;
    uint64_t digest;
    const bool repeated = st_repeated_find(&line, &mine, &digest);
    if (!repeated) {
        mine = new_call(form, comm);
    }
    note_begin(form, &mine);
    if (!is_with_others(comm, &mine)) {
        return;
    }
    if (!repeated) {
        state_call(form, comm, &call, values, &mine);
        digest = st_collective_digest(&mine);
        st_repeated_keep(&line, rules, &mine, digest);
    }
    compare_filled(
        &(struct st_differing){form, &call, values, rules, form->collective, false, &mine}, digest);
}

void st_collective_refused(const struct st_form *form, const uint64_t *values)
{
    /* An error with files is no wrong argument: the file may not exist, for example. */
    const int number = form->identity == ST_IDENTITY_MEMBERS ? form->comm : form->collective;
    if (number < 0 || form->parameters[number].pointer ||
        strncmp(form->name, "MPI_File_", strlen("MPI_File_")) == 0) {
        return;
    }
    const struct st_comm *comm = st_comm_find_near(values[number]);
    if (atomic_load(&st_collectives_on) && comm && comm->id) {
        st_ended_add(st_ranks_node.ended, st_hash_word(comm->id, st_ranks_node.job));
    }
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Leaves MPI_Finalize as the last collective call of MPI_COMM_WORLD. `mpipp run` looks at it when all
 * ranks have ended (cmd/watch/left.c): so it finds calls that only some ranks have made, although
 * nothing has waited for the others. */
static void leave_last_call(void)
{
    const struct st_comm *world = st_comm_find_near(st_numbers.comm_world);
    const struct st_form *form;
    struct st_call call;
    if (!world || !world->id || world->group.size == 1 ||
        !st_call_of_finalize(__builtin_frame_address(0), &form, &call)) {
        return;
    }
    struct st_collective last = new_call(form, world);
    last.number++;
    last.function = form->number;
    last.place = st_place_of_call(&call);
    if (st_ended_has(st_ranks_node.ended, last.comm)) {
        return;
    }
    name_function(form);
    st_node_leave_call(st_collective_key(last.comm, last.number), &last);
}

void st_collectives_end(void)
{
    if (!atomic_exchange(&st_collectives_on, false)) {
        return;
    }
    leave_last_call();
    __atomic_store_n(&st_ranks_node.ranks[st_ranks_node.rank].state, ST_RANK_ENDED,
                     __ATOMIC_RELEASE);
}
