/*
 * Correct calls that come near to using memory of pending operations: nothing may be found. Runs as two
 * ranks; says nothing and ends with 0.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
#define ALL_IGNORE MPI_STATUSES_IGNORE

enum { MANY = 12 };

static int rank, other;
static int a[1024], b[1024], c[1024];

static MPI_Datatype comb(int count, int length, int stride)
{
    MPI_Datatype type;
    MPI_Type_vector(count, length, stride, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Combs that interleave, blocks that touch, planes of one array. */
static void neighbours(void)
{
    MPI_Request r[8];
    MPI_Datatype even = comb(32, 1, 2), wide = comb(8, 4, 16), column = comb(16, 1, 16);
    MPI_Irecv(a, 1, even, other, 1, WORLD, &r[0]);
    MPI_Irecv(a + 1, 1, even, other, 2, WORLD, &r[1]);
    MPI_Irecv(b, 8, MPI_INT, other, 3, WORLD, &r[2]);
    MPI_Irecv(b + 8, 8, MPI_INT, other, 4, WORLD, &r[3]);
    for (int i = 0; i < 4; i++)
        MPI_Irecv(b + 64 + 4 * i, 1, wide, other, 5 + i, WORLD, &r[4 + i]);
    MPI_Send(c, 1, even, other, 1, WORLD);
    MPI_Send(c, 1, even, other, 2, WORLD);
    MPI_Send(c, 8, MPI_INT, other, 3, WORLD);
    MPI_Send(c, 8, MPI_INT, other, 4, WORLD);
    for (int i = 0; i < 4; i++)
        MPI_Send(c + 4 * i, 1, wide, other, 5 + i, WORLD);
    MPI_Waitall(8, r, ALL_IGNORE);
    for (int i = 0; i < 8; i++)
        MPI_Irecv(a + i, 1, column, other, i, WORLD, &r[i]);
    for (int i = 8; i < 16; i++)
        MPI_Send(a + i, 1, column, other, i - 8, WORLD);
    MPI_Waitall(8, r, ALL_IGNORE);
    MPI_Type_free(&even);
    MPI_Type_free(&wide);
    MPI_Type_free(&column);
}

/* A buffered send is complete before it is sent, and may be started again: Open MPI starts another
 * request then, and changes the handle. */
static void buffered(void)
{
    enum { LARGE = 1 << 16, TIMES = 3 };
    static int large[LARGE];
    MPI_Request r, two[2];
    int bytes, index;
    void *room;
    MPI_Pack_size(LARGE, MPI_INT, WORLD, &bytes);
    bytes = 4 * TIMES * (bytes + MPI_BSEND_OVERHEAD);
    room = malloc((size_t)bytes);
    MPI_Buffer_attach(room, bytes);
    if (rank == 0) {
        MPI_Bsend_init(large, LARGE, MPI_INT, other, 1, WORLD, &r);
        for (int i = 0; i < TIMES; i++) {
            MPI_Start(&r);
            MPI_Wait(&r, IGNORE);
            large[0] = i;
        }
        MPI_Request_free(&r);
        for (int i = 0; i < 2; i++)
            MPI_Bsend_init(large + i, LARGE - 1, MPI_INT, other, 1, WORLD, &two[i]);
        for (int i = 0; i < TIMES; i++) {
            MPI_Startall(2, two);
            MPI_Waitany(2, two, &index, IGNORE);
            MPI_Waitall(2, two, ALL_IGNORE);
        }
        for (int i = 0; i < 2; i++)
            MPI_Request_free(&two[i]);
    }
    MPI_Barrier(WORLD);
    for (int i = 0; rank == 1 && i < 3 * TIMES; i++)
        MPI_Recv(large, LARGE, MPI_INT, other, 1, WORLD, IGNORE);
    MPI_Buffer_detach(&room, &bytes);
    free(room);
}

