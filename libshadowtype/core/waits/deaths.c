/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/deaths.h"

#include <stdlib.h>
#include <string.h>

#include "core/waits/functions.h"
#include "core/waits/members.h"
#include "core/waits/messages.h"

/* --- the graph ----------------------------------------------------------------------------- */

struct st_builder {
    const struct st_wait_rank *ranks;
    size_t count;
    struct st_wait_members members;
    struct st_waits waits; /* node i is rank i; node `count` always runs */
    bool *in_collective;   /* by rank: all its threads wait in collective calls */
    struct st_wait_shared *shared;
    size_t shared_count, shared_room;
    uint32_t node; /* the node from which add_target() adds edges */
    bool is_full;  /* memory ran out */
};

static uint32_t add_node(struct st_builder *builder, enum st_waits_needs needs)
{
    uint32_t number = 0;
    builder->is_full |= !st_waits_node(&builder->waits, needs, &number);
    return number;
}

static void add_edge(struct st_builder *builder, uint32_t from, uint32_t to)
{
    builder->is_full |= !st_waits_edge(&builder->waits, from, to);
}

static void add_target(uint32_t index, void *context)
{
    struct st_builder *builder = context;
    add_edge(builder, builder->node, index == ST_NOT_SEEN ? (uint32_t)builder->count : index);
}

/* True if no member can leave such a call before all members have entered it. */
static bool is_synchronizing(const char *function)
{
    static const char *const names[] = {"MPI_Barrier", "MPI_Allreduce", "MPI_Allgather",
                                        "MPI_Alltoall", "MPI_Reduce_scatter_block"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], function) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_same_call(const struct st_wait_shared *one, const struct st_wait_shared *other)
{
    return one->id == other->id && one->side == other->side && one->n == other->n &&
           one->starts == other->starts && one->from_nearby == other->from_nearby &&
           one->is_blocking == other->is_blocking && !one->function == !other->function &&
           (!one->function || (one->n && !one->is_blocking) ||
            st_function_meets(one->function, other->function));
}

static uint32_t shared_node(struct st_builder *builder, uint32_t rank,
                            const struct st_wait_comm *comm, struct st_wait_shared wanted)
{
    const struct st_wait_rank *own = &builder->ranks[rank];
    for (size_t i = builder->shared_count; i > 0; i--) {
        if (is_same_call(&builder->shared[i - 1], &wanted)) {
            return builder->shared[i - 1].node;
        }
    }
    if (builder->shared_count == builder->shared_room) {
        size_t wider = builder->shared_room ? builder->shared_room * 2 : 16;
        struct st_wait_shared *longer = realloc(builder->shared, wider * sizeof *longer);
        if (!longer) {
            builder->is_full = true;
            return (uint32_t)builder->count;
        }
        builder->shared = longer;
        builder->shared_room = wider;
    }
    bool waits_for_all = wanted.function && !wanted.from_nearby && !wanted.of_some &&
                         (wanted.n || is_synchronizing(wanted.function));
    wanted.node = add_node(builder, waits_for_all ? ST_WAITS_ALL : ST_WAITS_ANY);
    builder->shared[builder->shared_count++] = wanted;
    builder->node = wanted.node;
    if (!wanted.function) {
        st_wait_visit_peers(own, comm, &builder->members, add_target, builder);
        return wanted.node;
    }
    size_t before = builder->waits.edge_count;
    st_wait_visit_absent(builder->ranks, own, &builder->members, comm, &wanted, add_target,
                         builder);
    const size_t absent = builder->waits.edge_count - before;
    /* All have come, or those that have to may have: the call waits only for the MPI library. */
    if (!absent || (wanted.of_some && absent + 1 < (size_t)comm->size)) {
        add_edge(builder, wanted.node, (uint32_t)builder->count);
    }
    return wanted.node;
}

