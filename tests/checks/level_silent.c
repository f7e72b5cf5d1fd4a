/*
 * Threads that call MPI as the level of thread support allows: nothing is to be said.
 *
 *     level_silent CASE
 *
 * Runs as one rank.
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, TIMES = 2000 };

static int number;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t mine, yours;

static void call(void)
{
    int rank, flag;
    MPI_Request request;
    MPI_Datatype type;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Irecv(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
}

static void start(int level)
{
    int provided;
    MPI_Init_thread(NULL, NULL, level, &provided);
}

static void together(void *(*function)(void *), void (*meanwhile)(void))
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, function, (void *)i);
    if (meanwhile)
        meanwhile();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* --- any thread, any time ------------------------------------------------------------------ */

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void *call_anywhere(void *unused)
{
    for (int i = 0; i < 200; i++) {
        int flag, version, subversion, length, is_initialized;
        char text[MPI_MAX_LIBRARY_VERSION_STRING];
        MPI_Info info, copy;
        MPI_Aint address;
        pthread_mutex_lock(&mutex); /* Open MPI 4.1 needs it, for info objects */
        MPI_Initialized(&is_initialized);
        MPI_Finalized(&flag);
        MPI_Get_version(&version, &subversion);
        MPI_Get_library_version(text, &length);
#ifdef OPEN_MPI
        if (!is_initialized) { /* version 4.1 ends the process */
            pthread_mutex_unlock(&mutex);
            return unused;
        }
#endif
        MPI_Info_create(&info);
        MPI_Info_set(info, "key", "value");
        MPI_Info_get_nkeys(info, &length);
        MPI_Info_get(info, "key", 10, text, &flag);
        MPI_Info_dup(info, &copy);
        MPI_Info_free(&copy);
        MPI_Info_free(&info);
        if (is_initialized) {
            MPI_Query_thread(&version);
            MPI_Is_thread_main(&flag);
            MPI_Get_address(&flag, &address);
            (void)(MPI_Wtime() + MPI_Wtick());
        }
        MPI_Error_class(MPI_ERR_TAG, &version);
        MPI_Error_string(MPI_ERR_TAG, text, &length);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void call_often(void)
{
    for (int i = 0; i < TIMES; i++)
        call();
}

static void *call_handlers(void *unused)
{
    MPI_Errhandler made;
    pthread_mutex_lock(&mutex);
    MPI_Comm_create_errhandler(handler, &made);
    MPI_Errhandler_free(&made);
    pthread_mutex_unlock(&mutex);
    return unused;
}

/* --- one at a time ------------------------------------------------------------------------- */

static void *call_locked(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        pthread_mutex_lock(&mutex);
        call();
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void call_locked_here(void)
{
    call_locked(NULL);
}

static void *call_in_turn(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        sem_wait(&yours);
        call();
        sem_post(&mine);
    }
    return unused;
}

static void in_turn(void)
{
    pthread_t thread;
    sem_init(&mine, 0, 1);
    sem_init(&yours, 0, 0);
    pthread_create(&thread, NULL, call_in_turn, NULL);
    for (int i = 0; i < TIMES; i++) {
        sem_wait(&mine);
        call();
        sem_post(&yours);
    }
    sem_wait(&mine);
    pthread_join(thread, NULL);
}

/* An error handler leaves the call: nothing is in MPI then. */
static _Thread_local jmp_buf back;

static void leave(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(back, 1);
}

static void *leave_and_wait(void *unused)
{
    sem_wait(&yours);
    if (!setjmp(back))
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    sem_post(&mine);
    sem_wait(&yours);
    call();
    sem_post(&mine);
    return unused;
}

static void left(void)
{
    pthread_t thread;
    MPI_Errhandler made;
    MPI_Comm_create_errhandler(leave, &made);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, made);
    sem_init(&mine, 0, 0);
    sem_init(&yours, 0, 0);
    pthread_create(&thread, NULL, leave_and_wait, NULL);
    sem_post(&yours);
    sem_wait(&mine);
    call();
    sem_post(&yours);
    sem_wait(&mine);
    call();
    pthread_join(thread, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&made);
}

static void *call_once(void *unused)
{
    call();
    return unused;
}

static void one_after_the_other(void)
{
    for (int i = 0; i < 50; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, call_once, NULL);
        pthread_join(thread, NULL);
        call();
    }
}

/* A thread that ends while it could be taken for one that calls. */
static void *exit_in_callback(void *unused)
{
    call();
    pthread_exit(unused);
}

/* --- the main thread is the one that called MPI_Init ----------------------------------------- */

static void *live(void *level)
{
    start((int)(intptr_t)level);
    call_often();
    MPI_Finalize();
    return NULL;
}

static void *compute(void *unused)
{
    for (volatile int i = 0; i < 100000; i++)
        ;
    return unused;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    pthread_t thread;
    if (strcmp(name, "anywhere-single") == 0) {
        MPI_Init(&argc, &argv);
        together(call_anywhere, call_often);
    } else if (strcmp(name, "anywhere-funneled") == 0) {
        start(MPI_THREAD_FUNNELED);
        together(call_anywhere, call_often);
    } else if (strcmp(name, "anywhere-serialized") == 0) {
        start(MPI_THREAD_SERIALIZED);
        together(call_anywhere, call_often);
    } else if (strcmp(name, "before-init") == 0) {
        together(call_anywhere, NULL);
        start(MPI_THREAD_FUNNELED);
        call_often();
    } else if (strcmp(name, "handlers") == 0) {
        start(MPI_THREAD_FUNNELED);
        together(call_handlers, NULL);
        call_often();
    } else if (strcmp(name, "compute") == 0) {
        MPI_Init(&argc, &argv);
        together(compute, call_often);
    } else if (strcmp(name, "lock") == 0) {
        start(MPI_THREAD_SERIALIZED);
        together(call_locked, call_locked_here);
    } else if (strcmp(name, "turns") == 0) {
        start(MPI_THREAD_SERIALIZED);
        in_turn();
    } else if (strcmp(name, "left") == 0) {
        start(MPI_THREAD_SERIALIZED);
        left();
    } else if (strcmp(name, "joined") == 0) {
        start(MPI_THREAD_SERIALIZED);
        one_after_the_other();
    } else if (strcmp(name, "exits") == 0) {
        start(MPI_THREAD_SERIALIZED);
        pthread_create(&thread, NULL, exit_in_callback, NULL);
        pthread_join(thread, NULL);
        call_often();
    } else if (strcmp(name, "other-main") == 0) {
        pthread_create(&thread, NULL, live, (void *)MPI_THREAD_FUNNELED);
        pthread_join(thread, NULL);
        return 0;
    } else if (strcmp(name, "other-single") == 0) {
        pthread_create(&thread, NULL, live, (void *)MPI_THREAD_SINGLE);
        pthread_join(thread, NULL);
        return 0;
    } else if (strcmp(name, "multiple") == 0) {
        start(MPI_THREAD_MULTIPLE);
        together(call_once, call_often);
    }
    MPI_Finalize();
    return 0;
}
