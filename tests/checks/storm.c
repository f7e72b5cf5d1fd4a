/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Correct calls of 16 threads, some of which are cancelled, while a timer sends signals, and with
 * callbacks: nothing may be reported, and the process must end.
 *
 *     storm [CALLS]     at least so many calls of MPI, 100,000 unless given; 100,000,000 take half a minute
 *
 * Cancellation is deferred. It is enabled in local calls of MPI only, which have no cancellation point; a
 * thread may end between them, and frees what it has made.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { THREADS = 16, COUNT = 64, ROUNDS = 8 };

struct worker {
    pthread_t thread;
    MPI_Comm comm; /* of this rank alone, for this worker alone */
    MPI_Datatype type;
    unsigned int seed;
    int in[COUNT], out[COUNT];
};

static struct worker workers[THREADS];
static atomic_long calls, wanted = 100000, signals, callbacks, cancelled;
static MPI_Op sum;
static int keyval;

static void count_signal(int number)
{
    (void)number;
    atomic_fetch_add(&signals, 1);
}

/* --- callbacks, which call MPI themselves --------------------------------------------------------- */

static void add_up(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int size;
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *length * size / (int)sizeof(int); i++)
        ((int *)inout)[i] += ((int *)in)[i];
    atomic_fetch_add(&callbacks, 1);
}

static int copy_value(MPI_Datatype type, int key, void *extra, void *value, void *copy, int *flag)
{
    int size;
    (void)key, (void)extra;
    MPI_Type_size(type, &size);
    *(void **)copy = value;
    *flag = 1;
    atomic_fetch_add(&callbacks, 1);
    return MPI_SUCCESS;
}

static int delete_value(MPI_Datatype type, int key, void *value, void *extra)
{
    MPI_Aint lb, extent;
    (void)key, (void)value, (void)extra;
    MPI_Type_get_extent(type, &lb, &extent);
    atomic_fetch_add(&callbacks, 1);
    return MPI_SUCCESS;
}

static int fill_status(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    atomic_fetch_add(&callbacks, 1);
    return MPI_SUCCESS;
}

static int free_extra(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel_nothing(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

/* --- what a worker calls: each returns the number of its calls ------------------------------------- */

static int messages(struct worker *worker)
{
    MPI_Request requests[2];
    MPI_Irecv(worker->in, 1, worker->type, 0, 5, worker->comm, &requests[0]);
    MPI_Isend(worker->out, 1, worker->type, 0, 5, worker->comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(worker->out, 4, MPI_INT, 0, 6, worker->in, 4, MPI_INT, 0, 6, worker->comm,
                 MPI_STATUS_IGNORE);
    return 4;
}

static int persistent(struct worker *worker)
{
    MPI_Request requests[2];
    MPI_Recv_init(worker->in, 4, MPI_INT, 0, 7, worker->comm, &requests[0]);
    MPI_Send_init(worker->out, 4, MPI_INT, 0, 7, worker->comm, &requests[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return 8;
}

static int collectives(struct worker *worker)
{
    MPI_Request request;
    MPI_Allreduce(worker->out, worker->in, 4, MPI_INT, sum, worker->comm);
    MPI_Ibcast(worker->in, 4, MPI_INT, 0, worker->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce_local(worker->out, worker->in, 4, MPI_INT, sum);
    return 4;
}

static int attributes(struct worker *worker)
{
    MPI_Datatype copy;
    MPI_Type_set_attr(worker->type, keyval, worker);
    MPI_Type_dup(worker->type, &copy);
    MPI_Type_free(&copy);
    MPI_Type_delete_attr(worker->type, keyval);
    return 4;
}

static int generalized(struct worker *worker)
{
    MPI_Request request;
    MPI_Grequest_start(fill_status, free_extra, cancel_nothing, worker, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return 3;
}

static int local(struct worker *worker)
{
    int size, rank;
    MPI_Aint lb, extent, address;
    for (int i = 0; i < 10; i++) {
        MPI_Type_size(worker->type, &size);
        MPI_Type_get_extent(worker->type, &lb, &extent);
        MPI_Comm_rank(worker->comm, &rank);
        MPI_Get_address(worker->in, &address);
    }
    return 40;
}

static int (*const works[])(struct worker *) = {messages,   persistent,  collectives,
                                                attributes, generalized, local};

/* --- the threads ----------------------------------------------------------------------------------- */

static void free_type(void *argument)
{
    struct worker *worker = argument;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    MPI_Type_free(&worker->type);
}

/* Returns the number of calls. The thread may be cancelled in it. */
static int work_once(struct worker *worker)
{
    int enabled, count = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const size_t which = (size_t)rand_r(&worker->seed) % (sizeof works / sizeof *works);
        count += works[which](worker);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &enabled);
        count += local(worker);
        pthread_testcancel();
        pthread_setcancelstate(enabled, NULL);
    }
    return count;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    while (atomic_load(&calls) < atomic_load(&wanted)) {
        MPI_Type_vector(4, 1 + rand_r(&worker->seed) % 3, 8, MPI_INT, &worker->type);
        MPI_Type_commit(&worker->type);
        pthread_cleanup_push(free_type, worker);
        atomic_fetch_add(&calls, 3 + work_once(worker));
        pthread_cleanup_pop(1);
    }
    return NULL;
}

static void start(struct worker *worker)
{
    if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
        perror("pthread_create");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static void join(struct worker *worker)
{
    void *result;
    pthread_join(worker->thread, &result);
    cancelled += result == PTHREAD_CANCELED;
}

int main(int argc, char **argv)
{
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = count_signal, .sa_flags = SA_RESTART};
    unsigned int seed = 1;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (argc > 1)
        wanted = atol(argv[1]);
    MPI_Op_create(add_up, 1, &sum);
    MPI_Type_create_keyval(copy_value, delete_value, &keyval, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &workers[i].comm);
        workers[i].seed = (unsigned int)i;
    }
    for (int i = 0; i < THREADS && provided == MPI_THREAD_MULTIPLE; i++)
        start(&workers[i]);
    while (calls < wanted && provided == MPI_THREAD_MULTIPLE) {
        struct worker *worker = &workers[(size_t)rand_r(&seed) % THREADS];
        pthread_cancel(worker->thread);
        join(worker);
        start(worker);
    }
    for (int i = 0; i < THREADS; i++) {
        if (provided == MPI_THREAD_MULTIPLE)
            join(&workers[i]);
        MPI_Comm_free(&workers[i].comm);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    MPI_Type_free_keyval(&keyval);
    MPI_Op_free(&sum);
    MPI_Finalize();
    if (provided == MPI_THREAD_MULTIPLE && (!cancelled || !callbacks || !signals))
        printf("%ld threads were cancelled, %ld callbacks, %ld signals\n", cancelled, callbacks,
               signals);
    if (argc > 2)
        printf("%ld calls, %ld threads were cancelled, %ld callbacks, %ld signals\n", calls,
               cancelled, callbacks, signals);
    return 0;
}
