/*
 * 110 callbacks, each of which calls MPI, in 16 threads that are cancelled between their calls while signals
 * arrive. All is correct: nothing may be said, and all callbacks are called.
 *
 *     called_back [ROUNDS]
 *
 * Runs as one rank.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { THREADS = 16, TEN = 10 };

static atomic_int bad;
static atomic_bool over;

#define REQUIRE(condition)                                                                         \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "called_back.c:%d: %s\n", __LINE__, #condition);                       \
            atomic_fetch_add(&bad, 1);                                                             \
        }                                                                                          \
    while (0)

/* --- what they call ------------------------------------------------------------------------------- */

/* MPICH holds a lock while it calls some of them, and aborts in calls that take it, too. */
static int look_at_comm(MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    REQUIRE(size == 1 && rank == 0);
    return MPI_SUCCESS;
}

static int look_at_type(MPI_Datatype type)
{
    MPI_Aint lb, extent;
    int size;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    REQUIRE(size == 8 && lb == 0);
    return MPI_SUCCESS;
}

static void add(int *in, int *out, int count, MPI_Datatype type)
{
    int size;
    MPI_Type_size(type, &size);
    REQUIRE(size == 4);
    for (int i = 0; i < count; i++)
        out[i] += in[i];
}

static void look_at_code(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int error_class, length;
    MPI_Error_class(code, &error_class);
    MPI_Error_string(code, text, &length);
    REQUIRE(error_class != MPI_SUCCESS && length > 0);
}

static int answer(MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 1);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* --- the callbacks ---------------------------------------------------------------------------------- */

enum kind {
    COPY,
    MORE_COPY,
    DELETE,
    MORE_DELETE,
    TYPE_COPY,
    TYPE_DELETE,
    OP,
    HANDLER,
    QUERY,
    FREE,
    CANCEL,
    KINDS
};
static atomic_int calls[KINDS][TEN];

#define CALLED(kind, n) atomic_fetch_add_explicit(&calls[kind][n], 1, memory_order_relaxed)

#define COPY_OF(object, type, kind, n)                                                             \
    static int kind##_##n(type from, int keyval, void *state, void *in, void *out, int *flag)      \
    {                                                                                              \
        (void)keyval, (void)state;                                                                 \
        CALLED(kind, n);                                                                           \
        *(void **)out = in;                                                                        \
        *flag = 1;                                                                                 \
        return look_at_##object(from);                                                             \
    }
#define DELETE_OF(object, type, kind, n)                                                           \
    static int kind##_##n(type from, int keyval, void *value, void *state)                         \
    {                                                                                              \
        (void)keyval, (void)state, (void)value;                                                    \
        CALLED(kind, n);                                                                           \
        return look_at_##object(from);                                                             \
    }
#define CALLBACKS(n)                                                                               \
    COPY_OF(comm, MPI_Comm, COPY, n)                                                               \
    COPY_OF(comm, MPI_Comm, MORE_COPY, n)                                                          \
    DELETE_OF(comm, MPI_Comm, DELETE, n)                                                           \
    DELETE_OF(comm, MPI_Comm, MORE_DELETE, n)                                                      \
    COPY_OF(type, MPI_Datatype, TYPE_COPY, n)                                                      \
    DELETE_OF(type, MPI_Datatype, TYPE_DELETE, n)                                                  \
    static void OP_##n(void *in, void *out, int *count, MPI_Datatype *type)                        \
    {                                                                                              \
        CALLED(OP, n);                                                                             \
        add(in, out, *count, *type);                                                               \
    }                                                                                              \
    static void HANDLER_##n(MPI_Comm *comm, int *code, ...)                                        \
    {                                                                                              \
        CALLED(HANDLER, n);                                                                        \
        look_at_comm(*comm);                                                                       \
        look_at_code(*code);                                                                       \
    }                                                                                              \
    static int QUERY_##n(void *state, MPI_Status *status)                                          \
    {                                                                                              \
        (void)state;                                                                               \
        CALLED(QUERY, n);                                                                          \
        return answer(status);                                                                     \
    }                                                                                              \
    static int FREE_##n(void *state)                                                               \
    {                                                                                              \
        CALLED(FREE, n);                                                                           \
        return look_at_comm(*(MPI_Comm *)state);                                                   \
    }                                                                                              \
    static int CANCEL_##n(void *state, int complete)                                               \
    {                                                                                              \
        (void)complete;                                                                            \
        CALLED(CANCEL, n);                                                                         \
        return look_at_comm(*(MPI_Comm *)state);                                                   \
    }
/* clang-format off */
#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9)
/* clang-format on */
EACH(CALLBACKS)

static int keys[2 * TEN], type_keys[TEN];
static MPI_Op ops[TEN];
static MPI_Errhandler handlers[TEN];
static MPI_Grequest_query_function *queries[TEN];
static MPI_Grequest_free_function *frees[TEN];
static MPI_Grequest_cancel_function *cancels[TEN];

