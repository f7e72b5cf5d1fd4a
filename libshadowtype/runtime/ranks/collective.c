/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/collective.h"

#include <string.h>

#include "core/agree/rules.h"
#include "core/model/hash.h"
#include "runtime/objects/collectives.h"
#include "runtime/record/root.h"
#include "runtime/ranks/agreed.h"
#include "runtime/ranks/differs.h"
#include "runtime/ranks/edges.h"
#include "runtime/ranks/named_edges.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/paired.h"
#include "runtime/ranks/places.h"
#include "runtime/report/finding.h"

atomic_bool st_collectives_on;

/* By number of the form. */
static struct st_compared_form {
    uint32_t rules;    /* enum st_rule */
    uint16_t function; /* plain_form() */
    bool is_named;     /* its name is in the area */
    bool blocks;       /* it may wait for the other ranks */
} * forms;

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
    if (ends_with(name, "_c"))
        length -= strlen("_c");
    else if (ends_with(name, "dup_with_info"))
        length -= strlen("_with_info");
    for (uint16_t i = number; i-- > 0;) /* they are sorted by name */
        if (strlen(st_form_table[i]->name) == length &&
            strncmp(st_form_table[i]->name, name, length) == 0)
            return i;
    return number;
}

/* MPI_Comm_free and MPI_Comm_set_info have no reason to wait, nor has one half of a split call. */
static bool is_blocking(const struct st_form *form)
{
    static const char *const others[] = {"_begin", "_end", "_begin_c", "_set_info", "_Comm_free"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ends_with(form->name, others[i]))
            return false;
    for (int i = 0; i < form->parameter_count; i++)
        if (form->parameters[i].kind == ST_KIND_REQUEST)
            return false;
    return true;
}

static bool read_forms(void)
{
    forms = st_map(st_form_count * sizeof *forms);
    for (uint16_t i = 0; forms && i < st_form_count; i++)
        if (st_form_table[i]->collective >= 0)
            forms[i] = (struct st_compared_form){.rules = st_rules_of(st_form_table[i]->name),
                                                 .function = plain_form(i),
                                                 .blocks = is_blocking(st_form_table[i])};
    return forms;
}

void st_collectives_begin(void)
{
    if (atomic_load(&st_collectives_on) || forms || !read_forms())
        return;
    st_agreed_begin();
    atomic_store(&st_collectives_on, true);
}

void st_collectives_end(void)
{
    if (atomic_exchange(&st_collectives_on, false))
        __atomic_store_n(&st_ranks_node.ranks[st_ranks_node.rank].state, ST_RANK_ENDED,
                         __ATOMIC_RELEASE);
}

void st_collectives_forget(void)
{
    atomic_store(&st_collectives_on, false);
}

/* Writes the name of a function into the area, if there is room. */
static void name_function(const struct st_form *form)
{
    struct st_rank_function *list = st_ranks_node.area->functions;
    bool locked = st_lock();
    uint32_t i = 0;
    while (i < ST_AREA_FUNCTIONS && list[i].number && list[i].number != form->number + 1u)
        i++;
    if (i < ST_AREA_FUNCTIONS && !list[i].number) {
        strncpy(list[i].name, form->name, sizeof list[i].name - 1);
        __atomic_store_n(&list[i].number, form->number + 1u, __ATOMIC_RELEASE);
    }
    forms[form->number].is_named = true;
    st_unlock(locked);
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
    struct st_differing differing;
    uint64_t key;
    struct st_meeting_point *meeting;
};

static void compare_with(struct st_compared_call *compared, const struct st_collective *other)
{
    const struct st_collective *mine = compared->differing.mine;
    enum st_agreement agreement = st_collective_compare(mine, other);
    if (agreement == ST_CALLS_AGREE)
        return;
    if (agreement == ST_DIFFERS_IN_CALL)
        st_node_end(mine->comm);
    if (st_meeting_tells(compared->meeting, compared->key))
        st_differs_tell(&compared->differing, other);
}

/* Compares with the call that a rank has written. Returns false if it has written none, or if it is
 * gone. */
static bool compare_with_rank(struct st_compared_call *compared, uint32_t rank)
{
    struct st_collective other;
    if (!st_node_find_call(rank, compared->key, compared->differing.mine, &other))
        return false;
    compare_with(compared, &other);
    return true;
}

/* Returns false if no other rank has written one. */
static bool compare_with_all(struct st_compared_call *compared)
{
    bool found = false;
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++)
        if (i != st_ranks_node.rank)
            found |= compare_with_rank(compared, i);
    return found;
}

