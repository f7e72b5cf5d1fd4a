#include "core/waits/deaths.h"

#include <stdlib.h>
#include <string.h>

static bool has_gone(const struct st_wait_rank *rank)
{
    return rank->presence == ST_WAIT_LEAVING || rank->presence == ST_WAIT_LEFT ||
           rank->presence == ST_WAIT_ENDED;
}

/* --- what fits ----------------------------------------------------------------------------- */

static uint64_t id_of(const struct st_wait_rank *rank, size_t comm)
{
    return comm == ST_NO_COMM ? 0 : rank->comms[comm].id;
}

static bool is_same(int32_t one, int32_t other)
{
    return one == ST_PEER_ANY || other == ST_PEER_ANY || one == ST_PEER_NONE ||
           other == ST_PEER_NONE || one == other;
}

/* What is not known of an operation may fit. */
static bool may_match(const struct st_wait_rank *ranks, uint32_t from,
                      const struct st_wait_part *offer, uint32_t to,
                      const struct st_wait_part *part)
{
    uint64_t offered = id_of(&ranks[from], offer->comm), wanted = id_of(&ranks[to], part->comm);
    enum st_wait_sort other = part->sort == ST_WAIT_SEND ? ST_WAIT_RECEIVE : ST_WAIT_SEND;
    return offer->sort == other && (offered == wanted || !offered) &&
           is_same(offer->world, ranks[to].world_rank) && is_same(offer->tag, part->tag);
}

bool st_wait_fits(const struct st_wait_rank *ranks, uint32_t from, uint32_t to,
                  const struct st_wait_part *part)
{
    for (size_t i = 0; i < ranks[from].pending_count; i++) {
        if (may_match(ranks, from, &ranks[from].pending[i], to, part)) {
            return true;
        }
    }
    return false;
}

/* --- members ------------------------------------------------------------------------------- */

struct st_wait_members {
    uint32_t *by_world; /* index of the rank with this number in the world; UINT32_MAX: not seen */
    size_t size;
};

static uint32_t index_of(const struct st_wait_members *members, int32_t world)
{
    return world >= 0 && (size_t)world < members->size ? members->by_world[world] : UINT32_MAX;
}

