/*
 * Communicators in the registry: the same id in all their processes, another one for each communicator;
 * their processes; the count of collective calls. comms [ROUNDS]
 *
 * Each rank tells rank 0 the id of each communicator that it has, with a number that its processes have
 * agreed on by a broadcast: equal ids and equal numbers must go together.
 */
#include "tree.h"

enum { MOST = 400000, ALL = 4 };

/* A communicator as one process has it. */
struct seen {
    uint64_t id;
    uint64_t number; /* the test's own: the same in all processes of it */
};
static struct seen seen[MOST];
static int seen_count;
static int rank, size;
static uint64_t made;

static uint64_t value_of(MPI_Comm comm)
{
    uint64_t value = 0;
    memcpy(&value, &comm, sizeof comm);
    return value;
}

static const struct st_comm *comm_of(MPI_Comm comm)
{
    const struct st_operations *operations = (const void *)(uintptr_t)root->operations;
    const uint64_t *chunks = (const void *)(uintptr_t)operations->comm_chunks;
    const struct st_comm *found = NULL;
    for (uint32_t i = 0; i < operations->comms_used; i++) {
        const struct st_comm *chunk =
            (const void *)(uintptr_t)chunks[i / operations->comms_per_chunk];
        const struct st_comm *one = &chunk[i % operations->comms_per_chunk];
        if (one->serial && one->handle == value_of(comm) && (!found || one->serial > found->serial))
            found = one;
    }
    return found;
}

static uint64_t member_of(const struct st_comm_group *group, int number)
{
    const struct st_block *block = (const void *)(uintptr_t)group->members;
    if (group->form == ST_GROUP_STRIDED)
        return st_gpid(group->world, group->first + number * group->stride);
    return group->form == ST_GROUP_LISTED ? ((const uint64_t *)(block + 1))[number] : ST_NO_GPID;
}

/* The group in the registry against MPI's. */
static bool has_members(MPI_Group group, const struct st_comm_group *recorded)
{
    MPI_Group world;
    int count;
    bool same = true;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &count);
    same = recorded->size == count;
    for (int i = 0; i < count && same; i++) {
        int there;
        PMPI_Group_translate_ranks(group, 1, &i, world, &there);
        same = member_of(recorded, i) == st_gpid(root->world, there);
    }
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    return same;
}

/* All processes of the communicator agree on it by messages. */
static uint64_t agreed_number(MPI_Comm comm)
{
    MPI_Comm all = comm;
    int inter, first, other = 0;
    uint64_t number = ++made << 8 | (uint64_t)rank;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) {
        other = member_of(&comm_of(comm)->group, 0) > member_of(&comm_of(comm)->remote, 0);
        PMPI_Intercomm_merge(comm, other, &all);
    }
    PMPI_Comm_rank(all, &first);
    PMPI_Bcast(&number, 1, MPI_UINT64_T, 0, all);
    if (inter)
        PMPI_Comm_free(&all);
    return number;
}

static void look(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return;
    const struct st_comm *one = comm_of(comm);
    if (!one || seen_count == MOST) {
        CHECK(one && seen_count < MOST);
        return;
    }
    MPI_Group group;
    CHECK(one->id != 0 && one->flags & ST_COMM_KNOWN);
    PMPI_Comm_group(comm, &group);
    CHECK(has_members(group, &one->group));
    if (one->flags & ST_COMM_INTER) {
        PMPI_Comm_remote_group(comm, &group);
        CHECK(has_members(group, &one->remote));
    }
    uint64_t id = one->id;
    seen[seen_count++] = (struct seen){.id = id, .number = agreed_number(comm)};
}

/* Each id has one number, and each number one id. */
static int by_id(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id)
                          : (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->id > y->id) - (x->id < y->id);
}

static void compare_all(struct seen *all, int count)
{
    int differ = 0, equal = 0;
    qsort(all, (size_t)count, sizeof *all, by_number);
    for (int i = 1; i < count; i++)
        differ += all[i].number == all[i - 1].number && all[i].id != all[i - 1].id;
    qsort(all, (size_t)count, sizeof *all, by_id);
    for (int i = 1; i < count; i++)
        equal += all[i].id == all[i - 1].id && all[i].number != all[i - 1].number;
    CHECK_EQUAL(differ, 0);
    CHECK_EQUAL(equal, 0);
    printf("%d ids of %d ranks\n", count, size);
}