/* True if some member has a pending send that a receive from any source matches. */
static bool fits_any(const struct st_builder *builder, uint32_t rank,
                     const struct st_wait_part *part)
{
    for (uint32_t i = 0; i < builder->count; i++) {
        if (st_wait_fits(builder->ranks, i, rank, part) ||
            st_wait_message_for(builder->ranks, i, rank, part) == ST_MESSAGE_COMES) {
            return true;
        }
    }
    return false;
}

static bool receives(const struct st_wait_part *part)
{
    return part->sort == ST_WAIT_RECEIVE || part->sort == ST_WAIT_PROBE;
}

/* The peer has what the part waits for. */
static bool owes(const struct st_builder *builder, uint32_t peer, uint32_t rank,
                 const struct st_wait_part *part)
{
    return st_wait_fits(builder->ranks, peer, rank, part) ||
           (receives(part) &&
            st_wait_message_for(builder->ranks, peer, rank, part) == ST_MESSAGE_COMES);
}

/* The node for all ranks that a call on a window waits for. A node without targets runs. */
static uint32_t window_node(struct st_builder *builder, const struct st_wait_rank *own,
                            const struct st_wait_part *part)
{
    builder->node = add_node(builder, ST_WAITS_ALL);
    st_wait_visit_awaited(builder->ranks, own, &builder->members, part, add_target, builder);
    return builder->node;
}

/* In an intercommunicator each group waits for the other one, so that the sides must be told apart. */
static uint64_t side_of(const struct st_wait_comm *comm)
{
    return comm->is_inter && comm->members && comm->size > 0 ? comm->members[0] : 0;
}

/* The node that a part of rank `rank` waits for. Returns node `count` if the part may complete by
 * itself. */
static uint32_t target_of(struct st_builder *builder, uint32_t rank,
                          const struct st_wait_part *part)
{
    const uint32_t runs = (uint32_t)builder->count;
    const struct st_wait_rank *own = &builder->ranks[rank];
    if (part->comm == ST_NO_COMM || !own->comms[part->comm].id) {
        return runs;
    }
    const struct st_wait_comm *comm = &own->comms[part->comm];
    if (part->sort == ST_WAIT_COLLECTIVE) {
        return shared_node(builder, rank, comm, st_wait_shared_of(own, part));
    }
    if (part->sort == ST_WAIT_LEADER) {
        uint32_t leader = st_wait_members_find(&builder->members, part->process);
        return leader == ST_NOT_SEEN ? runs : leader;
    }
    if (st_wait_is_of_window(part)) {
        return window_node(builder, own, part);
    }
    if (part->sort == ST_WAIT_UNKNOWN || part->world == ST_PEER_NONE) {
        return runs;
    }
    if (part->world == ST_PEER_ANY) {
        return part->sort == ST_WAIT_SEND || fits_any(builder, rank, part)
                   ? runs
                   : shared_node(builder, rank, comm,
                                 (struct st_wait_shared){.id = comm->id, .side = side_of(comm)});
    }
    uint32_t peer = st_wait_members_find(&builder->members, part->process);
    return peer == ST_NOT_SEEN || owes(builder, peer, rank, part) ? runs : peer;
}

static void note_any(uint32_t index, void *context)
{
    (void)index;
    *(bool *)context = true;
}

/* For the parts of MPI_Intercomm_create: true if all members of the rank's own group have come, or
 * the other leader has. */
static bool has_come(const struct st_builder *builder, uint32_t rank,
                     const struct st_wait_part *part)
{
    const struct st_wait_rank *own = &builder->ranks[rank];
    if (part->sort == ST_WAIT_LEADER) {
        uint32_t leader = st_wait_members_find(&builder->members, part->process);
        return leader != ST_NOT_SEEN && st_wait_leads_to(builder->ranks, leader, rank, part);
    }
    bool some_absent = false;
    const struct st_wait_shared call = st_wait_shared_of(own, part);
    st_wait_visit_absent(builder->ranks, own, &builder->members, &own->comms[part->comm], &call,
                         note_any, &some_absent);
    return !some_absent;
}