#define MAKE(n)                                                                                    \
    MPI_Comm_create_keyval(COPY_##n, DELETE_##n, &keys[n], NULL);                                  \
    MPI_Comm_create_keyval(MORE_COPY_##n, MORE_DELETE_##n, &keys[TEN + n], NULL);                  \
    MPI_Type_create_keyval(TYPE_COPY_##n, TYPE_DELETE_##n, &type_keys[n], NULL);                   \
    MPI_Op_create(OP_##n, 1, &ops[n]);                                                             \
    MPI_Comm_create_errhandler(HANDLER_##n, &handlers[n]);                                         \
    queries[n] = QUERY_##n, frees[n] = FREE_##n, cancels[n] = CANCEL_##n;

static void free_all(void)
{
    for (int n = 0; n < TEN; n++) {
        MPI_Comm_free_keyval(&keys[n]);
        MPI_Comm_free_keyval(&keys[TEN + n]);
        MPI_Type_free_keyval(&type_keys[n]);
        MPI_Op_free(&ops[n]);
        MPI_Errhandler_free(&handlers[n]);
    }
}

/* --- what calls them -------------------------------------------------------------------------------- */

static void copy_comm(MPI_Comm comm)
{
    MPI_Comm copy;
    int *value, flag;
    for (int i = 0; i < 2 * TEN; i++)
        MPI_Comm_set_attr(comm, keys[i], &keys[i]);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_get_attr(copy, keys[3], &value, &flag);
    REQUIRE(flag && value == &keys[3]);
    MPI_Comm_free(&copy);
    for (int i = 0; i < 2 * TEN; i++)
        MPI_Comm_delete_attr(comm, keys[i]);
}

static void copy_type(void)
{
    MPI_Datatype type, copy;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < TEN; i++)
        MPI_Type_set_attr(type, type_keys[i], NULL);
    MPI_Type_dup(type, &copy);
    MPI_Type_free(&copy);
    MPI_Type_free(&type);
}

static void reduce(int n)
{
    int in[4] = {1, 2, 3, 4}, out[4] = {1, 1, 1, 1};
    MPI_Reduce_local(in, out, 4, MPI_INT, ops[n]);
    REQUIRE(out[3] == 5);
}

static void handle(MPI_Comm comm, int n)
{
    MPI_Comm_set_errhandler(comm, handlers[n]);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

static void generalized(MPI_Comm *comm, int n)
{
    MPI_Request request;
    MPI_Status status;
    int count, flag;
    MPI_Grequest_start(queries[n], frees[n], cancels[n], comm, &request);
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_elements(&status, MPI_INT, &count);
    MPI_Test_cancelled(&status, &flag);
    REQUIRE(count == 3 && flag);
}

static void exchange(MPI_Comm comm)
{
    int number = 1, other = 0;
    MPI_Request request;
    MPI_Isend(&number, 1, MPI_INT, 0, 1, comm, &request);
    MPI_Recv(&other, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    REQUIRE(other == 1);
}

/* Not in MPI (MPI-4.0, 11.6.2): Open MPI has cancellation points. */
static void may_be_cancelled(void)
{
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
}

static void *work(void *own)
{
    MPI_Comm *comm = own;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    for (int n = 0; !atomic_load(&over); n = (n + 1) % TEN) {
        copy_comm(*comm);
        copy_type();
        reduce(n);
        handle(*comm, n);
        generalized(comm, n);
        exchange(*comm);
        may_be_cancelled();
    }
    return NULL;
}

static void count_signal(int number)
{
    static atomic_int signals;
    (void)number;
    atomic_fetch_add(&signals, 1);
}

static void set_timer(int microseconds)
{
    struct sigaction action = {.sa_handler = count_signal, .sa_flags = SA_RESTART};
    struct itimerval time = {.it_value.tv_usec = microseconds, .it_interval.tv_usec = microseconds};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &time, NULL);
}

static int least_called(void)
{
    int least = INT32_MAX;
    for (int kind = 0; kind < KINDS; kind++)
        for (int n = 0; n < TEN; n++)
            if (atomic_load(&calls[kind][n]) < least)
                least = atomic_load(&calls[kind][n]);
    return least;
}

/* Threads until each callback was called often enough, half of them cancelled. */
static void storm(MPI_Comm *comms, int wanted)
{
    pthread_t threads[THREADS];
    atomic_store(&over, false);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &comms[i]);
    while (least_called() < wanted)
        exchange(MPI_COMM_SELF);
    for (int i = 0; i < THREADS; i += 2)
        pthread_cancel(threads[i]);
    atomic_store(&over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 5, provided;
    MPI_Comm comms[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    EACH(MAKE)
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    set_timer(2000);
    for (int round = 1; round <= rounds; round++)
        storm(comms, 5 * round);
    set_timer(0);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    free_all();
    MPI_Finalize();
    return atomic_load(&bad) ? 1 : 0;
}
