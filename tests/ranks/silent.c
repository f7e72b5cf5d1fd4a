/*
 * Correct collective calls in which ranks do different things, as MPI allows: nothing is to be found.
 *
 *     silent                  all of them
 *     silent alone            the same, with one thread
 *     silent refused          a rank that goes another way after an error of MPI's
 */
#include "common.h"

#include <pthread.h>
#include <sys/wait.h>

static int in[ROOM], out[ROOM * 4];
static int counts[ROOM], displs[ROOM];
static const int anything = -7;

/* Ten integers: rank by rank another count and datatype of one signature. */
static int ten(MPI_Datatype *type)
{
    const int way = rank % 4;
    *type = MPI_INT;
    if (way == 1)
        MPI_Type_contiguous(10, MPI_INT, type);
    else if (way == 2)
        MPI_Type_vector(5, 1, 2, MPI_INT, type);
    else if (way == 3)
        MPI_Type_create_struct(2, (int[]){2, 3}, (MPI_Aint[]){0, 12},
                               (MPI_Datatype[]){MPI_INT, MPI_INT}, type);
    if (way)
        MPI_Type_commit(type);
    return (int[]){10, 1, 2, 2}[way];
}

static void end(MPI_Datatype *type)
{
    if (*type != MPI_INT)
        MPI_Type_free(type);
}

