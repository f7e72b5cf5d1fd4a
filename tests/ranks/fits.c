/*
 * Correct programs whose messages look wrong to a simple rule: nothing is to be found.
 *
 *     fits        all of them, on two ranks or more; rank 0 and rank 1 communicate
 */
#define _GNU_SOURCE
#include "common.h"

#include <dlfcn.h>
#include <link.h>

static int numbers[100], more[100];

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A receive may be longer, end inside of an element, and have the elements in another shape. */
static void shapes(void)
{
    MPI_Datatype both, three;
    MPI_Status status;
    int elements;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4},
                           (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &both);
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&both);
    MPI_Type_commit(&three);
    if (rank == 0) {
        MPI_Send(numbers, 12, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(numbers, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(numbers, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(numbers, 2, both, 1, 1, MPI_COMM_WORLD);
        MPI_Send(numbers, 1, both, 1, 1, MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(more, 4, three, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(more, 4, three, 0, 1, MPI_COMM_WORLD, &status); /* one and a third of them */
        MPI_Get_elements(&status, three, &elements);
        MPI_Recv(more, 4, both, 0, 1, MPI_COMM_WORLD, &status); /* half of one */
        MPI_Get_count(&status, MPI_INT, &elements); /* MPI_Get_elements crashes in MPICH 4.0 */
        MPI_Recv(more, 2, both, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(more, 7, both, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(more, 9, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&both);
    MPI_Type_free(&three);
}

/* MPI_PACKED is received as what was packed, and the other way round. */
static void packed(void)
{
    int position = 0;
    if (rank == 0) {
        MPI_Pack(numbers, 5, MPI_INT, more, sizeof more, &position, MPI_COMM_WORLD);
        MPI_Send(more, position, MPI_PACKED, 1, 2, MPI_COMM_WORLD);
        MPI_Send(numbers, 5, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(numbers, 5, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(more, sizeof more, MPI_PACKED, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* A datatype that is freed while the receive is pending, and another one that gets its handle. */
static void freed_types(void)
{
    MPI_Datatype type;
    MPI_Request request;
    if (rank == 1) {
        MPI_Type_contiguous(4, MPI_FLOAT, &type);
        MPI_Type_commit(&type);
        MPI_Irecv(more, 2, type, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Type_free(&type);
        MPI_Type_contiguous(4, MPI_INT, &type);
        MPI_Type_commit(&type);
    }
    barrier();
    if (rank == 0)
        MPI_Send(numbers, 8, MPI_FLOAT, 1, 3, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
    }
}

/* The receive is posted when MPI_Rsend is called. */
static void ready(void)
{
    MPI_Request request;
    if (rank == 1)
        MPI_Irecv(more, 4, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
    barrier();
    if (rank == 0)
        MPI_Rsend(numbers, 4, MPI_INT, 1, 4, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Receives complete in any order; the first one that was posted has the first message. */
static void out_of_order(void)
{
    MPI_Request requests[4];
    if (rank == 0) {
        MPI_Send(numbers, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Send(numbers, 2, MPI_FLOAT, 1, 5, MPI_COMM_WORLD);
        MPI_Send(numbers, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
        MPI_Send(numbers, 4, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Irecv(more, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(more + 4, 2, MPI_FLOAT, 0, 5, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(more + 8, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
        MPI_Irecv(more + 12, 4, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &requests[3]);
        for (int i = 3; i >= 0; i--)
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

/* A receive that is cancelled leaves its message to the next one. */
static void cancelled(void)
{
    MPI_Request request;
    if (rank == 1) {
        MPI_Irecv(more, 4, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    barrier();
    if (rank == 0)
        MPI_Send(numbers, 8, MPI_INT, 1, 6, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(more, 8, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What is given back is received all the same; then numbers are not known any more. */
static void given_back(void)
{
    MPI_Comm own;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    if (rank == 1) {
        MPI_Irecv(more, 2, MPI_FLOAT, 0, 7, own, &request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(own);
    if (rank == 0) {
        MPI_Send(numbers, 2, MPI_FLOAT, 1, 7, own);
        MPI_Send(numbers, 2, MPI_INT, 1, 7, own);
    } else if (rank == 1) {
        MPI_Recv(more, 2, MPI_INT, 0, 7, own, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&own);
}

/* The communicator is freed while the receive is pending. */
static void freed_communicator(void)
{
    MPI_Comm own;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    if (rank == 1)
        MPI_Irecv(more, 2, MPI_INT, 0, 13, own, &request);
    else if (rank == 0)
        MPI_Isend(numbers, 2, MPI_INT, 1, 13, own, &request);
    MPI_Comm_free(&own);
    if (rank < 2)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* MPI's own function, which nobody stands in front of. */
static int find_library(struct dl_phdr_info *info, size_t bytes, void *found)
{
    (void)bytes;
    void *library = strstr(info->dlpi_name, "shadowtype")
                        ? NULL
                        : dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
    Dl_info where;
    void *function = library && *info->dlpi_name ? dlsym(library, "PMPI_Recv") : NULL;
    if (!function || !dladdr(function, &where) || strcmp(where.dli_fname, info->dlpi_name) != 0)
        return 0;
    *(void **)found = function;
    return 1;
}

/* One of two messages is received unseen: the other one is not compared with it. */
static void unseen(void)
{
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) = NULL;
    MPI_Comm own;
    if (!dl_iterate_phdr(find_library, &receive))
        exit(4);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    if (rank == 0) {
        MPI_Send(numbers, 2, MPI_INT, 1, 14, own);
        MPI_Send(numbers, 3, MPI_FLOAT, 1, 14, own);
    } else if (rank == 1) {
        receive(more, 2, MPI_INT, 0, 14, own, MPI_STATUS_IGNORE);
        MPI_Recv(more, 3, MPI_FLOAT, 0, 14, own, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&own);
}

/* A callback of MPI's receives while MPI_Waitall fills statuses that the program does not want. */
static int query(void *state, MPI_Status *status)
{
    MPI_Request requests[40];
    (void)state;
    for (int i = 0; i < 40; i++)
        MPI_Irecv(more, 1, MPI_INT, i ? MPI_PROC_NULL : rank, 15, MPI_COMM_WORLD, &requests[i]);
    MPI_Send(numbers, 1, MPI_INT, rank, 15, MPI_COMM_WORLD);
    MPI_Waitall(40, requests, MPI_STATUSES_IGNORE);
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int forget(void *state)
{
    return state ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    return state || complete < 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void called_back(void)
{
    MPI_Request requests[2];
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Grequest_start(query, forget, cancel, NULL, &requests[0]);
    MPI_Grequest_complete(requests[0]);
    MPI_Irecv(more + 9, 2, MPI_INT, last, 16, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(numbers, 2, MPI_INT, next, 16, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void nobody(void)
{
    MPI_Message message;
    MPI_Send(numbers, 3, MPI_INT, MPI_PROC_NULL, 8, MPI_COMM_WORLD);
    MPI_Recv(more, 3, MPI_FLOAT, MPI_PROC_NULL, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 8, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(more, 3, MPI_INT, &message, MPI_STATUS_IGNORE);
}

/* A message is found by MPI_Mprobe while a receive from any source is pending that may have come before. */
static void probed(void)
{
    MPI_Request request;
    MPI_Message message;
    if (rank == 0) {
        MPI_Send(numbers, 2, MPI_INT, 1, 9, MPI_COMM_WORLD);
        MPI_Send(numbers, 1, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Irecv(more, 2, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
        MPI_Mprobe(0, 9, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(more + 8, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* More messages under way than are remembered. */
static void many(void)
{
    enum { MANY = 20000 };
    static MPI_Request requests[MANY];
    for (int i = 0; i < MANY && rank == 0; i++)
        MPI_Isend(numbers, 1, i % 2 ? MPI_INT : MPI_FLOAT, 1, 10 + i % 2, MPI_COMM_WORLD,
                  &requests[i]);
    barrier();
    if (rank == 0)
        MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY && rank == 1; i++)
        MPI_Recv(more, 1, i % 2 ? MPI_INT : MPI_FLOAT, 0, 10 + i % 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* The program looks at what MPI says of a message that is too long. */
static void cut(void)
{
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Send(numbers, 3, MPI_INT, 1, 12, own);
    MPI_Barrier(own);
    if (rank == 1 && MPI_Recv(more, 2, MPI_INT, 0, 12, own, MPI_STATUS_IGNORE) == MPI_SUCCESS)
        exit(3);
    MPI_Comm_free(&own);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    if (argc > 1 && strcmp(argv[1], "cut") == 0) {
        cut();
    } else {
        many(); /* what follows is not driven out of the memory by it */
        shapes();
        packed();
        freed_types();
        ready();
        out_of_order();
        cancelled();
        given_back();
        freed_communicator();
        unseen();
        called_back();
        nobody();
        probed();
    }
    MPI_Finalize();
    return 0;
}
