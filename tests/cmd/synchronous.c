/*
 * Programs that rely on MPI's buffers, and programs that do not (synchronous.sh). The first argument says which; with
 * "_buffered" after it is the same.
 */
#include "../give_way.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void require(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void receive(int source, MPI_Comm comm)
{
    int number = -1;
    MPI_Recv(&number, 1, MPI_INT, source, 7, comm, MPI_STATUS_IGNORE);
    require(number == source, "what was received");
}

/* --- only buffers let them pass ------------------------------------------------------------ */

static void head_to_head(void)
{
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD); /* hang: head_to_head */
    receive(1 - rank, MPI_COMM_WORLD);
}

static void ring(void)
{
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD); /* hang: ring */
    receive((rank + size - 1) % size, MPI_COMM_WORLD);
}

static void started(void)
{
    MPI_Request request;
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* hang: started */
    receive(1 - rank, MPI_COMM_WORLD);
}

/* One of them is right. */
static void later_wait(void)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(&rank, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* hang: later_wait */
        receive(1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        receive(0, MPI_COMM_WORLD);
    }
}

static void persistent(void)
{
    MPI_Request request;
    MPI_Send_init(&rank, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* hang: persistent */
    MPI_Request_free(&request);
    receive(1 - rank, MPI_COMM_WORLD);
}

static void itself(void)
{
    MPI_Send(&rank, 1, MPI_INT, rank, 7, MPI_COMM_WORLD); /* hang: itself */
    receive(rank, MPI_COMM_WORLD);
}

/* Even ranks and odd ones. */
static MPI_Comm two_groups(void)
{
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &both);
    MPI_Comm_free(&half);
    return both;
}

static void inter(void)
{
    MPI_Comm both = two_groups();
    int own = rank / 2;
    MPI_Send(&own, 1, MPI_INT, own, 7, both); /* hang: inter */
    receive(own, both);
    MPI_Comm_free(&both);
}

/* The message may wait in a buffer while its sender is in the collective call; MPI_Bcast's root need not wait. */
static void collective(void)
{
    int number = 5;
    if (rank == 0) {
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD); /* hang: collective */
        receive(1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

static void receives(void)
{
    receive(1 - rank, MPI_COMM_WORLD);
}

/* --- safe ---------------------------------------------------------------------------------- */

static void exchange(int other, int number, MPI_Comm comm)
{
    int got = -1;
    MPI_Request requests[2];
    MPI_Irecv(&got, 1, MPI_INT, other, 7, comm, &requests[0]);
    MPI_Send(&number, 1, MPI_INT, other, 7, comm);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    require(got == other, "MPI_Irecv before MPI_Send");
    MPI_Isend(&number, 1, MPI_INT, other, 8, comm, &requests[0]);
    MPI_Irecv(&got, 1, MPI_INT, other, 8, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    require(got == other, "MPI_Isend and MPI_Irecv");
    MPI_Sendrecv(&number, 1, MPI_INT, other, 9, &got, 1, MPI_INT, other, 9, comm,
                 MPI_STATUS_IGNORE);
    require(got == other, "MPI_Sendrecv");
    MPI_Send_init(&number, 1, MPI_INT, other, 10, comm, &requests[0]);
    MPI_Recv_init(&got, 1, MPI_INT, other, 10, comm, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void buffered(int other)
{
    enum { ROOM = 4096 };
    char *room = malloc(ROOM);
    void *back;
    int got = -1, bytes;
    MPI_Buffer_attach(room, ROOM);
    MPI_Bsend(&rank, 1, MPI_INT, other, 11, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, other, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&back, &bytes);
    free(room);
    require(got == other, "MPI_Bsend");
    MPI_Send(&rank, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
}

static void collectives(MPI_Comm comm)
{
    int all[16], mine = rank, sum = 0, n;
    MPI_Comm_size(comm, &n);
    MPI_Bcast(&mine, 1, MPI_INT, 0, comm);
    require(mine == 0, "MPI_Bcast");
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    require(sum == n * (n - 1) / 2, "MPI_Allreduce");
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, n - 1, comm);
    require(rank != n - 1 || all[n - 1] == n - 1, "MPI_Gather");
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    require(sum == rank * (rank + 1) / 2, "MPI_Scan");
    MPI_Alltoall(all, 1, MPI_INT, all + 8, 1, MPI_INT, comm);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_MAX, 0, comm);
    require(rank != 0 || sum == n - 1, "MPI_Reduce");
    MPI_Barrier(comm);
}

static void neighbours(void)
{
    int dims[] = {0}, periods[] = {1}, got[2] = {-1, -1};
    MPI_Comm grid;
    MPI_Dims_create(size, 1, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, grid);
    require(got[0] == (rank + size - 1) % size && got[1] == (rank + 1) % size,
            "MPI_Neighbor_allgather");
    MPI_Comm_free(&grid);
}

static void nonblocking(void)
{
    int number = rank, sum;
    MPI_Request requests[2];
    MPI_Ibcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    if (rank == 0) /* the others are not in a collective call until they have it */
        for (int i = 1; i < size; i++)
            MPI_Send(&rank, 1, MPI_INT, i, 7, MPI_COMM_WORLD);
    else
        receive(0, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    require(number == 0 && sum == size * (size - 1) / 2, "nonblocking collective calls");
}

static void file(void)
{
    int number = -1;
    MPI_File opened;
    MPI_File_open(MPI_COMM_WORLD, "synchronous.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &opened);
    MPI_File_write_at_all(opened, (MPI_Offset)(rank * (int)sizeof rank), &rank, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_sync(opened);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(opened);
    MPI_File_read_at_all(opened, (MPI_Offset)((rank + 1) % size * (int)sizeof rank), &number, 1,
                         MPI_INT, MPI_STATUS_IGNORE);
    require(number == (rank + 1) % size, "a file");
    MPI_File_close(&opened);
}

static void safe(void)
{
    if (rank < 2)
        exchange(1 - rank, rank, MPI_COMM_WORLD);
    if (rank < 2)
        buffered(1 - rank);
    exchange(rank, rank, MPI_COMM_WORLD);
    collectives(MPI_COMM_WORLD);
    neighbours();
    nonblocking();
    file();
}

static void safe_inter(void)
{
    MPI_Comm both = two_groups();
    int number = 4, group = rank % 2;
    exchange(0, 0, both);
    MPI_Bcast(&number, 1, MPI_INT, group ? 0 : MPI_ROOT, both);
    require(number == 4, "MPI_Bcast of two groups");
    MPI_Comm_free(&both);
}

/* ------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"head_to_head", head_to_head},
                 {"ring", ring},
                 {"started", started},
                 {"later_wait", later_wait},
                 {"persistent", persistent},
                 {"itself", itself},
                 {"inter", inter},
                 {"collective", collective},
                 {"receives", receives},
                 {"safe", safe},
                 {"safe_inter", safe_inter}};
    const char *mode = argc > 1 ? argv[1] : "";
    const char *suffix = strstr(mode, "_buffered");
    size_t i, length = suffix ? (size_t)(suffix - mode) : strlen(mode);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    give_way();
    for (i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strlen(modes[i].name) == length && strncmp(mode, modes[i].name, length) == 0)
            break;
    }
    require(i < sizeof modes / sizeof modes[0], "the mode");
    modes[i].run();
    MPI_Finalize();
    return 0;
}