/* The same buffer again and again, right after what completed it. */
static void reuse(void)
{
    MPI_Request r, all[MANY];
    int flag = 0, index, count, indices[MANY];
    for (int i = 0; i < 20; i++) {
        MPI_Irecv(a, 4, MPI_INT, other, 1, WORLD, &r);
        MPI_Send(c, 4, MPI_INT, other, 1, WORLD);
        MPI_Wait(&r, IGNORE);
        MPI_Bcast(a, 4, MPI_INT, 0, WORLD);
    }
    MPI_Irecv(a, 4, MPI_INT, other, 1, WORLD, &r);
    MPI_Test(&r, &flag, IGNORE);
    MPI_Send(c, 4, MPI_INT, other, 1, WORLD);
    while (!flag)
        MPI_Test(&r, &flag, IGNORE);
    MPI_Allreduce(a, b, 4, MPI_INT, MPI_SUM, WORLD);
    MPI_Allreduce(b, a, 4, MPI_INT, MPI_SUM, WORLD);
    /* In any order: each is used again as soon as it is there. */
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(a + 4 * i, 4, MPI_INT, other, i, WORLD, &all[i]);
    for (int i = MANY - 1; i >= 0; i--)
        MPI_Send(c, 4, MPI_INT, other, i, WORLD);
    for (int i = 0; i < MANY / 2; i++) {
        MPI_Waitany(MANY, all, &index, IGNORE);
        MPI_Sendrecv(c, 4, MPI_INT, rank, 77, a + 4 * index, 4, MPI_INT, rank, 77, WORLD, IGNORE);
    }
    for (int left = MANY - MANY / 2; left > 0; left -= count) {
        if (left % 2)
            MPI_Waitsome(MANY, all, &count, indices, ALL_IGNORE);
        else
            MPI_Testsome(MANY, all, &count, indices, ALL_IGNORE);
        for (int i = 0; i < count; i++)
            MPI_Sendrecv(c, 4, MPI_INT, rank, 77, a + 4 * indices[i], 4, MPI_INT, rank, 77, WORLD,
                         IGNORE);
    }
    MPI_Waitall(MANY, all, ALL_IGNORE); /* nothing but nulls */
    MPI_Testany(MANY, all, &index, &flag, IGNORE);
}

/* Small sends share one handle, and the program moves its handles about. */
static void moved(void)
{
    MPI_Request all[MANY];
    int place[MANY], left = MANY;
    for (int i = 0; i < MANY; i++) {
        MPI_Isend(a + 4 * i, 4, MPI_INT, other, i, WORLD, &all[i]);
        place[i] = i;
    }
    for (int i = 0; i < MANY; i++)
        MPI_Recv(b, 4, MPI_INT, other, i, WORLD, IGNORE);
    while (left > 0) {
        int at = left / 2;
        MPI_Wait(&all[at], IGNORE);
        MPI_Sendrecv(c, 4, MPI_INT, rank, 77, a + 4 * place[at], 4, MPI_INT, rank, 77, WORLD,
                     IGNORE);
        memmove(all + at, all + at + 1, (size_t)(left - at - 1) * sizeof *all);
        memmove(place + at, place + at + 1, (size_t)(left - at - 1) * sizeof *place);
        left--;
    }
    for (int i = 0; i < MANY; i++) {
        MPI_Request one;
        MPI_Isend(a + 4 * i, 4, MPI_INT, other, i, WORLD, &one);
        all[MANY - 1 - i] = one;
    }
    for (int i = 0; i < MANY; i++)
        MPI_Recv(b, 4, MPI_INT, other, i, WORLD, IGNORE);
    for (int i = 0; i < MANY; i++) {
        MPI_Wait(&all[i], IGNORE);
        MPI_Sendrecv(c, 4, MPI_INT, rank, 77, a + 4 * (MANY - 1 - i), 4, MPI_INT, rank, 77, WORLD,
                     IGNORE);
    }
}

