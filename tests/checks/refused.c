/*
 * Calls that MPI refuses, each the end of the process: a case each. Lines with a finding say so.
 *
 *     refused CASE
 *
 * Runs as one rank.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
static int ints[64], more[64];

static void truncated(void)
{
    MPI_Request request;
    MPI_Isend(ints, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Recv(more, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);  /* mpi-error (truncated) */
}

/* On a communicator that inherits the handler, in a datatype that leaves the quick path. */
static void truncated_dup(void)
{
    MPI_Request request;
    MPI_Comm one, two;
    MPI_Datatype pair;
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_split(one, 0, 0, &two);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Isend(ints, 4, MPI_INT, 0, 1, two, &request);
    MPI_Recv(more, 1, pair, 0, 1, two, MPI_STATUS_IGNORE);               /* mpi-error (truncated-dup) */
}

/* The handler was set, taken away and set again. */
static void restored(void)
{
    MPI_Errhandler before;
    MPI_Request request;
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &before);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, before);
    MPI_Errhandler_free(&before);
    MPI_Isend(ints, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Recv(more, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);  /* mpi-error (restored) */
}

static void probed(void)
{
    MPI_Request request;
    MPI_Message message;
    MPI_Isend(ints, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Mprobe(0, 1, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(more, 2, MPI_INT, &message, MPI_STATUS_IGNORE);            /* mpi-error (probed) */
}

static void translated(void)
{
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_translate_ranks(group, 1, (int[]){-7}, group, more);       /* argument-rank (translated) */
    MPI_Group_free(&group);                                              /* Open MPI refuses by chance: it reads before an array */
}

static void dimensions(void)
{
    MPI_Dims_create(-1, 2, more);                                        /* argument-topology (dimensions) */
}

static void contents(void)
{
    MPI_Type_get_contents(MPI_INT, 1, 1, 1, more, (MPI_Aint[1]){0}, (MPI_Datatype[1]){MPI_INT}); /* mpi-error (contents) */
}

static void lookup(void)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Lookup_name("nobody", MPI_INFO_NULL, port);                      /* mpi-error (lookup) */
}

/* No window but that of MPI_Win_create_dynamic has attached memory. */
static void flavor(void)
{
    MPI_Win win;
    void *memory;
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_attach(win, more, 8);                                        /* mpi-error (flavor) */
}

/* An error that a check has reported is not reported again when MPI refuses the call. */
static void found(void)
{
    MPI_Send(ints, 1, MPI_INT, 1000000, 1, MPI_COMM_WORLD);              /* argument-rank (found) */
}

/* The program's own: MPI refuses nothing. */
static void own_call(void)
{
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_COUNT);
}

/* A request that completes later, and one of several. */
static void waited(void)
{
    MPI_Request request;
    MPI_Irecv(more, 2, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Send(ints, 4, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);                               /* mpi-error (waited, mpich) */
}

static void waited_all(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(more, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
    MPI_Irecv(more + 4, 2, MPI_INT, 0, 2, MPI_COMM_SELF, &requests[1]);
    MPI_Send(ints, 4, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Send(ints, 4, MPI_INT, 0, 2, MPI_COMM_SELF);
    MPI_Waitall(2, requests, statuses);                                  /* mpi-error (waited-all, mpich) */
}

/* MPICH calls handlers while it holds its lock. */
static void threaded(void)
{
    MPI_Request request;
    MPI_Isend(ints, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Recv(more, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);  /* mpi-error (threaded) */
}

static pthread_barrier_t barrier;

/* One of them ends the process: what it calls is reported, whatever the others do meanwhile. */
static void *refuse_at_a_time(void *number)
{
    int tag = (int)(intptr_t)number;
    MPI_Request request;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Isend(ints, 4, MPI_INT, 0, tag, comm, &request);
    pthread_barrier_wait(&barrier);
    MPI_Recv(more + 8 * tag, 2, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE);
    return NULL;
}

static void at_a_time(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, refuse_at_a_time, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* clang-format on */

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int provided;
    if (strcmp(name, "threaded") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        threaded();
    } else if (strcmp(name, "at-a-time") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        at_a_time();
    }
    MPI_Init(&argc, &argv);
    /* The names of the cases are read from here. */
    if (strcmp(name, "truncated") == 0)
        truncated();
    if (strcmp(name, "truncated-dup") == 0)
        truncated_dup();
    if (strcmp(name, "restored") == 0)
        restored();
    if (strcmp(name, "probed") == 0)
        probed();
    if (strcmp(name, "translated") == 0)
        translated();
    if (strcmp(name, "dimensions") == 0)
        dimensions();
    if (strcmp(name, "contents") == 0)
        contents();
    if (strcmp(name, "lookup") == 0)
        lookup();
    if (strcmp(name, "flavor") == 0)
        flavor();
    if (strcmp(name, "found") == 0)
        found();
    if (strcmp(name, "own-call") == 0)
        own_call();
    if (strcmp(name, "waited") == 0)
        waited();
    if (strcmp(name, "waited-all") == 0)
        waited_all();
    MPI_Finalize();
    return 0;
}