/* Compares this rank's call, which has been written for the others. */
static void compare_call(struct st_compared_call *compared)
{
    const struct st_comer mine = {.digest = st_collective_digest(compared->differing.mine),
                                  .rank = st_ranks_node.rank};
    struct st_comer first;
    bool missed = false, known = true;
    switch (st_meeting_arrive(compared->meeting, compared->key, &mine, &first, &missed)) {
    case ST_CAME_FIRST:
        if (missed)
            compare_with_all(compared);
        break;
    case ST_CAME_LATER:
        known = first.digest == mine.digest || compare_with_rank(compared, first.rank);
        break;
    case ST_CAME_MEANWHILE:
        break;
    case ST_CAME_TOO_LATE:
        known = compare_with_all(compared);
        break;
    }
    if (!known)
        count_one(&st_collective_uncompared);
}

static struct st_compared_call meet_ranks(const struct st_differing *differing)
{
    const struct st_collective *mine = differing->mine;
    if (__builtin_expect(!forms[mine->called].is_named, 0))
        name_function(differing->form);
    struct st_compared_call compared = {
        .differing = *differing,
        .key = st_collective_key(mine->comm, mine->number),
        .meeting = st_node_meeting(mine),
    };
    st_node_leave_call(compared.key, mine);
    compare_call(&compared);
    return compared;
}

void st_collective_meet(const struct st_differing *differing)
{
    meet_ranks(differing);
}

/* Fills in the description of the call for the others. */
static void fill_call(const struct st_form *form, const struct st_comm *comm,
                      const uint64_t *values, uint32_t rules, struct st_collective *call)
{
    if (!(comm->flags & ST_COMM_KNOWN)) {
        call->flags = ST_COLLECTIVE_VAGUE;
        return;
    }
    if (comm->flags & ST_COMM_INTER)
        rules = st_agreed_inter_rules(rules);
    st_agreed_fill(form, comm, values, rules, call);
    if (call->flags & ST_COLLECTIVE_VAGUE)
        return;
    if ((rules & ST_RULE_PAIRS && !st_pairs_leave(form, comm, values, call)) ||
        (rules & ST_RULE_EDGES && !st_edges_leave(form, comm, values, call)) ||
        (rules & ST_RULE_NAMED_EDGES && !st_named_edges_leave(form, values, call)))
        count_one(&st_collective_uncompared);
}

void st_collective_compared(const struct st_form *form, const struct st_comm *comm,
                            const struct st_call *call, const uint64_t *values, uint32_t found)
{
    const struct st_compared_form *known = &forms[form->number];
    struct st_collective mine = {
        .comm = st_hash_word(comm->id, st_ranks_node.job),
        .number = __atomic_load_n(&comm->collectives, __ATOMIC_RELAXED),
        .rank = st_ranks_node.rank,
        .member = comm->rank,
        .function = known->function,
        .called = form->number,
    };
    if ((comm->group.size == 1 && !(comm->flags & ST_COMM_INTER)) || st_node_has_ended(mine.comm))
        return;
    count_one(&st_collective_calls);
    /* MPI may refuse it, and other ranks may not make this call. */
    if (found)
        return;
    mine.place = st_place_of_call(call);
    if (known->blocks)
        st_node_leave_order(&mine);
    fill_call(form, comm, values, known->rules, &mine);
    struct st_compared_call compared = meet_ranks(
        &(struct st_differing){form, call, values, known->rules, form->collective, false, &mine});
    if (mine.flags & (ST_COLLECTIVE_GROUP | ST_COLLECTIVE_SIDE | ST_COLLECTIVE_INTER))
        compare_with_all(&compared);
    if (!mine.pairs)
        return;
    const struct st_pairing pairing = {&compared.differing, compared.meeting, compared.key};
    st_pairs_compare(&pairing, known->rules & ST_RULE_EDGES         ? st_edges_differ
                               : known->rules & ST_RULE_NAMED_EDGES ? st_named_edges_differ
                                                                    : st_counts_differ);
}

void st_collective_compared_quick(const struct st_form *form, const struct st_comm *comm,
                                  const void *pc, const void *sp, const uint64_t *values)
{
    const struct st_call call = {.pc = pc, .sp = sp, .caller = ST_CALLER_USER, .record = true};
    st_collective_compared(form, comm, &call, values, 0);
}

void st_collective_refused(const struct st_form *form, const uint64_t *values)
{
    /* An error with files is no wrong argument: the file may not exist, for example. */
    const int number = form->identity == ST_IDENTITY_MEMBERS ? form->comm : form->collective;
    if (number < 0 || form->parameters[number].pointer ||
        strncmp(form->name, "MPI_File_", strlen("MPI_File_")) == 0)
        return;
    const struct st_comm *comm = st_comm_find_near(values[number]);
    if (atomic_load(&st_collectives_on) && comm && comm->id)
        st_node_end(st_hash_word(comm->id, st_ranks_node.job));
}