/* When both have come, the call waits only for the MPI library. */
static void add_joining(struct st_builder *builder, uint32_t rank, const struct st_wait_part *parts,
                        uint32_t node)
{
    size_t open = 0;
    for (size_t i = 0; i < 2; i++) {
        if (!has_come(builder, rank, &parts[i])) {
            add_edge(builder, node, target_of(builder, rank, &parts[i]));
            open++;
        }
    }
    if (!open) {
        add_edge(builder, node, (uint32_t)builder->count);
    }
}

bool st_wait_needs_all(const struct st_wait_thread *thread)
{
    return strcmp(thread->function, "MPI_Waitall") == 0 ||
           st_function_sort(thread->function) == ST_FUNCTION_SENDS_AND_RECEIVES;
}

/* `from`: the index of the part's peer. */
static bool is_missing_from(const struct st_wait_rank *ranks, uint32_t from, uint32_t rank,
                            const struct st_wait_part *part)
{
    return from != ST_NOT_SEEN && receives(part) && !part->is_complete && part->world >= 0 &&
           !st_wait_fits(ranks, from, rank, part) &&
           st_wait_message_for(ranks, from, rank, part) == ST_MESSAGE_MISSING;
}

bool st_wait_is_missing(const struct st_wait_rank *ranks, size_t count, uint32_t to,
                        const struct st_wait_part *part)
{
    uint32_t from = ST_NOT_SEEN;
    if (!receives(part) || part->is_complete || part->world < 0) {
        return false;
    }
    /* Ranks mostly are in the order of their numbers. */
    const uint32_t likely = (uint32_t)part->world;
    if (likely < count && part->process == st_gpid(ranks[likely].world, ranks[likely].world_rank)) {
        from = likely;
    }
    for (uint32_t i = 0; i < count && from == ST_NOT_SEEN; i++) {
        if (part->process == st_gpid(ranks[i].world, ranks[i].world_rank)) {
            from = i;
        }
    }
    return is_missing_from(ranks, from, to, part);
}

static bool is_missing(const struct st_builder *builder, uint32_t rank,
                       const struct st_wait_part *part)
{
    return is_missing_from(builder->ranks, st_wait_members_find(&builder->members, part->process),
                           rank, part);
}

/* Of a call that ends with the last of its operations: those whose messages are missing. Returns false if none is, or
 * if it is not known. */
static bool add_missing(struct st_builder *builder, uint32_t rank,
                        const struct st_wait_thread *thread, uint32_t node)
{
    const struct st_wait_part *parts = &builder->ranks[rank].parts[thread->first];
    size_t missing = 0;
    /* The last operation of a call with one is its first as well: most ranks are dismissed here. */
    if (thread->count < 2 || !st_wait_needs_all(thread)) {
        return false;
    }
    for (size_t i = 0; i < thread->count; i++) {
        missing += is_missing(builder, rank, &parts[i]);
    }
    if (missing > 1) {
        const uint32_t all = add_node(builder, ST_WAITS_ALL);
        add_edge(builder, node, all);
        node = all;
    }
    for (size_t i = 0; i < thread->count && missing; i++) {
        if (is_missing(builder, rank, &parts[i])) {
            add_edge(builder, node, target_of(builder, rank, &parts[i]));
        }
    }
    return missing;
}

static void add_thread(struct st_builder *builder, uint32_t rank,
                       const struct st_wait_thread *thread, uint32_t node)
{
    const struct st_wait_rank *own = &builder->ranks[rank];
    if (thread->count == 2 && own->parts[thread->first + 1].sort == ST_WAIT_LEADER) {
        add_joining(builder, rank, &own->parts[thread->first], node);
        return;
    }
    if (add_missing(builder, rank, thread, node)) {
        return;
    }
    for (size_t i = 0; i < thread->count; i++) {
        const struct st_wait_part *part = &own->parts[thread->first + i];
        if (!part->is_complete) {
            add_edge(builder, node, target_of(builder, rank, part));
        }
    }
}

/* The number of parts of a thread's call that are not complete. */
static size_t open_parts(const struct st_wait_rank *rank, const struct st_wait_thread *thread)
{
    size_t open = 0;
    for (size_t i = 0; i < thread->count; i++) {
        open += !rank->parts[thread->first + i].is_complete;
    }
    return open;
}

