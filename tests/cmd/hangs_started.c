/* Collective calls that are started now and waited for later. */
#include "hangs.h"

#include <mpi.h>

#include <unistd.h>

enum { SECONDS = 6 };

#if MPI_VERSION >= 4 || (defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5)
#define BARRIER_INIT MPI_Barrier_init
#elif defined(OPEN_MPI)
#include <mpi-ext.h>
#define BARRIER_INIT MPIX_Barrier_init
#endif

static int number;

static void ibarrier_finalized(void)
{
    MPI_Request request;
    if (rank == 1)
        return;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* hang: ibarrier_finalized */
}

/* Rank 1 begins one, and rank 0 two. */
static void ibcast_twice(void)
{
    MPI_Request request;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < 2 - rank; i++) {
        MPI_Ibcast(&number, 1, MPI_INT, 1, copy, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* hang: ibcast_twice */
    }
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, copy, MPI_STATUS_IGNORE);
}

/* Rank 1 waits for a message, and rank 0 for two collective calls. */
static void iallreduce_all(void)
{
    int sums[2];
    MPI_Request requests[2];
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Iallreduce(&number, &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* hang: iallreduce_all */
}

#ifdef BARRIER_INIT
/* All make it; rank 1 starts it once, the others twice. */
static void persistent(void)
{
    MPI_Request request;
    BARRIER_INIT(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2 - (rank == 1); i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* hang: persistent */
    }
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The same, and all free it: nothing but the numbers of starts tells that rank 1 is missing. */
static void persistent_freed(void)
{
    MPI_Request request;
    BARRIER_INIT(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2 - (rank == 1); i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* hang: persistent_freed */
    }
    MPI_Request_free(&request);
}

/* The last one to start it is late. */
static void persistent_late(void)
{
    MPI_Request request;
    BARRIER_INIT(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        if (i == 1 && rank == 1)
            sleep(SECONDS);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}
#endif

#if MPI_VERSION >= 4
enum { PARTITIONS = 4 };

static void make_partitioned(MPI_Request *send, MPI_Request *receive)
{
    static int sent[PARTITIONS], received[PARTITIONS];
    MPI_Psend_init(sent, PARTITIONS, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_INFO_NULL, send);
    MPI_Precv_init(/* hang: precv */ received, PARTITIONS, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD,
                   MPI_INFO_NULL, receive);
}

/* Both wait for what the other one starts to send only afterwards. */
static void partitioned(void)
{
    MPI_Request send, receive;
    make_partitioned(&send, &receive);
    MPI_Start(&receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE); /* hang: partitioned */
    MPI_Start(&send);
    MPI_Pready_range(0, PARTITIONS - 1, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

/* Rank 0 forgets partitions. */
static void partitioned_unready(void)
{
    MPI_Request send, receive;
    make_partitioned(&send, &receive);
    if (rank == 0) {
        MPI_Start(&send);
        MPI_Pready(2, send);
        MPI_Wait(&send, MPI_STATUS_IGNORE); /* hang: partitioned_unready */
    } else {
        MPI_Start(&receive);
        MPI_Wait(&receive, MPI_STATUS_IGNORE); /* hang: partitioned_waits */
    }
}

/* A partitioned receive does not match MPI_Send. */
static void partitioned_sent(void)
{
    MPI_Request send, receive;
    make_partitioned(&send, &receive);
    if (rank == 1) {
        MPI_Send(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        return;
    }
    MPI_Start(&receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE); /* hang: partitioned_sent */
}

/* The partitions are ready one after the other, and a message comes later still. */
static void partitioned_late(void)
{
    MPI_Request requests[2], send;
    make_partitioned(&send, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Irecv(&number, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Start(&send);
    for (int i = 0; i < PARTITIONS; i++) {
        if (rank == 1)
            sleep(SECONDS / 2);
        MPI_Pready(i, send);
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    if (rank == 1)
        sleep(SECONDS);
    MPI_Send(&(int){1}, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&requests[0]);
}
#endif

/* MPI_Waitall of requests that may be complete: nothing is reported. */
static void waitall_late(void)
{
    MPI_Request requests[2];
    int received[2];
    MPI_Irecv(&received[0], 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    if (rank == 1)
        sleep(SECONDS);
    if (rank == 1)
        MPI_Send(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Begun by all; who waits first waits for who computes, and who has freed the communicator has begun it. */
static void ibarrier_late(void)
{
    MPI_Request request;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 1)
        sleep(SECONDS);
    MPI_Ibarrier(copy, &request);
#ifndef OPEN_MPI /* it crashes then */
    MPI_Comm_free(&copy);
#endif
    if (rank == 0)
        MPI_Recv(&number, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 2)
        MPI_Send(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
#ifdef OPEN_MPI
    MPI_Comm_free(&copy);
#endif
}

static void add_slowly(void *in, void *out, int *length, MPI_Datatype *type)
{
    (void)type;
    sleep(SECONDS / 2);
    for (int i = 0; i < *length; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

/* The program's own operation runs in MPI_Wait, and sends. */
static void own_operation(void)
{
    int sum = 0;
    MPI_Op op;
    MPI_Request request;
    MPI_Op_create(add_slowly, 1, &op);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Op_free(&op);
}

static int copy_slowly(MPI_Comm comm, int keyval, void *extra, void *value, void *copied, int *flag)
{
    (void)comm, (void)keyval, (void)extra, (void)value, (void)copied;
    sleep(SECONDS);
    *flag = 0;
    PMPI_Send(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    return MPI_SUCCESS;
}

/* MPI_Comm_dup of rank 1 calls back, and rank 0 waits for what it sends there. */
static void copies(void)
{
    int keyval;
    MPI_Comm copy;
    MPI_Comm_create_keyval(copy_slowly, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    if (rank == 1)
        MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL);
    if (rank == 0)
        MPI_Recv(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&keyval);
}

const struct mode started_modes[] = {
    {"ibarrier_finalized", ibarrier_finalized},
    {"ibcast_twice", ibcast_twice},
    {"iallreduce_all", iallreduce_all},
#ifdef BARRIER_INIT
    {"persistent", persistent},
    {"persistent_freed", persistent_freed},
    {"persistent_late", persistent_late},
#endif
#if MPI_VERSION >= 4
    {"partitioned", partitioned},
    {"partitioned_sent", partitioned_sent},
    {"partitioned_late", partitioned_late},
    {"partitioned_unready", partitioned_unready},
#endif
    {"ibarrier_late", ibarrier_late},
    {"waitall_late", waitall_late},
    {"own_operation", own_operation},
    {"copies", copies},
    {NULL, NULL},
};