static void gather(void)
{
    int counts[ALL], starts[ALL + 1] = {0};
    PMPI_Gather(&seen_count, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++) {
        counts[i] *= 2;
        starts[i + 1] = starts[i] + counts[i];
    }
    struct seen *all = rank == 0 ? malloc((size_t)starts[size] * sizeof(uint64_t) + 1) : NULL;
    PMPI_Gatherv(seen, 2 * seen_count, MPI_UINT64_T, all, counts, starts, MPI_UINT64_T, 0,
                 MPI_COMM_WORLD);
    if (rank == 0)
        compare_all(all, starts[size] / 2);
    free(all);
}

/* --- every constructor ------------------------------------------------------------------------- */

static MPI_Comm halves(void)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    return half;
}

static MPI_Comm pair_of(MPI_Comm half, int tag)
{
    MPI_Comm inter;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, tag, &inter);
    return inter;
}

static void with_groups(MPI_Comm comm)
{
    MPI_Group all, some;
    MPI_Comm made_of, again;
    int last[] = {2, 0}, own;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 2, last, &some);
    MPI_Comm_create(comm, some, &made_of);
    look(made_of);
    if (made_of != MPI_COMM_NULL)
        MPI_Comm_free(&made_of);
    /* The same twice, which who is not in the group takes no part in. */
    if (own == 0 || own == 2) {
        MPI_Comm_create_group(comm, some, 5, &made_of);
        MPI_Comm_create_group(comm, some, 5, &again);
        look(made_of);
        look(again);
        MPI_Comm_free(&made_of);
        MPI_Comm_free(&again);
        MPI_Comm_create_group(comm, some, 6, &made_of);
        look(made_of);
        MPI_Comm_free(&made_of);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&some);
}

static void topologies(void)
{
    MPI_Comm grid, rows, graph, edges;
    const int sides[] = {2, 2}, periods[] = {0, 1}, keep[] = {0, 1};
    const int index[] = {1, 2, 3, 4}, neighbours[] = {1, 0, 3, 2};
    int here = rank, next = (rank + 1) % size, previous = (rank + size - 1) % size, one = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &grid);
    look(grid);
    MPI_Cart_sub(grid, keep, &rows);
    look(rows);
    MPI_Graph_create(MPI_COMM_WORLD, 4, index, neighbours, 0, &graph);
    look(graph);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &here, &one, &next, &one, MPI_INFO_NULL, 0, &edges);
    look(edges);
    MPI_Comm_free(&edges);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, &one, 1, &next, &one,
                                   MPI_INFO_NULL, 0, &edges);
    look(edges);
    MPI_Comm_free(&edges);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&rows);
    MPI_Comm_free(&grid);
}

static void copies(MPI_Comm of)
{
    MPI_Comm copy, later;
    MPI_Request request;
    MPI_Comm_dup(of, &copy);
    look(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_dup_with_info(of, MPI_INFO_NULL, &copy);
    look(copy);
    MPI_Comm_idup(of, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_rank(later, &(int){0});
    MPI_Barrier(later);
    look(later);
    MPI_Comm_free(&later);
    MPI_Comm_free(&copy);
}

static void constructors(void)
{
    MPI_Comm half = halves(), node, inter, again, merged, split;
    look(MPI_COMM_WORLD);
    look(MPI_COMM_SELF);
    look(half);
    copies(MPI_COMM_WORLD);
    copies(MPI_COMM_SELF);
    copies(half);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &node);
    look(node);
    with_groups(MPI_COMM_WORLD);
    with_groups(node);
    topologies();
    inter = pair_of(half, 3);
    again = pair_of(half, 3);
    look(inter);
    look(again);
    copies(inter);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    look(merged);
    MPI_Comm_split(inter, rank / 2, 0, &split);
    look(split);
    MPI_Comm_disconnect(&split);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&again);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&node);
    MPI_Comm_free(&half);
}

/* --- the count of collective calls ------------------------------------------------------------- */

