/* Ways out of the library that it does not expect: a thread is cancelled, or a signal handler calls
 * exit(), MPI_Abort() or longjmp(), while a report is written or the rank is held. Each case must come to
 * its end. Its argument is the case.
 *
 *     storm    threads that find errors are cancelled, signals arrive, and the rest ends by MPI_Finalize
 *     silent   the same with correct calls
 *     exit     a handler calls exit() at a random place
 *     abort    a handler calls MPI_Abort() at a random place
 *     wait     one error: for a rank that is held; SIGUSR1 then calls exit(), SIGUSR2 longjmp() */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { THREADS = 16, ROUNDS = 20 };

static atomic_bool over;
static bool errs;

static void find_error(MPI_Datatype type)
{
    int bytes;
    MPI_Pack_size(-1, type, MPI_COMM_SELF, &bytes);
}

/* clang-format off */
#define TEN(call) call; call; call; call; call; call; call; call; call; call;
static void find_many(MPI_Datatype type)
{
    find_error(type);
    TEN(TEN(MPI_Pack_size(-1, type, MPI_COMM_SELF, &(int){0})))
    TEN(TEN(MPI_Pack_size(-2, type, MPI_COMM_SELF, &(int){0})))
}
/* clang-format on */

static void call_correctly(void)
{
    MPI_Datatype type;
    MPI_Request request;
    int table[64] = {0};
    MPI_Type_vector(4, 1, 8, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Isend(table, 1, type, MPI_PROC_NULL, 1, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

/* Cancelled where an error is reported. MPI's own calls have no cancellation point. */
static void *work(void *nothing)
{
    while (!atomic_load(&over)) {
        if (errs)
            find_many(MPI_INT);
        call_correctly();
        pthread_testcancel();
    }
    return nothing;
}

static void count_signal(int number)
{
    static atomic_int signals;
    (void)number;
    atomic_fetch_add(&signals, 1);
}

static void set_timer(int microseconds, void (*handler)(int), bool again)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_NODEFER};
    struct itimerval time = {.it_value.tv_usec = microseconds,
                             .it_interval.tv_usec = again ? microseconds : 0};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &time, NULL);
}

static void storm(void)
{
    pthread_t threads[THREADS];
    set_timer(2000, count_signal, true);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, work, NULL);
        usleep(2000);
        for (int i = 0; i < THREADS; i++)
            pthread_cancel(threads[i]);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    set_timer(0, count_signal, false);
}

static void leave(int number)
{
    (void)number;
    exit(3);
}

static void give_up(int number)
{
    (void)number;
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static sigjmp_buf start;
static volatile int jumps;

static void jump(int number)
{
    (void)number;
    jumps++;
    siglongjmp(start, 1);
}

static void find_until_signal(void (*handler)(int))
{
    find_error(MPI_INT);
    set_timer(3000 + (int)getpid() % 1000, handler, false);
    for (;;)
        find_many(MPI_INT);
}

static void be_held(void)
{
    signal(SIGUSR1, leave);
    signal(SIGUSR2, jump);
    if (sigsetjmp(start, 1) == 0)
        find_error(MPI_INT);
    printf("jumped out %d\n", jumps);
    fflush(stdout);
    find_error(MPI_CHAR);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "storm";
    int provided;
    /* Without threads MPI has no lock that a handler could leave locked. */
    bool alone = strcmp(name, "abort") == 0;
    MPI_Init_thread(&argc, &argv, alone ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    errs = strcmp(name, "silent") != 0;
    if (strcmp(name, "storm") == 0 || !errs)
        storm();
    else if (strcmp(name, "exit") == 0)
        find_until_signal(leave);
    else if (strcmp(name, "abort") == 0)
        find_until_signal(give_up);
    else if (strcmp(name, "wait") == 0)
        be_held();
    MPI_Finalize();
    return 0;
}
