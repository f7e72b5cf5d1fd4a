/*
 * Correct calls of functions that the standard does not know, and handles that nobody has seen: nothing
 * is to be said of what they give out.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#define WORLD MPI_COMM_WORLD
static int rank, size, ints[64], more[64];

static void fail(const char *what)
{
    printf("wrong: %s\n", what);
    exit(1);
}

#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
/* Persistent collectives, as Open MPI had them before MPI-4.0. */
static void extensions(void)
{
    MPI_Request requests[3];
    MPIX_Barrier_init(WORLD, MPI_INFO_NULL, &requests[0]);
    MPIX_Bcast_init(ints, 4, MPI_INT, 0, WORLD, MPI_INFO_NULL, &requests[1]);
    MPIX_Allreduce_init(ints + 8, more, 4, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &requests[2]);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Startall(3, requests);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
}
#elif defined(MPICH)
static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
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
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static MPI_Request running;

static int poll(void *state, MPI_Status *status)
{
    (void)state, (void)status;
    MPI_Grequest_complete(running);
    return MPI_SUCCESS;
}

static int wait_for(int count, void **states, double timeout, MPI_Status *status)
{
    (void)count, (void)states, (void)timeout, (void)status;
    MPI_Grequest_complete(running);
    return MPI_SUCCESS;
}

static void extensions(void)
{
    MPI_Request request;
    MPIX_Grequest_class class;
    for (int i = 0; i < 3; i++) {
        MPIX_Grequest_start(query, release, cancel, poll, wait_for, NULL, &request);
        running = request;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (request != MPI_REQUEST_NULL)
            fail("MPIX_Grequest_start");
    }
    MPIX_Grequest_class_create(query, release, cancel, poll, wait_for, &class);
    MPIX_Grequest_class_allocate(class, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
}
#else
static void extensions(void)
{
}
#endif

/* A library that has opened MPI by itself: its calls are seen by nobody, its handles by all. */
static void unseen(void)
{
    void *real = dlopen(MPI_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
    if (!real)
        fail("the MPI library is not " MPI_LIBRARY);
    int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*barrier)(MPI_Comm, MPI_Request *);
    int (*dup)(MPI_Comm, MPI_Comm *);
    int (*group_of)(MPI_Comm, MPI_Group *);
    int (*make_info)(MPI_Info *);
    *(void **)&irecv = dlsym(real, "PMPI_Irecv");
    *(void **)&barrier = dlsym(real, "PMPI_Ibarrier");
    *(void **)&dup = dlsym(real, "PMPI_Comm_dup");
    *(void **)&group_of = dlsym(real, "PMPI_Comm_group");
    *(void **)&make_info = dlsym(real, "PMPI_Info_create");
    MPI_Request requests[4];
    int flag, members;
    irecv(ints, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &requests[0]);
    barrier(WORLD, &requests[1]);
    irecv(ints, 1, MPI_INT, rank, 7, WORLD, &requests[2]);
    irecv(ints + 1, 1, MPI_INT, rank, 8, WORLD, &requests[3]);
    MPI_Send(more, 1, MPI_INT, rank, 7, WORLD);
    MPI_Cancel(&requests[3]);
    do
        MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    MPI_Comm comm;
    MPI_Group group;
    MPI_Info info_object;
    dup(WORLD, &comm);
    MPI_Barrier(comm);
    group_of(comm, &group);
    MPI_Group_size(group, &members);
    make_info(&info_object);
    MPI_Info_set(info_object, "key", "value");
    MPI_Comm_set_info(comm, info_object);
    MPI_Info_free(&info_object);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    unseen();
    extensions();
    MPI_Finalize();
    return 0;
}
