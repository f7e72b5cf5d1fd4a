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

/* How a rank has come to a call. */
struct st_coming {
    enum st_arrival arrival;
    uint32_t first; /* of CAME_OTHERWISE */
};

static struct st_coming come_to_call(struct st_meeting_point *meeting, uint64_t key,
                                     uint64_t digest)
{
    const struct st_comer mine = {digest, st_ranks_node.rank};
    struct st_coming coming = {.first = ST_NOT_KNOWN_WHO};
    coming.arrival = st_meeting_arrive(meeting, key, &mine, &coming.first);
    return coming;
}

/* Compares this rank's call, which has been written for the others, with theirs. */
static void compare_come(struct st_compared_call *compared, struct st_coming coming)
{
    bool known = true;
    switch (coming.arrival) {
    case ST_CAME_FIRST:
        tell_other_nodes(compared);
        break;
    case ST_CAME_ALIKE:
        break;
    case ST_CAME_OTHERWISE:
        known = compare_with_rank(compared, coming.first) || compare_with_all(compared);
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
        .meeting = st_node_meeting(mine),
    };
    /* It comes from another rank's cache while this one writes its call. */
    __builtin_prefetch(compared.meeting);
    bool locked = st_lock();
    st_node_leave_call(compared.key, mine);
    st_unlock(locked);
    compare_come(&compared, come_to_call(compared.meeting, compared.key, digest));
    return compared;
}

void st_collective_meet(const struct st_differing *differing)
{
    meet_ranks(differing, st_collective_digest(differing->mine));
}

/* Fills in on what all ranks must agree. */
static void fill_agreed(const struct st_form *form, const struct st_comm *comm,
                        const uint64_t *values, uint32_t rules, struct st_collective *call)
{
    if (!(comm->flags & ST_COMM_KNOWN)) {
        call->flags = ST_COLLECTIVE_VAGUE;
        return;
    }
    st_agreed_fill(form, comm, values, rules, call);
}

/* Leaves the data from rank to rank of a call whose other facts are known. */
static void leave_data(const struct st_form *form, const struct st_comm *comm,
                       const uint64_t *values, uint32_t rules, struct st_collective *call)
{
    if (call->flags & ST_COLLECTIVE_VAGUE) {
        return;
    }
    if ((rules & ST_RULE_PAIRS && !st_pairs_leave(form, comm, values, call)) ||
        (rules & ST_RULE_EDGES && !st_edges_leave(form, comm, values, call)) ||
        (rules & ST_RULE_NAMED_EDGES && !st_named_edges_leave(form, values, call))) {
        count_one(&st_collective_uncompared);
    }
}

/* Returns the rules of a function on a communicator. */
static uint32_t rules_on(const struct st_form *form, const struct st_comm *comm)
{
    const uint32_t rules = forms[form->number].rules;
    return comm->flags & ST_COMM_INTER ? st_agreed_inter_rules(rules) : rules;
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
        bool locked = st_lock();
        st_node_leave_order(differing->mine);
        st_unlock(locked);
    }
    struct st_compared_call compared = meet_ranks(differing, digest);
    compare_others(&compared);
}

void st_collective_compared(const struct st_form *form, const struct st_comm *comm,
                            const struct st_call *call, const uint64_t *values, uint32_t found)
{
    struct st_collective mine = new_call(form, comm);
    const uint32_t rules = rules_on(form, comm);
    note_begin(form, &mine);
    /* If something is wrong, MPI may refuse it, and other ranks may not make this call. */
    if (!is_with_others(comm, &mine) || found) {
        return;
    }
    mine.place = st_place_of_call(call);
    fill_agreed(form, comm, values, rules, &mine);
    leave_data(form, comm, values, rules, &mine);
    compare_filled(&(struct st_differing){form, call, values, forms[form->number].rules,
                                          form->collective, false, &mine},
                   st_collective_digest(&mine));
}

/* --- calls that repeat others ------------------------------------------------------------------ */

/* A call of the quick path, with what the ranks agree on filled in. */
struct st_quick_call {
    const struct st_repeated_line *line;
    const void *sp;
    struct st_collective mine;
    uint64_t digest;
};

static struct st_call call_of(const struct st_quick_call *quick)
{
    return (struct st_call){
        .pc = quick->line->pc, .sp = quick->sp, .caller = ST_CALLER_USER, .record = true};
}