static void one_of_each(MPI_Comm comm)
{
    int number = 0, numbers[ALL];
    MPI_Request request;
    MPI_Comm copy, self = MPI_COMM_SELF;
    MPI_Win window;
    uint64_t before = comm_of(comm)->collectives, of_self = comm_of(self)->collectives;
    MPI_Barrier(comm);                       /* the quick path */
    MPI_Bcast(&number, 1, MPI_INT, 0, comm); /* the quick path */
    MPI_Bcast(&number, 0, MPI_INT, 0, comm); /* not the quick path */
    MPI_Allgather(&number, 1, MPI_INT, numbers, 1, MPI_INT, comm);
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_dup(comm, &copy);
    MPI_Win_create(numbers, sizeof numbers, 1, MPI_INFO_NULL, comm, &window);
    MPI_Win_free(&window); /* counts on the window, and what MPI does inside nowhere */
    CHECK_EQUAL(comm_of(comm)->collectives - before, 7);
    CHECK_EQUAL(comm_of(copy)->collectives, 0);
    MPI_Comm_free(&copy);
    MPI_Sendrecv(&number, 1, MPI_INT, (rank + 1) % size, 1, numbers, 1, MPI_INT,
                 (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(comm_of(comm)->collectives - before, 7);
    CHECK_EQUAL(comm_of(self)->collectives, of_self);
}

/* --- many, at random ---------------------------------------------------------------------------- */

static uint32_t random_word(void)
{
    static uint64_t state = 12345; /* the same in all ranks */
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

enum { WAYS = 16 };
static int made_by[WAYS]; /* how many were made in each way */

/* The members of `of` whose bit of `word` is set, or all if none is, the last one first. */
static MPI_Group some_of(MPI_Comm of, uint32_t word)
{
    MPI_Group all, some;
    int count, numbers[ALL], found = 0;
    MPI_Comm_size(of, &count);
    MPI_Comm_group(of, &all);
    for (int i = count; i-- > 0;)
        if (word >> i & 1 || word % (1u << count) == 0)
            numbers[found++] = i;
    MPI_Group_incl(all, found, numbers, &some);
    MPI_Group_free(&all);
    return some;
}

static bool is_in(MPI_Group group)
{
    int own;
    MPI_Group_rank(group, &own);
    return own != MPI_UNDEFINED;
}

static MPI_Comm of_group(MPI_Comm of, uint32_t word, int tag)
{
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Group some = some_of(of, word);
    if (tag < 0)
        MPI_Comm_create(of, some, &fresh);
    else if (is_in(some))
        MPI_Comm_create_group(of, some, tag, &fresh);
    MPI_Group_free(&some);
    return fresh;
}

/* What MPI has without MPI_COMM_WORLD; else a communicator of a group. */
static MPI_Comm of_session(MPI_Comm of, uint32_t word)
{
#if MPI_VERSION >= 4
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Session session;
    MPI_Group some = some_of(of, word);
    if (is_in(some)) {
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
        MPI_Comm_create_from_group(some, word % 2 ? "odd" : "even", MPI_INFO_NULL,
                                   MPI_ERRORS_ARE_FATAL, &fresh);
        MPI_Session_finalize(&session);
    }
    MPI_Group_free(&some);
    return fresh;
#else
    return of_group(of, word, 9);
#endif
}

static MPI_Comm two_groups(MPI_Comm of, int tag, bool merge)
{
    MPI_Comm half, inter, merged;
    int own, count;
    MPI_Comm_rank(of, &own);
    MPI_Comm_size(of, &count);
    if (count < 2)
        return MPI_COMM_NULL;
    MPI_Comm_split(of, own % 2, own, &half);
    MPI_Intercomm_create(half, 0, of, 1 - own % 2, tag, &inter);
    MPI_Comm_free(&half);
    if (!merge)
        return inter;
    look(inter);
    MPI_Intercomm_merge(inter, own % 2, &merged);
    MPI_Comm_free(&inter);
    return merged;
}

static MPI_Comm rows_of(MPI_Comm of)
{
    MPI_Comm grid, rows;
    int count;
    MPI_Comm_size(of, &count);
    MPI_Cart_create(of, 2, (int[]){count % 2 ? 1 : 2, count % 2 ? count : count / 2}, (int[]){0, 1},
                    0, &grid);
    look(grid);
    MPI_Cart_sub(grid, (int[]){0, 1}, &rows);
    MPI_Comm_free(&grid);
    return rows;
}

/* Each process is its own only neighbour. */
static MPI_Comm graph_of(MPI_Comm of, uint32_t sort)
{
    static const int ends[] = {1, 2, 3, 4}, neighbours[] = {0, 1, 2, 3};
    MPI_Comm fresh;
    int own, count, one = 1;
    MPI_Comm_rank(of, &own);
    MPI_Comm_size(of, &count);
    if (sort == 0)
        MPI_Graph_create(of, count, ends, neighbours, 0, &fresh);
    else if (sort == 1)
        MPI_Dist_graph_create(of, 1, &own, &one, &own, &one, MPI_INFO_NULL, 0, &fresh);
    else
        MPI_Dist_graph_create_adjacent(of, 1, &own, &one, 1, &own, &one, MPI_INFO_NULL, 0, &fresh);
    return fresh;
}

static MPI_Comm copy_of(MPI_Comm of, uint32_t way)
{
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Request request;
    if (way == 0) {
        MPI_Comm_dup(of, &fresh);
    } else if (way == 1) {
        MPI_Comm_dup_with_info(of, MPI_INFO_NULL, &fresh);
    } else {
        MPI_Comm_idup(of, &fresh, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_rank(fresh, &(int){0}); /* learns the processes */
    }
    return fresh;
}

static MPI_Comm split_of(MPI_Comm of, uint32_t word)
{
    MPI_Comm fresh;
    MPI_Comm_split(of, (int)(word >> rank & 1), word & 16 ? rank : -rank, &fresh);
    return fresh;
}

static MPI_Comm of_pair(MPI_Comm of, uint32_t way)
{
    MPI_Comm fresh;
    if (way % 4 < 3)
        return copy_of(of, way % 4);
    const int high = member_of(&comm_of(of)->group, 0) > member_of(&comm_of(of)->remote, 0);
    MPI_Intercomm_merge(of, high, &fresh);
    return fresh;
}

/* A new communicator, by a constructor that all members of `of` agree on. */
static MPI_Comm make_at_random(MPI_Comm of, uint32_t way, uint32_t word)
{
    MPI_Comm fresh;
    int inter, count;
    MPI_Comm_test_inter(of, &inter);
    if (inter)
        return of_pair(of, word);
    MPI_Comm_size(of, &count);
    switch (way) {
    case 0:
    case 1:
    case 2:
        return copy_of(of, way);
    case 3:
        return split_of(of, word);
    case 4:
        MPI_Comm_split_type(of, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &fresh);
        return fresh;
    case 5:
        return of_group(of, word, -1);
    case 6:
        return of_group(of, word, (int)(word >> 8) % 3);
    case 7: /* two of them, the first and the last */
        return of_group(of, 1u | 1u << (count - 1), (int)(word >> 8) % 3);
    case 8:
        MPI_Cart_create(of, 1, &count, &(int){1}, 0, &fresh);
        return fresh;
    case 9:
        return rows_of(of);
    case 10:
    case 11:
    case 12:
        return graph_of(of, way - 10);
    case 13:
        return two_groups(of, (int)(word >> 8) % 3, false);
    case 14:
        return two_groups(of, (int)(word >> 8) % 3, true);
    default:
        return of_session(of, word);
    }
}

static void many(long rounds)
{
    enum { KEPT = 8 };
    MPI_Comm kept[KEPT];
    for (int i = 0; i < KEPT; i++)
        kept[i] = MPI_COMM_NULL;
    for (long i = 0; i < rounds; i++) {
        const uint32_t at = random_word() % KEPT, from = random_word() % (2 * KEPT);
        const uint32_t way = random_word() % WAYS, word = random_word();
        const MPI_Comm of = from < KEPT ? kept[from] : MPI_COMM_WORLD;
        if (i % 16 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        const MPI_Comm fresh = of == MPI_COMM_NULL ? MPI_COMM_NULL : make_at_random(of, way, word);
        look(fresh);
        made_by[way] += fresh != MPI_COMM_NULL;
        if (kept[at] != MPI_COMM_NULL)
            MPI_Comm_free(&kept[at]);
        kept[at] = fresh;
    }
    for (int i = 0; i < KEPT; i++)
        if (kept[i] != MPI_COMM_NULL)
            MPI_Comm_free(&kept[i]);
    for (int i = 0; i < WAYS && rounds >= 300; i++)
        CHECK(made_by[i] > 0);
}

int main(int argc, char **argv)
{
    start();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_EQUAL(size, ALL);
    CHECK(root->world != 0);
    constructors();
    one_of_each(MPI_COMM_WORLD);
    many(argc > 1 ? atol(argv[1]) : 300);
    gather();
    int sums[2] = {passed, failed}, all[2];
    PMPI_Reduce(sums, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank != 0)
        return failed != 0;
    passed = all[0];
    failed = all[1];
    return finish();
}