static void equal_signatures(void)
{
    MPI_Datatype type;
    int count = ten(&type);
    MPI_Request request;
    MPI_Bcast(in, count, type, 0, MPI_COMM_WORLD);
    MPI_Ibcast(in, count, type, size - 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Gather(in, count, type, out, 10, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(out, 10, MPI_INT, in, count, type, 0, MPI_COMM_WORLD);
    MPI_Allgather(in, count, type, out, 10, MPI_INT, MPI_COMM_WORLD);
    end(&type);
    /* Two of two, one of four. */
    MPI_Datatype four;
    MPI_Type_contiguous(4, MPI_INT, &four);
    MPI_Type_commit(&four);
    MPI_Alltoall(in, rank ? 4 : 1, rank ? MPI_INT : four, out, 4, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        counts[i] = rank ? 4 : 1;
        displs[i] = rank ? 4 * i : i;
    }
    MPI_Allgatherv(in, 4, MPI_INT, out, counts, displs, rank ? MPI_INT : four, MPI_COMM_WORLD);
    MPI_Alltoallv(in, counts, displs, rank ? MPI_INT : four, out, counts, displs,
                  rank ? MPI_INT : four, MPI_COMM_WORLD);
    MPI_Type_free(&four);
}

/* Structures of several basic types. */
static void mixed_signatures(void)
{
    MPI_Datatype pair, pairs, resized;
    char memory[256] = {0};
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8},
                           (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &pair);
    MPI_Type_create_resized(pair, 0, 24, &resized);
    MPI_Type_contiguous(6, pair, &pairs);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&pairs);
    MPI_Type_commit(&resized);
    MPI_Datatype mine[] = {pair, pairs, resized};
    for (int i = 0; i < 3; i++)
        MPI_Bcast(memory, (int[]){6, 1, 6}[rank % 3], mine[rank % 3], i % size, MPI_COMM_WORLD);
    static char all[ROOM * 96];
    const MPI_Datatype type = rank % 2 ? pair : pairs;
    for (int i = 0; i < size; i++) {
        counts[i] = rank % 2 ? 6 : 1;
        displs[i] = rank % 2 ? 6 * i : i;
    }
    MPI_Allgatherv(memory, counts[0], type, all, counts, displs, type, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    MPI_Type_free(&pairs);
    MPI_Type_free(&resized);
}

static void packed(void)
{
    if (rank == 0)
        MPI_Bcast(in, 40, MPI_PACKED, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(in, 10, MPI_INT, 0, MPI_COMM_WORLD);
}

/* What another rank than the root need not give. */
static void insignificant(void)
{
    const int is_root = rank == 0;
    for (int i = 0; i < size; i++) {
        counts[i] = is_root ? 2 : anything;
        displs[i] = is_root ? 2 * i : anything;
    }
    const int count = is_root ? 2 : anything;
    MPI_Datatype type = is_root ? MPI_INT : MPI_DATATYPE_NULL;
    int *only = is_root ? out : NULL;
    MPI_Gather(in, 2, MPI_INT, only, count, type, 0, MPI_COMM_WORLD);
    MPI_Gatherv(in, 2, MPI_INT, only, is_root ? counts : NULL, is_root ? displs : NULL, type, 0,
                MPI_COMM_WORLD);
    MPI_Scatter(only, count, type, in, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(only, is_root ? counts : NULL, is_root ? displs : NULL, type, in, 2, MPI_INT, 0,
                 MPI_COMM_WORLD);
    MPI_Reduce(in, only, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* Of or to each rank another number of elements; what is not significant is another number, too. */
static void other_numbers(void)
{
    static int nines[ROOM];
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        displs[i] = 4 * i;
        nines[i] = 9;
    }
    for (int root = 0; root < 2; root++) {
        const int is_root = rank == root, is_in_place = is_root && root == 1;
        void *own = is_in_place ? MPI_IN_PLACE : in;
        const int count = is_in_place ? 9 : rank + 1;
        const int *all = is_root ? counts : nines;
        MPI_Gatherv(own, count, MPI_INT, out, all, displs, MPI_INT, root, MPI_COMM_WORLD);
        MPI_Scatterv(out, all, displs, MPI_INT, own, count, MPI_INT, root, MPI_COMM_WORLD);
    }
    MPI_Allgatherv(in, rank + 1, MPI_INT, out, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 9, MPI_INT, out, counts, displs, MPI_INT, MPI_COMM_WORLD);
    /* From rank r to rank s as many as from s to r. */
    for (int i = 0; i < size; i++)
        counts[i] = 1 + (i + rank) % 3;
    MPI_Alltoallv(MPI_IN_PLACE, nines, nines, MPI_INT, out, counts, displs, MPI_INT,
                  MPI_COMM_WORLD);
}

static void in_place(void)
{
    const int is_root = rank == 0;
    for (int i = 0; i < size; i++) {
        counts[i] = 2;
        displs[i] = 2 * i;
    }
    MPI_Gather(is_root ? MPI_IN_PLACE : in, is_root ? anything : 2,
               is_root ? MPI_DATATYPE_NULL : MPI_INT, out, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(is_root ? MPI_IN_PLACE : in, is_root ? anything : 2,
                is_root ? MPI_DATATYPE_NULL : MPI_INT, out, counts, displs, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Scatter(out, 2, MPI_INT, is_root ? MPI_IN_PLACE : in, is_root ? anything : 2,
                is_root ? MPI_DATATYPE_NULL : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(out, counts, displs, MPI_INT, is_root ? MPI_IN_PLACE : in, is_root ? anything : 2,
                 is_root ? MPI_DATATYPE_NULL : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(is_root ? MPI_IN_PLACE : in, out, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, rank, is_root ? MPI_INT : MPI_DATATYPE_NULL, out, 2, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, rank, is_root ? MPI_INT : MPI_DATATYPE_NULL, out, 2, MPI_INT,
                 MPI_COMM_WORLD);
    /* On some ranks alone. */
    MPI_Scan(is_root ? MPI_IN_PLACE : in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(is_root ? in : MPI_IN_PLACE, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(is_root ? MPI_IN_PLACE : in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void add(void *from, void *to, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)to)[i] += ((int *)from)[i];
}

static void own_operations(void)
{
    MPI_Op one, other, mine;
    MPI_Op_create(add, 1, &one);
    MPI_Op_create(add, 1, &other);
    mine = rank == 0 ? one : other;
    MPI_Reduce(in, out, 2, MPI_INT, mine, 0, MPI_COMM_WORLD);
    MPI_Allreduce(in, out, 2, MPI_INT, mine, MPI_COMM_WORLD);
    MPI_Scan(in, out, 2, MPI_INT, mine, MPI_COMM_WORLD);
    MPI_Op_free(&one);
    MPI_Op_free(&other);
}

static void nothing_at_all(void)
{
    MPI_Datatype type = rank % 2 ? MPI_DOUBLE : MPI_INT;
    MPI_Bcast(NULL, 0, type, 0, MPI_COMM_WORLD);
    MPI_Gather(in, 0, type, out, 0, rank ? MPI_FLOAT : MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Allgather(in, 0, type, out, 0, type, MPI_COMM_WORLD);
    memset(counts, 0, sizeof counts);
    memset(displs, 0, sizeof displs);
    MPI_Alltoallv(in, counts, displs, type, out, counts, displs, type, MPI_COMM_WORLD);
    MPI_Gatherv(in, 0, type, out, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
}

static void large_counts(void)
{
#if MPI_VERSION >= 4
    if (rank == 0)
        MPI_Bcast_c(in, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(in, 4, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Allreduce(in, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Allreduce_c(in, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
}

static void persistent(void)
{
#if MPI_VERSION >= 4
    MPI_Request requests[2];
    MPI_Bcast_init(in, 4, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Allreduce_init(in + 8, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&requests[rank % 2]);
        MPI_Start(&requests[1 - rank % 2]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#endif
}

static void use(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return;
    int last;
    MPI_Comm_size(comm, &last);
    MPI_Bcast(in, 4, MPI_INT, last - 1, comm);
    MPI_Allreduce(in, out, 4, MPI_INT, MPI_MAX, comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}

static void splits(void)
{
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : rank % 2, -rank, &comm);
    use(comm);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comm);
    use(comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, rank,
                        MPI_INFO_NULL, &comm);
    use(comm);
}

static void groups(void)
{
    MPI_Group world, even, odd;
    MPI_Comm comm;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[][3]){{0, (size - 1) / 2 * 2, 2}}, &even);
    MPI_Group_difference(world, even, &odd);
    MPI_Comm_create(MPI_COMM_WORLD, rank % 2 ? odd : even, &comm);
    use(comm);
    MPI_Comm_create(MPI_COMM_WORLD, rank % 2 ? MPI_GROUP_EMPTY : even, &comm);
    use(comm);
    /* Of these the other ranks know nothing. */
    if (rank % 2 == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 5, &comm);
        use(comm);
    }
    /* Rank 0 makes one with each of the others. */
    for (int i = 1; i < size; i++) {
        MPI_Group two;
        MPI_Group_incl(world, 2, (int[]){i, 0}, &two);
        for (int tag = 0; tag < 2 && (rank == 0 || rank == i); tag++) {
            MPI_Comm_create_group(MPI_COMM_WORLD, two, 7 * i + tag, &comm);
            use(comm);
        }
        MPI_Group_free(&two);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_free(&world);
    MPI_Group_free(&even);
    MPI_Group_free(&odd);
}

static void copies(void)
{
    MPI_Comm comm, inner;
    MPI_Request request;
    for (int i = 0; i < 40; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_split(comm, (rank + i) % 2, 0, &inner);
        use(inner);
        use(comm);
    }
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    use(comm);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, rank % 2 ? MPI_INFO_NULL : MPI_INFO_ENV, &comm);
    use(comm);
}

static void grids(void)
{
    MPI_Comm comm, row;
    /* Each of 1 and 2 is true. */
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1 + rank % 2}, 0, &comm);
    MPI_Neighbor_allgather(in, 2, MPI_INT, out, 2, MPI_INT, comm);
    use(comm);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){size, 1}, (int[]){0, 0}, 0, &comm);
    MPI_Neighbor_alltoall(in, 2, MPI_INT, out, 2, MPI_INT, comm);
    MPI_Cart_sub(comm, (int[]){1, 0}, &row);
    use(row);
    use(comm);
    /* Not collective. */
    int place;
    if (rank == 0)
        MPI_Cart_map(MPI_COMM_WORLD, 1, &size, (int[]){0}, &place);
    int degrees = 1, to = (rank + 1) % size, weight = 1;
    /* Edges from and to rank 0 alone, and of each rank to itself. */
    int all[ROOM], weights[ROOM];
    for (int i = 0; i < size; i++) {
        all[i] = rank ? (i ? rank : 0) : size - 1 - i;
        weights[i] = rank ? 5 + rank * !i : 5 + all[i];
    }
    const int count = rank ? 2 : size;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, all, weights, count, all, weights,
                                   MPI_INFO_NULL, 0, &comm);
    use(comm);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degrees, &to, &weight, MPI_INFO_NULL, 0,
                          &comm);
    use(comm);
}

/* Nonblocking ones on two communicators may begin in any order. */
static void crosswise(void)
{
    MPI_Comm comms[2];
    MPI_Request requests[4];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Comm comm = comms[(rank + i) % 2];
        MPI_Ibarrier(comm, &requests[2 * i]);
        MPI_Ibcast(in + 8 * i, 4, MPI_INT, 0, comm, &requests[2 * i + 1]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
}

/* The even ranks and the odd ones. */
static void between(void)
{
    MPI_Comm half, both, all;
    const int is_odd = rank % 2, leads = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_odd, 0, &half);
    MPI_Intercomm_create(half, 0, leads ? MPI_COMM_WORLD : MPI_COMM_NULL,
                         leads ? 1 - rank : anything, 3, &both);
    const int root = is_odd ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(in, 4, MPI_INT, root, both);
    MPI_Barrier(both);
    /* Each group has half of the elements for each pair of ranks. */
    int others, counts[ROOM], displs[ROOM];
    MPI_Comm_remote_size(both, &others);
    for (int i = 0; i < ROOM; i++)
        counts[i] = others, displs[i] = 2 * i;
    MPI_Reduce_scatter_block(in, out, others, MPI_INT, MPI_SUM, both);
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, both);
    MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, both);
    for (int i = 0; i < ROOM; i++)
        counts[i] = size - others;
    MPI_Gatherv(in, others, MPI_INT, out, counts, displs, MPI_INT, root, both);
    MPI_Alltoall(in, is_odd ? 1 : 2, MPI_INT, out, is_odd ? 2 : 1, MPI_INT, both);
    /* As many as the others send: one way one, the other way two. */
    MPI_Allgather(in, is_odd ? 1 : 2, MPI_INT, out, is_odd ? 2 : 1, MPI_INT, both);
    MPI_Intercomm_merge(both, is_odd, &all);
    use(all);
    MPI_Comm_free(&both);
    use(half);
}

static void windows(void)
{
    MPI_Win win;
    MPI_Win_create(rank ? in : NULL, rank ? sizeof in : 0, rank ? 4 : 1, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    MPI_Win_fence(rank ? 0 : MPI_MODE_NOSTORE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void child(void)
{
    if (rank != size - 1)
        return;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
}

/* The root of small broadcasts runs ahead of the others. */
static void far_ahead(void)
{
    for (int i = 0; i < 3000; i++) {
        if (rank == size - 1 && i % 300 == 0)
            usleep(2000);
        MPI_Bcast(in, 1, i % 2 ? MPI_INT : MPI_FLOAT, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void *in_thread(void *comm)
{
    for (int i = 0; i < 50; i++)
        MPI_Allreduce(MPI_IN_PLACE, (int[]){1}, 1, MPI_INT, MPI_SUM, *(MPI_Comm *)comm);
    return NULL;
}

static void threads(void)
{
    int level;
    pthread_t others[2];
    MPI_Comm comms[2];
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE)
        return;
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < 2; i++)
        pthread_create(&others[i], NULL, in_thread, &comms[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(others[i], NULL);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
}

/* One rank alone makes a call that MPI refuses: from then on its calls have other numbers. */
static void refused(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank == 1)
        MPI_Bcast(in, 4, MPI_INT, 99, comm);
    meet();
    for (int i = 0; i < 10; i++) {
        MPI_Bcast(in, 4, MPI_INT, 0, comm);
        MPI_Allreduce(in, out, 4, MPI_INT, MPI_SUM, comm);
    }
    MPI_Comm_free(&comm);
}

/* One rank passes a root that does not exist, after the others have begun their call: the report on that argument is
 * enough. */
static void found_already(void)
{
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank != 1)
        MPI_Ibcast(in, 4, MPI_INT, 0, comm, &request);
    meet();
    if (rank == 1) {
        MPI_Ibcast(in, 4, MPI_INT, 99, comm, &request);
        MPI_Ibcast(in, 4, MPI_INT, 0, comm, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int level;
    const int is_alone = argc > 1 && strcmp(argv[1], "alone") == 0;
    MPI_Init_thread(&argc, &argv, is_alone ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
    begin();
    if (argc > 1 && !is_alone) {
        refused();
        found_already();
    } else {
        void (*const all[])(void) = {
            equal_signatures, mixed_signatures, packed,         insignificant, in_place,
            other_numbers,    own_operations,   nothing_at_all, large_counts,  persistent,
            splits,           groups,           copies,         grids,         crosswise,
            between,          windows,          child,          far_ahead,     threads,
        };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            all[i]();
    }
    MPI_Finalize();
    return 0;
}