static struct st_differing differing_of(const struct st_quick_call *quick,
                                        const struct st_call *call)
{
    const struct st_form *form = quick->line->form;
    return (struct st_differing){
        form,  call,        quick->line->values, forms[form->number].rules, form->collective,
        false, &quick->mine};
}

/* Publishes the call and its data from rank to rank, and compares it. */
static __attribute__((noinline)) void compare_with_data(struct st_quick_call *quick)
{
    const struct st_repeated_line *line = quick->line;
    const struct st_call call = call_of(quick);
    leave_data(line->form, line->comm, line->values, rules_on(line->form, line->comm),
               &quick->mine);
    const struct st_differing differing = differing_of(quick, &call);
    compare_filled(&differing, quick->digest);
}

static __attribute__((noinline)) void compare_new(const struct st_repeated_line *line,
                                                  const void *sp)
{
    struct st_quick_call quick = {line, sp, new_call(line->form, line->comm), 0};
    const uint32_t rules = rules_on(line->form, line->comm);
    const struct st_call call = call_of(&quick);
    note_begin(line->form, &quick.mine);
    if (!is_with_others(line->comm, &quick.mine)) {
        return;
    }
    quick.mine.place = st_place_of_call(&call);
    fill_agreed(line->form, line->comm, line->values, rules, &quick.mine);
    quick.digest = st_collective_digest(&quick.mine);
    st_repeated_keep(line, rules, &quick.mine, quick.digest);
    compare_with_data(&quick);
}

/* Compares a published call to which not all ranks have come alike. */
static __attribute__((noinline, cold)) void compare_unlike(struct st_quick_call *quick,
                                                           struct st_coming coming)
{
    const struct st_call call = call_of(quick);
    const struct st_differing differing = differing_of(quick, &call);
    struct st_compared_call compared = {
        .differing = &differing,
        .key = st_collective_key(quick->mine.comm, quick->mine.number),
        .meeting = st_node_meeting(&quick->mine),
    };
    compare_come(&compared, coming);
}

/* Publishes a call that repeats one, and comes to it. The caller holds the lock. */
static inline struct st_coming come_again(const struct st_repeated_call *kept,
                                          struct st_meeting_point *meeting)
{
    const uint64_t key = st_collective_key(kept->call.comm, kept->call.number);
    if (forms[kept->form->number].blocks) {
        st_node_leave_order(&kept->call);
    }
    st_node_leave_call(key, &kept->call);
    return come_to_call(meeting, key, kept->digest);
}

static inline bool is_settled(struct st_coming coming)
{
    return coming.arrival == ST_CAME_ALIKE ||
           (coming.arrival == ST_CAME_FIRST && !st_ranks_node.firsts);
}

/* What is rare in a call that repeats one. Leaves the lock. */
static __attribute__((noinline)) void compare_rest(const struct st_repeated_line *line,
                                                   const void *sp,
                                                   const struct st_repeated_call *kept,
                                                   struct st_coming coming, bool locked)
{
    struct st_quick_call quick = {line, sp, kept->call, kept->digest};
    const bool has_data = kept->has_data;
    st_unlock(locked);
    if (has_data) {
        compare_with_data(&quick);
    } else {
        compare_unlike(&quick, coming);
    }
}

void st_collective_compared_quick(const struct st_form *form, const struct st_comm *comm,
                                  const void *pc, const void *sp, const uint64_t *values)
{
    const struct st_repeated_line line = {form, comm, pc, values};
    bool locked = st_lock();
    struct st_repeated_call *kept = st_repeated_find(&line);
    if (__builtin_expect(!kept, 0)) {
        st_unlock(locked);
        compare_new(&line, sp);
        return;
    }
    kept->call.number = __atomic_load_n(&comm->collectives, __ATOMIC_RELAXED);
    struct st_meeting_point *meeting = st_node_meeting(&kept->call);
    /* It comes from another rank's cache while this one writes its call. */
    __builtin_prefetch(meeting);
    note_begin(form, &kept->call);
    if (is_with_others(comm, &kept->call)) {
        struct st_coming coming = {.arrival = ST_CAME_OTHERWISE};
        if (__builtin_expect(!kept->has_data, 1)) {
            coming = come_again(kept, meeting);
        }
        if (__builtin_expect(!is_settled(coming), 0)) {
            compare_rest(&line, sp, kept, coming, locked);
            return;
        }
    }
    st_unlock(locked);
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
    bool locked = st_lock();
    st_node_leave_call(st_collective_key(last.comm, last.number), &last);
    st_unlock(locked);
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
