#include "runtime/ranks/collective.h"

#include <string.h>

#include "core/agree/rules.h"
#include "runtime/objects/collectives.h"
#include "runtime/record/root.h"
#include "runtime/ranks/differs.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/paired.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/signed.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"

atomic_bool st_collectives_on;

/* By the number of a form. */
static struct st_compared_form {
    uint32_t rules;    /* enum st_rule */
    uint16_t function; /* plain_form() */
} * forms;

/* --- the functions ------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* The form that a form may stand beside: that without _c, and without info. */
static uint16_t plain_form(uint16_t number)
{
    const char *name = st_form_table[number]->name;
    size_t length = strlen(name);
    if (ends_with(name, "_c"))
        length -= strlen("_c");
    else if (ends_with(name, "dup_with_info"))
        length -= strlen("_with_info");
    for (uint16_t i = number; i-- > 0;) /* they are in the order of their names */
        if (strlen(st_form_table[i]->name) == length &&
            strncmp(st_form_table[i]->name, name, length) == 0)
            return i;
    return number;
}

static bool read_forms(void)
{
    forms = st_map(st_form_count * sizeof *forms);
    for (uint16_t i = 0; forms && i < st_form_count; i++)
        if (st_form_table[i]->collective >= 0)
            forms[i] =
                (struct st_compared_form){st_rules_of(st_form_table[i]->name), plain_form(i)};
    return forms;
}

void st_collectives_begin(void)
{
    if (atomic_load(&st_collectives_on) || forms || !st_node_begin() || !read_forms())
        return;
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

/* --- what the call says -------------------------------------------------------------------- */

struct st_compared_call {
    const struct st_form *form;
    const struct st_comm *comm;
    const uint64_t *values;
    struct st_collective *call;
};

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 1;
    for (; *text; text++)
        hash = st_collective_hash(hash, (uint8_t)*text);
    return hash;
}

/* 0: it is the program's own, which may be another one in each rank. */
static uint64_t hash_operation(uint64_t operation)
{
    static struct {
        uint64_t handle, hash;
    } known[16];
    const size_t place = operation * UINT64_C(0x9E3779B97F4A7C15) >> 60;
    uint64_t hash = __atomic_load_n(&known[place].hash, __ATOMIC_ACQUIRE);
    if (hash && __atomic_load_n(&known[place].handle, __ATOMIC_RELAXED) == operation &&
        !atomic_load_explicit(&st_lock_armed, memory_order_relaxed))
        return hash;
    const char *name = st_constant_name(ST_KIND_OP, operation);
    if (!name)
        return 0;
    hash = hash_text(name);
    if (!atomic_load_explicit(&st_lock_armed, memory_order_relaxed)) {
        known[place].handle = operation;
        known[place].hash = hash;
    }
    return hash;
}

static void sign_part(const struct st_compared_call *made, int number)
{
    const struct st_part *part = &made->form->parts[number];
    if (number < made->form->part_count && part->count >= 0 && !part->counts && !part->types)
        st_sign(made->call, made->values[part->type], (int64_t)made->values[part->count]);
}

/* Number `index` of the array that a parameter points to. */
static uint64_t number_at(const struct st_compared_call *made, int parameter, int64_t index)
{
    const struct st_facts facts = {.form = made->form, .values = made->values};
    return (uint64_t)st_number_at(&facts, parameter, index);
}

static uint64_t hash_array(const struct st_compared_call *made, uint64_t hash, int parameter,
                           int64_t count, bool logical)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t number = number_at(made, parameter, i);
        hash = st_collective_hash(hash, logical ? number != 0 : number);
    }
    return hash;
}

static void add_arguments(const struct st_compared_call *made, uint64_t hash)
{
    made->call->arguments = hash;
    made->call->flags |= ST_COLLECTIVE_ARGUMENTS;
}

static void add_counts(const struct st_compared_call *made)
{
    const struct st_part *part = &made->form->parts[made->form->part_count - 1];
    if (!made->values[part->count])
        return;
    add_arguments(made, hash_array(made, 1, part->count, made->comm->group.size, false));
    st_sign(made->call, made->values[part->type], 1);
}

