/*
 * Partitioned operations: calls that are wrong, each with what is found at the end of its line, and
 * correct ones that look like them. One rank, which sends to itself; an MPI that has them (MPI 4).
 *
 *     partitions          correct ones
 *     partitions CASE     wrong ones, which may be the end of the process
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
enum { PARTITIONS = 6, THREADS = 4, MANY = 5000 };
static MPI_Comm const SELF = MPI_COMM_SELF;
static int sent[MANY], got[MANY];
static MPI_Request send, receive;

static void make(int partitions)
{
    MPI_Psend_init(sent, partitions, 1, MPI_INT, 0, 1, SELF, MPI_INFO_NULL, &send);
    MPI_Precv_init(got, partitions, 1, MPI_INT, 0, 1, SELF, MPI_INFO_NULL, &receive);
}

static void start(void)
{
    MPI_Startall(2, (MPI_Request[]){receive, send});
}

static void complete(void)
{
    MPI_Waitall(2, (MPI_Request[]){receive, send}, MPI_STATUSES_IGNORE);
}

static void destroy(void)
{
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
}

/* --- correct ------------------------------------------------------------------------------- */

/* In any order, by each of the three functions; each start makes all unready again. */
static void in_any_order(void)
{
    int flag;
    make(PARTITIONS);
    for (int i = 0; i < 3; i++) {
        start();
        MPI_Pready(5, send);
        MPI_Pready_list(2, (int[]){2, 0}, send);
        MPI_Pready_range(3, 4, send);
        MPI_Pready_range(4, 3, send);
        MPI_Pready_list(0, NULL, send);
        MPI_Parrived(receive, 5, &flag);
        MPI_Parrived(receive, 5, &flag);
        MPI_Pready_range(1, 1, send);
        complete();
        MPI_Parrived(receive, 0, &flag);
    }
    destroy();
}

/* Other numbers of partitions at either side; none of them with data. */
static void other_numbers(void)
{
    int flag;
    MPI_Psend_init(sent, 2, 0, MPI_INT, 0, 2, SELF, MPI_INFO_NULL, &send);
    MPI_Precv_init(got, 3, 0, MPI_INT, 0, 2, SELF, MPI_INFO_NULL, &receive);
    start();
    MPI_Pready_range(0, 1, send);
    MPI_Parrived(receive, 2, &flag);
    complete();
    destroy();
}

static void *each_its_own(void *first)
{
    for (int i = (int)(size_t)first; i < MANY; i += THREADS)
        MPI_Pready(i, send);
    return NULL;
}

/* More partitions than are recorded separately, marked ready by several threads at once. */
static void in_threads(void)
{
    pthread_t threads[THREADS];
    make(MANY);
    for (int round = 0; round < 2; round++) {
        start();
        for (size_t i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, each_its_own, (void *)i);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        complete();
    }
    destroy();
}

/* Requests that come and go. */
static void come_and_go(void)
{
    MPI_Request others[2];
    for (int i = 0; i < 300; i++) {
        MPI_Psend_init(sent + 1000, 1 + i, 1, MPI_INT, 0, 3, SELF, MPI_INFO_NULL, &others[0]);
        MPI_Precv_init(got + 1000, 1 + i, 1, MPI_INT, 0, 3, SELF, MPI_INFO_NULL, &others[1]);
        MPI_Startall(2, others);
        MPI_Pready_range(0, i, others[0]);
        MPI_Waitall(2, others, MPI_STATUSES_IGNORE);
        MPI_Request_free(&others[0]);
        MPI_Request_free(&others[1]);
    }
}

static void many_requests(void)
{
    make(PARTITIONS);
    start();
    MPI_Pready_range(0, 2, send);
    come_and_go();
    MPI_Pready_range(3, 5, send);
    complete();
    destroy();
}

/* --- wrong --------------------------------------------------------------------------------- */

static void ready_twice(void)
{
    make(20);
    start();
    MPI_Pready(1, send);
    MPI_Pready(1, send);                                    /* request-active-start (twice) */ /* with partition=1 */
    MPI_Pready_range(0, 2, send);                           /* request-active-start (twice) */ /* with partition_low=0 partition_high=2 */
    MPI_Pready_list(3, (int[]){3, 4, 3}, send);             /* request-active-start (twice) */ /* with length=3 array_of_partitions=0x? */
    MPI_Pready(5, send);
}

static void many_twice(void)
{
    make(MANY);
    start();
    MPI_Pready_range(7, MANY - 1, send);
    MPI_Pready(MANY - 1, send);                             /* request-active-start (many) */
}

static void twice_among_many(void)
{
    make(PARTITIONS);
    start();
    MPI_Pready_range(0, 1, send);
    come_and_go();
    MPI_Pready(2, send);
    MPI_Pready(1, send);                                    /* request-active-start (among-many) */
}

static void out_of_range(void)
{
    int flag;
    make(PARTITIONS);
    start();
    MPI_Pready(PARTITIONS, send);                           /* argument-count (range) */
    MPI_Pready(-1, send);                                   /* argument-count (range) */
    MPI_Pready_range(4, PARTITIONS, send);                  /* argument-count (range) */
    MPI_Pready_range(-1, 0, send);                          /* argument-count (range) */
    MPI_Pready_range(PARTITIONS, -1, send);                 /* argument-count (range) */
    MPI_Pready_range(3, 1, send);                           /* argument-count (range) */
    MPI_Pready_list(2, (int[]){7, 8}, send);                /* argument-count (range) */
    MPI_Parrived(receive, PARTITIONS, &flag);               /* argument-count (range) */
    MPI_Parrived(receive, -1, &flag);                       /* argument-count (range) */
}

static void not_started(void)
{
    make(PARTITIONS);
    MPI_Pready(0, send);                                    /* request-inactive (inactive) */
    MPI_Pready_range(0, 1, send);                           /* request-inactive (inactive) */
}

static void started_twice(void)
{
    make(PARTITIONS);
    start();
    MPI_Start(&send);                                       /* request-active-start (started) */
}

/* MPICH looks into any request as if it were a partitioned one. */
static void other_requests(const char *name)
{
    int flag;
    MPI_Request request, null = MPI_REQUEST_NULL;
    make(PARTITIONS);
    start();
    MPI_Irecv(sent + 100, 1, MPI_INT, 0, 9, SELF, &request);
    if (strcmp(name, "receive") == 0)
        MPI_Pready(0, receive);                             /* request-unknown (receive) */
    if (strcmp(name, "irecv") == 0)
        MPI_Pready(0, request);                             /* request-unknown (irecv) */
    if (strcmp(name, "null") == 0)
        MPI_Pready(0, null);                                /* request-null (null) */
    if (strcmp(name, "send-arrived") == 0)
        MPI_Parrived(send, 0, &flag);                       /* request-unknown (send-arrived) */
    if (strcmp(name, "irecv-arrived") == 0)
        MPI_Parrived(request, 0, &flag);                    /* request-unknown (irecv-arrived) */
}
/* clang-format on */

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    if (strcmp(name, "twice") == 0)
        ready_twice();
    else if (strcmp(name, "many") == 0)
        many_twice();
    else if (strcmp(name, "among-many") == 0)
        twice_among_many();
    else if (strcmp(name, "range") == 0)
        out_of_range();
    else if (strcmp(name, "inactive") == 0)
        not_started();
    else if (strcmp(name, "started") == 0)
        started_twice();
    else if (*name)
        other_requests(name);
    if (*name)
        _exit(0); /* MPI may be in any state */
    in_any_order();
    other_numbers();
    in_threads();
    many_requests();
    MPI_Finalize();
    return 0;
}