static bool list_members(const struct st_wait_rank *ranks, size_t count,
                         struct st_wait_members *members)
{
    int32_t most = -1;
    for (size_t i = 0; i < count; i++) {
        most = ranks[i].world_rank > most ? ranks[i].world_rank : most;
    }
    members->size = (size_t)(most + 1);
    members->by_world = malloc((members->size + 1) * sizeof *members->by_world);
    for (size_t i = 0; members->by_world && i < members->size; i++) {
        members->by_world[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; members->by_world && i < count; i++) {
        if (ranks[i].world_rank >= 0) {
            members->by_world[ranks[i].world_rank] = i;
        }
    }
    return members->by_world;
}

static int32_t member(const struct st_wait_comm *comm, int32_t number)
{
    return comm->members ? comm->members[number] : number;
}

static const struct st_wait_comm *comm_with(const struct st_wait_rank *rank, uint64_t id)
{
    for (size_t i = 0; i < rank->comm_count; i++) {
        if (rank->comms[i].id == id) {
            return &rank->comms[i];
        }
    }
    return NULL;
}

/* What several ranks wait for together. */
struct st_wait_shared {
    uint64_t id;          /* of the communicator */
    uint64_t n;           /* number of the collective call; 0: not known */
    const char *function; /* of the collective call; NULL: a message from any member */
    uint32_t node;
};

static bool is_in_call(const struct st_wait_rank *rank, const struct st_wait_shared *call)
{
    for (size_t i = 0; i < rank->part_count; i++) {
        const struct st_wait_part *part = &rank->parts[i];
        if (part->sort == ST_WAIT_COLLECTIVE && id_of(rank, part->comm) == call->id &&
            strcmp(part->function, call->function) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a member has yet to come to a collective call. Of one that has gone, and that nobody has looked at,
 * it is not known: it will not come. */
static bool is_absent(const struct st_wait_rank *rank, const struct st_wait_shared *call)
{
    const struct st_wait_comm *comm = comm_with(rank, call->id);
    if (!call->n || !comm || !comm->begun) {
        return has_gone(rank) || !is_in_call(rank, call);
    }
    return comm->begun < call->n;
}

static void visit_absent(const struct st_wait_rank *ranks, const struct st_wait_members *members,
                         const struct st_wait_comm *comm, const struct st_wait_shared *call,
                         void (*found)(uint32_t, void *), void *context)
{
    for (int32_t i = 0; i < comm->size; i++) {
        uint32_t index = index_of(members, member(comm, i));
        if (index == UINT32_MAX || is_absent(&ranks[index], call)) {
            found(index, context);
        }
    }
}

struct st_seen_only {
    void (*found)(uint32_t, void *);
    void *context;
};

static void pass_seen(uint32_t index, void *context)
{
    const struct st_seen_only *only = context;
    if (index != UINT32_MAX) {
        only->found(index, only->context);
    }
}

void st_wait_missing(const struct st_wait_rank *ranks, size_t count,
                     const struct st_wait_rank *rank, const struct st_wait_part *part,
                     void (*found)(uint32_t index, void *context), void *context)
{
    struct st_wait_members members;
    struct st_seen_only only = {found, context};
    if (part->comm == ST_NO_COMM || !list_members(ranks, count, &members)) {
        return;
    }
    const struct st_wait_shared call = {rank->comms[part->comm].id, part->n, part->function, 0};
    visit_absent(ranks, &members, &rank->comms[part->comm], &call, pass_seen, &only);
    free(members.by_world);
}

/* --- the graph ----------------------------------------------------------------------------- */

struct st_builder {
    const struct st_wait_rank *ranks;
    size_t count;
    struct st_wait_members members;
    struct st_waits waits; /* node i is rank i; node `count` runs */
    struct st_wait_shared *shared;
    size_t shared_count, shared_room;
    uint32_t node; /* that edges are added to */
    bool is_full;  /* memory ended */
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

static void add_absent(uint32_t index, void *context)
{
    struct st_builder *builder = context;
    add_edge(builder, builder->node, index == UINT32_MAX ? (uint32_t)builder->count : index);
}

static void add_members(struct st_builder *builder, const struct st_wait_comm *comm, uint32_t node)
{
    for (int32_t i = 0; i < comm->size; i++) {
        uint32_t index = index_of(&builder->members, member(comm, i));
        add_edge(builder, node, index == UINT32_MAX ? (uint32_t)builder->count : index);
    }
}

/* Nobody leaves such a call before all have come to it. */
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
    return one->id == other->id && one->n == other->n && !one->function == !other->function &&
           (one->n || !one->function || strcmp(one->function, other->function) == 0);
}

static uint32_t shared_node(struct st_builder *builder, const struct st_wait_comm *comm,
                            struct st_wait_shared wanted)
{
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
    bool waits_for_all = wanted.function && (wanted.n || is_synchronizing(wanted.function));
    wanted.node = add_node(builder, waits_for_all ? ST_WAITS_ALL : ST_WAITS_ANY);
    builder->shared[builder->shared_count++] = wanted;
    if (!wanted.function) {
        add_members(builder, comm, wanted.node);
        return wanted.node;
    }
    size_t before = builder->waits.edge_count;
    builder->node = wanted.node;
    visit_absent(builder->ranks, &builder->members, comm, &wanted, add_absent, builder);
    if (builder->waits.edge_count == before) { /* all are there: it is MPI's matter */
        add_edge(builder, wanted.node, (uint32_t)builder->count);
    }
    return wanted.node;
}

/* Some member has what a receive from any source fits. */
static bool fits_any(const struct st_builder *builder, uint32_t rank,
                     const struct st_wait_part *part)
{
    for (uint32_t i = 0; i < builder->count; i++) {
        if (st_wait_fits(builder->ranks, i, rank, part)) {
            return true;
        }
    }
    return false;
}

/* The node that a part of rank `rank` waits for; node `count`: it may go on by itself. */
static uint32_t target_of(struct st_builder *builder, uint32_t rank,
                          const struct st_wait_part *part)
{
    const uint32_t runs = (uint32_t)builder->count;
    const struct st_wait_rank *own = &builder->ranks[rank];
    if (!id_of(own, part->comm)) {
        return runs;
    }
    const struct st_wait_comm *comm = &own->comms[part->comm];
    if (part->sort == ST_WAIT_COLLECTIVE) {
        return shared_node(builder, comm,
                           (struct st_wait_shared){comm->id, part->n, part->function, 0});
    }
    if (part->sort == ST_WAIT_UNKNOWN || part->world == ST_PEER_NONE) {
        return runs;
    }
    if (part->world == ST_PEER_ANY) {
        return part->sort == ST_WAIT_SEND || fits_any(builder, rank, part)
                   ? runs
                   : shared_node(builder, comm, (struct st_wait_shared){.id = comm->id});
    }
    uint32_t peer = index_of(&builder->members, part->world);
    return peer == UINT32_MAX || st_wait_fits(builder->ranks, peer, rank, part) ? runs : peer;
}

static void add_thread(struct st_builder *builder, uint32_t rank,
                       const struct st_wait_thread *thread, uint32_t node)
{
    const struct st_wait_rank *own = &builder->ranks[rank];
    for (size_t i = 0; i < thread->count; i++) {
        add_edge(builder, node, target_of(builder, rank, &own->parts[thread->first + i]));
    }
}

static bool is_waiting(const struct st_wait_rank *rank)
{
    bool waits = rank->is_stuck && rank->thread_count;
    for (size_t i = 0; i < rank->thread_count; i++) {
        waits &= rank->threads[i].in_call && !rank->threads[i].runs && rank->threads[i].count;
    }
    return waits;
}

/* One way to go on is enough, whoever's it is: of a thread, of an operation of Waitall. So all of them are
 * targets of the rank's own node. A node with one target waits for all, so that a cycle is seen as one. */
static void build(struct st_builder *builder)
{
    for (uint32_t i = 0; i < builder->count; i++) {
        const struct st_wait_rank *rank = &builder->ranks[i];
        add_node(builder, has_gone(rank)     ? ST_WAITS_GONE
                          : is_waiting(rank) ? ST_WAITS_ANY
                                             : ST_WAITS_RUNS);
    }
    add_node(builder, ST_WAITS_RUNS);
    for (uint32_t i = 0; i < builder->count && !builder->is_full; i++) {
        const struct st_wait_rank *rank = &builder->ranks[i];
        if (builder->waits.needs[i] != ST_WAITS_ANY) {
            continue;
        }
        size_t before = builder->waits.edge_count;
        size_t targets = 0;
        for (size_t k = 0; k < rank->thread_count; k++) {
            targets += rank->threads[k].count;
            add_thread(builder, i, &rank->threads[k], i);
        }
        if (targets == 1 && builder->waits.edge_count > before) {
            builder->waits.needs[i] = ST_WAITS_ALL;
        }
    }
}

/* --- what it says -------------------------------------------------------------------------- */

static bool waits_in_collective(const struct st_wait_rank *rank)
{
    bool is = rank->thread_count;
    for (size_t i = 0; i < rank->thread_count; i++) {
        const struct st_wait_thread *thread = &rank->threads[i];
        is &= thread->count == 1 && rank->parts[thread->first].sort == ST_WAIT_COLLECTIVE;
    }
    return is;
}

/* By node: whether it waits for the core below it by itself, or through what it shares with others. */
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

/* What a rank is to the death of the core that is below it. */
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

/* Counts the ranks of each list, and then, when there is room for them, lists them. */
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
        if (!is_member && is_gone[core] && near[i] && !waits_in_collective(&builder->ranks[i])) {
            deaths[core].kind = ST_DEATH_CYCLE;
        }
        ++*count;
    }
}

static bool make_room(uint32_t **list, size_t *count)
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

/* By core: whether it is a rank that has gone. */
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

/* A rank that has left, and that nobody waits for, is nobody's death. */
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

static bool describe(const struct st_builder *builder, const struct st_dead *dead,
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
        fine = make_room(&death->ranks, &death->rank_count) &&
               make_room(&death->missing, &death->missing_count) &&
               make_room(&death->behind, &death->behind_count);
    }
    if (fine) {
        list_ranks(builder, dead, near, is_gone, deaths->list);
        keep_deaths(deaths, dead->core_count);
    } else if (deaths->list) {
        deaths->count = dead->core_count; /* to be freed */
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
    bool fine = list_members(ranks, count, &builder.members);
    if (fine) {
        build(&builder);
        fine = !builder.is_full && st_waits_solve(&builder.waits, &dead) &&
               describe(&builder, &dead, deaths);
    }
    free(builder.members.by_world);
    free(builder.shared);
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