/* MPI_Cart_create(comm, ndims, dims, periods, reorder, new) */
static void add_grid(const struct st_compared_call *made)
{
    const int64_t count = (int64_t)made->values[1];
    if (count < 0 || (count > 0 && (!made->values[2] || !made->values[3])))
        return;
    uint64_t hash = hash_array(made, (uint64_t)count, 2, count, false);
    hash = hash_array(made, hash, 3, count, true);
    add_arguments(made, st_collective_hash(hash, made->values[4] != 0));
}

/* MPI_Graph_create(comm, nnodes, index, edges, reorder, new) */
static void add_graph(const struct st_compared_call *made)
{
    const int64_t count = (int64_t)made->values[1];
    if (count < 0 || (count > 0 && !made->values[2]))
        return;
    const int64_t edges = count ? (int64_t)number_at(made, 2, count - 1) : 0;
    if (edges > 0 && !made->values[3])
        return;
    uint64_t hash = hash_array(made, (uint64_t)count, 2, count, false);
    hash = hash_array(made, hash, 3, edges, false);
    add_arguments(made, st_collective_hash(hash, made->values[4] != 0));
}

static void add_split_type(const struct st_compared_call *made)
{
    if ((int64_t)made->values[1] != st_numbers.undefined)
        add_arguments(made, st_collective_hash(1, made->values[1]));
}

static void add_in_place(const struct st_compared_call *made)
{
    const uint64_t buffer = made->values[made->form->parts[0].buffer];
    made->call->flags |= ST_COLLECTIVE_IN_PLACE;
    if (st_is_in_place(buffer))
        made->call->flags |= ST_COLLECTIVE_PLACED;
}

static void add_root(const struct st_compared_call *made)
{
    made->call->root = (int32_t)made->values[made->form->root];
    made->call->flags |= ST_COLLECTIVE_ROOT;
    if (made->call->root == made->comm->rank)
        made->call->flags |= ST_COLLECTIVE_IS_ROOT;
}

static void add_facts(const struct st_compared_call *made, uint32_t rules)
{
    const bool is_root = made->call->flags & ST_COLLECTIVE_IS_ROOT;
    if (rules & ST_RULE_OPERATION)
        made->call->operation = hash_operation(made->values[made->form->op]);
    if (rules & ST_RULE_IN_PLACE)
        add_in_place(made);
    if (rules & ST_RULE_ALL)
        sign_part(made, 0);
    if (rules & ST_RULE_EACH)
        sign_part(made, 1);
    if (rules & ST_RULE_GATHER)
        sign_part(made, is_root ? 1 : 0);
    if (rules & ST_RULE_SCATTER)
        sign_part(made, is_root ? 0 : 1);
    if (rules & ST_RULE_COUNTS)
        add_counts(made);
    if (rules & ST_RULE_GRID)
        add_grid(made);
    if (rules & ST_RULE_GRAPH)
        add_graph(made);
    if (rules & ST_RULE_SPLIT_TYPE)
        add_split_type(made);
    if (rules & ST_RULE_PAIRS)
        st_pairs_tell(made->form, made->comm, made->values, made->call);
}

/* --- counted -------------------------------------------------------------------------------- */

/* Off by a few, where threads call at the same time. */
static void count_one(_Atomic uint64_t *count)
{
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

void st_collective_not_compared(void)
{
    count_one(&st_collective_calls);
    count_one(&st_collective_uncompared);
}

/* --- compared ------------------------------------------------------------------------------ */

/* For those who look for it: the last calls of this rank. */
static void leave_in_area(uint64_t key, const struct st_collective *call)
{
    struct st_rank_call *place =
        &st_ranks_node.area
             ->calls[st_collective_place(call->comm, call->number, ST_AREA_LOG2_CALLS)];
    bool locked = st_lock();
    st_rank_call_write(place, key, call);
    st_unlock(locked);
}

static void compare_with(struct st_meeting_point *meeting, uint64_t key,
                         struct st_differing *differing, const struct st_collective *other)
{
    enum st_agreement agreement = st_collective_compare(differing->mine, other);
    if (agreement == ST_CALLS_AGREE)
        return;
    if (agreement == ST_DIFFERS_IN_CALL)
        st_node_end(differing->mine->comm);
    if (!st_meeting_tells(meeting, key))
        return;
    differing->other = other;
    differing->agreement = agreement;
    st_differs_tell(differing);
}

/* With what the others have left themselves: they came while this rank left its call, and wait for nobody; or what
 * the first one left is gone. Returns false if nobody has left anything. */
static bool compare_with_all(struct st_meeting_point *meeting, uint64_t key,
                             struct st_differing *differing)
{
    bool found = false;
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++) {
        struct st_collective other;
        if (i == st_ranks_node.rank || !st_differs_find(i, key, differing->mine, &other))
            continue;
        compare_with(meeting, key, differing, &other);
        found = true;
    }
    return found;
}