/* Nothing is received, sent, or pending. */
static void nothing(void)
{
    MPI_Request r[6], copy;
    MPI_Datatype type, empty;
    MPI_Comm comm;
    MPI_Aint place;
    int flag, length = 2;
    MPI_Irecv(a, 4, MPI_INT, MPI_PROC_NULL, 1, WORLD, &r[0]);
    MPI_Irecv(a, 0, MPI_INT, other, 2, WORLD, &r[1]);
    MPI_Irecv(a, 4, MPI_INT, other, 3, WORLD, &r[2]);
    MPI_Irecv(a + 3, 0, MPI_INT, other, 4, WORLD, &r[3]);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    MPI_Irecv(a + 1, 7, empty, other, 5, WORLD, &r[4]);
    MPI_Type_free(&empty);
    for (int i = 2; i < 6; i++)
        MPI_Send(c, i == 3 ? 4 : 0, MPI_INT, other, i, WORLD);
    MPI_Waitall(5, r, ALL_IGNORE);
    /* Sent twice, and by a type that is freed at once. */
    type = comb(4, 1, 2);
    MPI_Isend(a, 1, type, other, 1, WORLD, &r[0]);
    MPI_Isend(a, 1, type, other, 2, WORLD, &r[1]);
    MPI_Type_free(&type);
    MPI_Isend(a, 8, MPI_INT, other, 3, WORLD, &r[2]);
    for (int i = 1; i < 4; i++)
        MPI_Recv(b, 8, MPI_INT, other, i, WORLD, IGNORE);
    MPI_Waitall(3, r, ALL_IGNORE);
    /* From MPI_BOTTOM: a and b by their addresses. */
    MPI_Get_address(a, &place);
    MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(MPI_BOTTOM, 1, type, other, 1, WORLD, &r[0]);
    MPI_Irecv(a + 2, 2, MPI_INT, other, 2, WORLD, &r[1]);
    MPI_Type_free(&type);
    MPI_Send(c, 2, MPI_INT, other, 1, WORLD);
    MPI_Send(c, 2, MPI_INT, other, 2, WORLD);
    MPI_Waitall(2, r, ALL_IGNORE);
    /* Persistent requests that nobody has started. */
    MPI_Recv_init(a, 4, MPI_INT, other, 1, WORLD, &r[0]);
    MPI_Recv_init(a, 4, MPI_INT, other, 2, WORLD, &r[1]);
    MPI_Sendrecv(c, 4, MPI_INT, other, 3, a, 4, MPI_INT, other, 3, WORLD, IGNORE);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&r[i]);
        MPI_Send(c, 4, MPI_INT, other, 1 + i, WORLD);
        MPI_Wait(&r[i], IGNORE);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    /* Cancelled, and waited for. */
    MPI_Irecv(a, 4, MPI_INT, other, 99, WORLD, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], IGNORE);
    MPI_Irecv(a, 4, MPI_INT, other, 1, WORLD, &r[0]);
    /* Complete as MPI_Request_get_status says, and its communicator is freed already. */
    MPI_Send(c, 4, MPI_INT, other, 1, WORLD);
    for (flag = 0; !flag;)
        MPI_Request_get_status(r[0], &flag, IGNORE);
    MPI_Sendrecv(c, 4, MPI_INT, other, 3, a, 4, MPI_INT, other, 3, WORLD, IGNORE);
    copy = r[0];
    MPI_Wait(&copy, IGNORE);
    MPI_Comm_dup(WORLD, &comm);
    MPI_Irecv(a, 4, MPI_INT, other, 1, comm, &r[0]);
    MPI_Isend(b, 4, MPI_INT, other, 1, comm, &r[1]);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, r, ALL_IGNORE);
    MPI_Bcast(a, 4, MPI_INT, 0, WORLD);
    /* A buffered send is done with its buffer when it returns. */
    int bytes;
    void *attached = malloc(1000 + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(attached, 1000 + MPI_BSEND_OVERHEAD);
    MPI_Bsend(a, 4, MPI_INT, rank, 5, WORLD);
    MPI_Recv(a, 4, MPI_INT, rank, 5, WORLD, IGNORE);
    MPI_Buffer_detach(&attached, &bytes);
    free(attached);
}

/* Calls that fail and return. */
static void failing(void)
{
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status[2];
    MPI_Comm comm;
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    /* The first message is too long for its buffer. */
    MPI_Irecv(a, 1, MPI_INT, other, 1, comm, &r[0]);
    MPI_Irecv(a + 64, 4, MPI_INT, other, 2, comm, &r[1]);
    MPI_Barrier(comm);
    MPI_Send(c, 4, MPI_INT, other, 1, comm);
    MPI_Send(c, 4, MPI_INT, other, 2, comm);
    MPI_Waitall(2, r, status);
    for (int i = 0; i < 2; i++)
        if (r[i] != MPI_REQUEST_NULL)
            MPI_Wait(&r[i], IGNORE);
    MPI_Bcast(a, 128, MPI_INT, 0, comm);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comm);
}

/* Collectives in their own order: pending on parts of one array. */
static void collectives(void)
{
    MPI_Request r[3];
    int ones[2] = {1, 1}, swapped[2] = {1, 0}, apart[2] = {0, 2};
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 4, MPI_INT, WORLD);
    MPI_Allgather(a, 4, MPI_INT, a + 4, 4, MPI_INT, WORLD);
    MPI_Allgatherv(a, 1, MPI_INT, b, ones, swapped, MPI_INT, WORLD);
    MPI_Alltoallv(a, ones, swapped, MPI_INT, a + 2, ones, swapped, MPI_INT, WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, a, ones, apart, MPI_INT, WORLD);
    /* Only the root's receive buffer means something. */
    MPI_Gather(a, 4, MPI_INT, rank == 0 ? b : a, 4, MPI_INT, 0, WORLD);
    MPI_Reduce(a, rank == 0 ? b : a, 4, MPI_INT, MPI_SUM, 0, WORLD);
    MPI_Scatter(rank == 0 ? b : a, 4, MPI_INT, a, 4, MPI_INT, 0, WORLD);
    if (rank == 0)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, a, 4, MPI_INT, 0, WORLD);
    else
        MPI_Gather(a, 4, MPI_INT, NULL, 0, MPI_INT, 0, WORLD);
    MPI_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, WORLD);
    MPI_Reduce_scatter(MPI_IN_PLACE, a, ones, MPI_INT, MPI_SUM, WORLD);
    MPI_Exscan(a, b, 1, MPI_INT, MPI_SUM, WORLD);
    MPI_Ibcast(a, 4, MPI_INT, 0, WORLD, &r[0]);
    MPI_Iallreduce(a + 4, a + 8, 4, MPI_INT, MPI_SUM, WORLD, &r[1]);
    MPI_Ialltoall(b, 4, MPI_INT, b + 8, 4, MPI_INT, WORLD, &r[2]);
    MPI_Send(b, 4, MPI_INT, MPI_PROC_NULL, 0, WORLD);
    MPI_Waitall(3, r, ALL_IGNORE);
    MPI_Allreduce(b + 8, b, 8, MPI_INT, MPI_SUM, WORLD);
    /* A line of ranks: what its ends have no neighbour for is not touched. */
    MPI_Comm line;
    int dims[1] = {2}, periods[1] = {0};
    MPI_Aint places[2] = {0, 0};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Cart_create(WORLD, 1, dims, periods, 0, &line);
    MPI_Neighbor_alltoallw(a, ones, places, types, b, ones, places, types, line);
    MPI_Comm_free(&line);
}

