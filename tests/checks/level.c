/*
 * Threads that call MPI and may not, by the level of thread support. A line with a finding says so, and in
 * which case.
 *
 *     level CASE
 *
 * Runs as one rank.
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
static int number, other;
static MPI_Request request;
static pthread_barrier_t barrier;

/* Functions of the quick path, and others; the second time the wrapper knows the thread. */
static void *call(void *unused)
{
    int rank, dims[2] = {0, 0}, length;
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Datatype type;
    for (int i = 0; i < 2; i++) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
        MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);     /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
        MPI_Irecv(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request); /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
        MPI_Wait(&request, MPI_STATUS_IGNORE);                               /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
        MPI_Barrier(MPI_COMM_SELF);                                          /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
        MPI_Type_contiguous(2, MPI_INT, &type);                              /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
        MPI_Type_free(&type);                                                /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
        MPI_Dims_create(4, 2, dims);                                         /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
        MPI_Get_processor_name(name, &length);                               /* thread-level x 2 (single) */ /* thread-level x 2 (funneled) */ /* thread-level x 2 (late) */
    }
    return unused;
}

static void *call_anywhere(void *unused)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_free(&info);
    return unused;
}

/* What may be called from any thread comes first: the thread is known by then. */
static void *call_late(void *unused)
{
    call_anywhere(NULL);
    return call(unused);
}

static void run(void *(*function)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

/* The other thread calls MPI while the operation runs in this one. */
static void wait_for_other(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)length, (void)type;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
}

static void *call_meanwhile(void *unused)
{
    pthread_barrier_wait(&barrier);
    MPI_Send(&other, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *operate(void *operation)
{
    int in = 1, out = 2;
    MPI_Reduce_local(&in, &out, 1, MPI_INT, *(MPI_Op *)operation);           /* thread-level (serialized) */ /* thread-level (other-first) */ /* thread-level x 2 (again) */
    return NULL;
}

static void serialized(int other_first)
{
    pthread_t thread;
    MPI_Op operation;
    MPI_Op_create(wait_for_other, 1, &operation);
    pthread_barrier_init(&barrier, NULL, 2);
    if (other_first) {
        pthread_create(&thread, NULL, operate, &operation);
        call_meanwhile(NULL);
    } else {
        pthread_create(&thread, NULL, call_meanwhile, NULL);
        operate(&operation);
    }
    pthread_join(thread, NULL);
    MPI_Op_free(&operation);
}

/* The threads take turns, as they should, and then they do not. */
static void *call_in_turn(void *unused)
{
    for (int i = 0; i < 2; i++) {
        MPI_Send(&other, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        pthread_barrier_wait(&barrier);
        call_meanwhile(NULL);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

static void again(void)
{
    pthread_t thread;
    MPI_Op operation;
    MPI_Op_create(wait_for_other, 1, &operation);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, call_in_turn, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_barrier_wait(&barrier);
        operate(&operation);
        pthread_barrier_wait(&barrier);
    }
    pthread_join(thread, NULL);
    MPI_Op_free(&operation);
}

/* The first call of the main thread goes straight to MPI: nobody looks for threads yet. */
static void *call_to(void *unused)
{
    usleep(300000);
    MPI_Send(&other, 1, MPI_INT, 0, 5, MPI_COMM_SELF);                       /* thread-level (first) */ /* thread-level (completes) */
    return unused;
}

static void wait_at_once(void)
{
    pthread_t thread;
    MPI_Sendrecv(&other, 1, MPI_INT, 0, 5, &number, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++) {
        MPI_Request sent;
        MPI_Isend(&other, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &sent);
        MPI_Recv(&number, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
    pthread_create(&thread, NULL, call_to, NULL);
    alarm(5); /* MPICH may wait forever */
    MPI_Recv(&number, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_SELF);
}

/* The waiting call is marked, since its requests are known. */
static void complete_at_once(void)
{
    pthread_t thread;
    MPI_Request requests[2];
    run(call_anywhere);
    MPI_Irecv(&number, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_SELF, &requests[1]);
    pthread_create(&thread, NULL, call_to, NULL);
    alarm(5);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    pthread_join(thread, NULL);
}

static void *finalize(void *unused)
{
    MPI_Finalize();                                                          /* thread-level (finalize) */
    return unused;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int provided;
    if (strcmp(name, "single") == 0) {
        MPI_Init(&argc, &argv);
        run(call);
    } else if (strcmp(name, "funneled") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
        run(call);
    } else if (strcmp(name, "late") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
        run(call_late);
    } else if (strcmp(name, "serialized") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
        serialized(0);
    } else if (strcmp(name, "other-first") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
        serialized(1);
    } else if (strcmp(name, "again") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
        again();
    } else if (strcmp(name, "first") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
        wait_at_once();
    } else if (strcmp(name, "completes") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
        complete_at_once();
    } else if (strcmp(name, "finalize") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
        run(finalize);
        return 0;
    }
    MPI_Finalize();
    return 0;
}