static bool is_waiting(const struct st_wait_rank *rank)
{
    bool waits = rank->is_stuck && rank->thread_count;
    /* Most ranks are dismissed here, which keeps a verdict fast. */
    for (size_t i = 0; waits && i < rank->thread_count; i++) {
        waits = rank->threads[i].in_call && !rank->threads[i].runs &&
                open_parts(rank, &rank->threads[i]);
    }
    return waits;
}

/* Adds the edges of a rank that waits. A rank goes on as soon as one of its threads, or one
 * operation of Waitall, goes on. So all of them are targets of the rank's own node. A node with a
 * single target waits for all of its targets, so that a cycle is recognized as one. */
static void add_waiting(struct st_builder *builder, uint32_t index)
{
    const struct st_wait_rank *rank = &builder->ranks[index];
    const size_t before = builder->waits.edge_count;
    for (size_t k = 0; k < rank->thread_count; k++) {
        add_thread(builder, index, &rank->threads[k], index);
    }
    builder->waits.needs[index] =
        builder->waits.edge_count == before + 1 ? ST_WAITS_ALL : ST_WAITS_ANY;
}

static bool waits_in_collective(const struct st_wait_rank *rank)
{
    bool is = rank->thread_count;
    for (size_t i = 0; i < rank->thread_count; i++) {
        const struct st_wait_thread *thread = &rank->threads[i];
        is &= thread->count == 1 && rank->parts[thread->first].sort == ST_WAIT_COLLECTIVE;
    }
    return is;
}

/* Looks at each rank once: for many ranks the memory that they are in takes most of the time. */
static bool build_graph(struct st_builder *builder)
{
    const size_t count = builder->count;
    builder->in_collective = calloc(count + 1, sizeof *builder->in_collective);
    if (!builder->in_collective || !st_waits_reserve(&builder->waits, count + 1, count)) {
        return false;
    }
    for (size_t i = 0; i <= count; i++) {
        add_node(builder, ST_WAITS_RUNS);
    }
    for (uint32_t i = 0; i < count && !builder->is_full; i++) {
        const struct st_wait_rank *rank = &builder->ranks[i];
        if (st_wait_has_gone(rank)) {
            builder->waits.needs[i] = ST_WAITS_GONE;
        } else if (is_waiting(rank)) {
            builder->in_collective[i] = waits_in_collective(rank);
            add_waiting(builder, i);
        }
    }
    return !builder->is_full;
}

/* --- the deaths ---------------------------------------------------------------------------- */

/* For each node: whether it waits for the core below it directly, or through a node that it shares
 * with other ranks. */
static bool *list_near(const struct st_builder *builder, const struct st_dead *dead)
{
    bool *near = calloc(builder->waits.node_count + 1, sizeof *near);
    for (int pass = 0; pass < 2 && near; pass++) {
        for (size_t i = 0; i < builder->waits.edge_count; i++) {
            const struct st_waits_edge *edge = &builder->waits.edges[i];
            uint32_t core = dead->below[edge->from];
            bool is_shared = edge->to > builder->count;
            near[edge->from] |= core != ST_NO_CORE &&
                                (dead->core[edge->to] == core ||
                                 (is_shared && near[edge->to] && dead->below[edge->to] == core));
        }
    }
    return near;
}

/* The list of the death to which a rank belongs. */
static uint32_t **list_of(struct st_death *death, bool is_gone, bool is_member, bool is_near,
                          size_t **count)
{
    if (is_member && is_gone) {
        *count = &death->missing_count;
        return &death->missing;
    }
    if (is_member || (is_gone && is_near)) {
        *count = &death->rank_count;
        return &death->ranks;
    }
    *count = &death->behind_count;
    return &death->behind;
}