static void compare(struct st_differing *differing)
{
    const struct st_collective *mine = differing->mine;
    const uint64_t key = st_collective_key(mine->comm, mine->number);
    struct st_meeting_point *meeting =
        &st_ranks_node
             .meetings[st_collective_place(mine->comm, mine->number, ST_SEGMENT_LOG2_MEETINGS)];
    struct st_collective first;
    bool missed = false;
    leave_in_area(key, mine);
    switch (st_meeting_arrive(meeting, key, mine, &first, &missed)) {
    case ST_CAME_FIRST:
        if (missed)
            compare_with_all(meeting, key, differing);
        break;
    case ST_CAME_LATER:
        compare_with(meeting, key, differing, &first);
        break;
    case ST_CAME_MEANWHILE:
        break;
    case ST_CAME_TOO_LATE:
        if (!compare_with_all(meeting, key, differing))
            count_one(&st_collective_uncompared);
        break;
    }
    if (mine->pairs)
        st_pairs_compare(differing, meeting, key);
}

void st_collective_compared(const struct st_form *form, const struct st_comm *comm,
                            const struct st_call *call, const uint64_t *values, uint32_t found)
{
    const struct st_compared_form *compared = &forms[form->number];
    struct st_collective mine = {
        .comm = st_collective_hash(comm->id, st_ranks_node.job),
        .number = __atomic_load_n(&comm->collectives, __ATOMIC_RELAXED),
        .rank = st_ranks_node.rank,
        .member = comm->rank,
        .function = compared->function,
        .called = form->number,
    };
    const struct st_compared_call made = {form, comm, values, &mine};
    if (comm->group.size == 1 || st_node_has_ended(mine.comm))
        return;
    count_one(&st_collective_calls);
    /* MPI may refuse it, and this rank may be the only one that has made it. */
    if (found)
        return;
    mine.place = st_place_of_call(call);
    /* Of windows and files the function alone is compared. */
    if (comm->kind || !(comm->flags & ST_COMM_KNOWN) || comm->flags & ST_COMM_INTER) {
        mine.flags = ST_COLLECTIVE_VAGUE;
    } else {
        if (compared->rules & ST_RULE_ROOT)
            add_root(&made);
        add_facts(&made, compared->rules);
    }
    struct st_differing differing = {
        .form = form, .call = call, .values = values, .rules = compared->rules, .mine = &mine};
    compare(&differing);
}

void st_collective_compared_quick(const struct st_form *form, const struct st_comm *comm,
                                  const void *pc, const void *sp, const uint64_t *values)
{
    const struct st_call call = {.pc = pc, .sp = sp, .caller = ST_CALLER_USER, .record = true};
    st_collective_compared(form, comm, &call, values, 0);
}

void st_collective_refused(const struct st_form *form, const uint64_t *values)
{
    /* What fails with files is no wrong argument: it may be that there is no such file. */
    if (form->collective < 0 || form->parameters[form->collective].pointer ||
        strncmp(form->name, "MPI_File_", strlen("MPI_File_")) == 0)
        return;
    const struct st_comm *comm = st_comm_find_near(values[form->collective]);
    if (atomic_load(&st_collectives_on) && comm && comm->id)
        st_node_end(st_collective_hash(comm->id, st_ranks_node.job));
}