/* Many one-sided calls with one origin; each epoch gives its memory back. */
static void one_sided(void)
{
    MPI_Win win;
    int *base;
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &base, &win);
    memset(base, 0, 64 * sizeof(int));
    MPI_Win_fence(0, win);
    for (int i = 0; i < 100; i++)
        MPI_Accumulate(a, 1, MPI_INT, other, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(a, 4, MPI_INT, other, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Bcast(a, 4, MPI_INT, 0, WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Get(a, 4, MPI_INT, other, 0, 4, MPI_INT, win);
    MPI_Win_flush_local(other, win);
    MPI_Get(a, 4, MPI_INT, rank, 0, 4, MPI_INT, win);
    MPI_Win_flush_all(win);
    MPI_Sendrecv(c, 4, MPI_INT, rank, 3, a, 4, MPI_INT, rank, 3, WORLD, IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    MPI_Request r[2];
    MPI_Grequest_start(query, release, cancel, NULL, &r[0]);
    MPI_Irecv(a, 4, MPI_INT, other, 1, WORLD, &r[1]);
    MPI_Grequest_complete(r[0]);
    MPI_Send(c, 4, MPI_INT, other, 1, WORLD);
    MPI_Waitall(2, r, ALL_IGNORE);
    MPI_Bcast(a, 4, MPI_INT, 0, WORLD);
}

/* Another thread completes what this one began. */
static void *complete(void *request)
{
    MPI_Wait(request, IGNORE);
    return NULL;
}

static void *exchange(void *state)
{
    int tag = 100 + (int)(size_t)state, *mine = a + 64 * (size_t)state;
    MPI_Request r;
    for (int i = 0; i < 200; i++) {
        MPI_Irecv(mine, 8, MPI_INT, other, tag, WORLD, &r);
        MPI_Send(b, 8, MPI_INT, other, tag, WORLD); /* all threads send b */
        MPI_Wait(&r, IGNORE);
        MPI_Sendrecv_replace(mine, 8, MPI_INT, other, tag, other, tag, WORLD, IGNORE);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[4];
    MPI_Request r;
    MPI_Irecv(a, 4, MPI_INT, other, 1, WORLD, &r);
    MPI_Send(c, 4, MPI_INT, other, 1, WORLD);
    pthread_create(&all[0], NULL, complete, &r);
    pthread_join(all[0], NULL);
    MPI_Bcast(a, 4, MPI_INT, 0, WORLD);
    for (size_t i = 0; i < 4; i++)
        pthread_create(&all[i], NULL, exchange, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
}

/* A child has the memory, and none of the operations. */
static void child(void)
{
    MPI_Request r;
    MPI_Irecv(a, 4, MPI_INT, other, 1, WORLD, &r);
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    MPI_Send(c, 4, MPI_INT, other, 1, WORLD);
    MPI_Wait(&r, IGNORE);
    MPI_Bcast(a, 4, MPI_INT, 0, WORLD);
}

int main(int argc, char **argv)
{
    int provided = MPI_THREAD_SINGLE;
    if (argc > 1)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    other = 1 - rank;
    neighbours();
    reuse();
    buffered();
    moved();
    nothing();
    /* With threads, Open MPI 4.1's MPI_Waitall sometimes waits for ever after a request that failed. */
    if (provided != MPI_THREAD_MULTIPLE)
        failing();
    collectives();
    one_sided();
    generalized();
    if (provided == MPI_THREAD_MULTIPLE)
        threads();
    child();
    MPI_Finalize();
    return 0;
}