/* The first call counts the ranks of each list. The second, when the lists have memory, fills them. */
static void list_ranks(const struct st_builder *builder, const struct st_dead *dead,
                       const bool *near, const bool *is_gone, struct st_death *deaths)
{
    for (uint32_t i = 0; i < builder->count; i++) {
        uint32_t core = dead->below[i];
        size_t *count;
        if (core == ST_NO_CORE) {
            continue;
        }
        bool is_member = dead->core[i] == core;
        uint32_t **list = list_of(&deaths[core], is_gone[core], is_member, near[i], &count);
        if (*list) {
            (*list)[*count] = i;
        }
        if (!is_member && is_gone[core] && near[i] && !builder->in_collective[i]) {
            deaths[core].kind = ST_DEATH_CYCLE;
        }
        ++*count;
    }
}

static bool make_list_room(uint32_t **list, size_t *count)
{
    bool is_empty = !*count;
    *list = is_empty ? NULL : malloc(*count * sizeof **list);
    *count = 0;
    return is_empty || *list;
}

static void free_death(struct st_death *death)
{
    free(death->ranks);
    free(death->missing);
    free(death->behind);
}

/* For each core: whether it is a rank that has gone. */
static bool *list_gone(const struct st_builder *builder, const struct st_dead *dead)
{
    bool *is_gone = calloc(dead->core_count + 1, sizeof *is_gone);
    for (uint32_t i = 0; i < builder->count && is_gone; i++) {
        if (dead->core[i] != ST_NO_CORE && builder->waits.needs[i] == ST_WAITS_GONE) {
            is_gone[dead->core[i]] = true;
        }
    }
    return is_gone;
}

/* Drops the cores that are a rank that has gone and that nobody waits for. */
static void keep_deaths(struct st_deaths *deaths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (deaths->list[i].rank_count) {
            deaths->list[deaths->count++] = deaths->list[i];
        } else {
            free_death(&deaths->list[i]);
        }
    }
}

static bool describe_dead(const struct st_builder *builder, const struct st_dead *dead,
                          struct st_deaths *deaths)
{
    bool *near = list_near(builder, dead), *is_gone = list_gone(builder, dead);
    deaths->list = calloc(dead->core_count + 1, sizeof *deaths->list);
    bool fine = near && is_gone && deaths->list;
    for (size_t i = 0; i < dead->core_count && fine; i++) {
        deaths->list[i].kind = is_gone[i] ? ST_DEATH_MISSING : ST_DEATH_CYCLE;
    }
    if (fine) {
        list_ranks(builder, dead, near, is_gone, deaths->list);
    }
    for (size_t i = 0; i < dead->core_count && fine; i++) {
        struct st_death *death = &deaths->list[i];
        fine = make_list_room(&death->ranks, &death->rank_count) &&
               make_list_room(&death->missing, &death->missing_count) &&
               make_list_room(&death->behind, &death->behind_count);
    }
    if (fine) {
        list_ranks(builder, dead, near, is_gone, deaths->list);
        keep_deaths(deaths, dead->core_count);
    } else if (deaths->list) {
        deaths->count = dead->core_count; /* the caller frees them */
    }
    free(near);
    free(is_gone);
    return fine;
}

bool st_deaths_find(const struct st_wait_rank *ranks, size_t count, struct st_deaths *deaths)
{
    struct st_builder builder = {.ranks = ranks, .count = count};
    struct st_dead dead = {0};
    *deaths = (struct st_deaths){0};
    bool fine = st_wait_members_list(ranks, count, &builder.members);
    if (fine) {
        fine = build_graph(&builder) && st_waits_solve(&builder.waits, &dead) &&
               describe_dead(&builder, &dead, deaths);
    }
    st_wait_members_free(&builder.members);
    free(builder.shared);
    free(builder.in_collective);
    st_waits_free(&builder.waits);
    st_dead_free(&dead);
    if (!fine) {
        st_deaths_free(deaths);
    }
    return fine;
}

void st_deaths_free(struct st_deaths *deaths)
{
    for (size_t i = 0; i < deaths->count; i++) {
        free_death(&deaths->list[i]);
    }
    free(deaths->list);
    *deaths = (struct st_deaths){0};
}
