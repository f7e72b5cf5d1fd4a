/* Memory that looks as if its function had returned, and has not; and such of which nothing is known. */
#include <alloca.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define IGNORE MPI_STATUS_IGNORE
#define FAR __attribute__((noinline))

static int other[4];

/* A call that is always looked at. */
FAR static void call_mpi(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_SELF, &size);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Send(other, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

FAR static void send_and_wait(void)
{
    int cells[4] = {1}, halo[4];
    MPI_Request both[2];
    MPI_Irecv(halo, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &both[0]);
    MPI_Isend(cells, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &both[1]);
    call_mpi();
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

FAR static void recurse(int depth)
{
    int halo[4];
    MPI_Request request;
    MPI_Irecv(halo, 4, MPI_INT, 0, depth, MPI_COMM_SELF, &request);
    if (depth)
        recurse(depth - 1);
    call_mpi();
    MPI_Send(other, 4, MPI_INT, 0, depth, MPI_COMM_SELF);
    MPI_Wait(&request, IGNORE);
}

FAR static void in_alloca(int count)
{
    MPI_Request request;
    int *halo = alloca((size_t)count * sizeof *halo);
    MPI_Irecv(halo, count, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    call_mpi();
    MPI_Send(other, count, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, IGNORE);
}

FAR static void receive_into(int *halo, MPI_Request *request)
{
    MPI_Irecv(halo, 4, MPI_INT, 0, 1, MPI_COMM_SELF, request);
}

/* Active no more, though its request lives. */
FAR static void start_and_wait(MPI_Request *request)
{
    int halo[4];
    MPI_Recv_init(halo, 4, MPI_INT, 0, 1, MPI_COMM_SELF, request);
    MPI_Start(request);
    MPI_Send(other, 4, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(request, IGNORE);
}

FAR static void make_persistent(MPI_Request *request)
{
    int cells[4];
    MPI_Send_init(cells, 4, MPI_INT, 0, 1, MPI_COMM_SELF, request);
}

FAR static void buffered(void)
{
    int cells[4] = {1};
    MPI_Bsend(cells, 4, MPI_INT, 0, 1, MPI_COMM_SELF);
}

FAR static void window(void)
{
    int memory[8] = {0};
    MPI_Win win;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(other, 4, MPI_INT, rank, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

FAR static void dynamic_window(MPI_Win win)
{
    char memory[64];
    MPI_Win_attach(win, memory, sizeof memory);
    call_mpi();
    MPI_Win_detach(win, memory);
}

FAR static void no_bytes(MPI_Request *request)
{
    int nothing[1];
    MPI_Irecv(nothing, 0, MPI_INT, 0, 1, MPI_COMM_SELF, request);
}

static jmp_buf back;

FAR static void leave(void)
{
    call_mpi();
    longjmp(back, 1);
}

/* --- stacks of their own ------------------------------------------------------------------------ */

static ucontext_t main_context, fibres[2];
static MPI_Request of_fibre;

static void first_fibre(void)
{
    int halo[4];
    MPI_Irecv(halo, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &of_fibre);
    swapcontext(&fibres[0], &main_context);
    MPI_Send(other, 4, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&of_fibre, IGNORE);
    swapcontext(&fibres[0], &main_context);
}

static void second_fibre(void)
{
    call_mpi();
    swapcontext(&fibres[1], &main_context);
}

static void run_fibres(char *stacks, size_t bytes)
{
    void (*const functions[2])(void) = {first_fibre, second_fibre};
    for (int i = 0; i < 2; i++) {
        getcontext(&fibres[i]);
        fibres[i].uc_stack.ss_sp =
            stacks + (size_t)i * bytes; /* the first one lies below the second */
        fibres[i].uc_stack.ss_size = bytes;
        makecontext(&fibres[i], functions[i], 0);
    }
    swapcontext(&main_context, &fibres[0]);
    call_mpi();
    swapcontext(&main_context, &fibres[1]);
    call_mpi();
    swapcontext(&main_context, &fibres[0]);
}

/* Within the first thread's own stack. */
FAR static void fibres_in_frame(void)
{
    char stacks[2 << 18];
    run_fibres(stacks, 1 << 18);
}

static void handle(int number)
{
    (void)number;
    send_and_wait();
    call_mpi();
}

/* On a stack that lies above the buffer of the function that is interrupted. */
FAR static void interrupted(int alternate)
{
    int halo[4];
    MPI_Request request;
    struct sigaction action = {.sa_handler = handle, .sa_flags = alternate ? SA_ONSTACK : 0};
    sigaction(SIGUSR1, &action, NULL);
    MPI_Irecv(halo, 4, MPI_INT, 0, 2, MPI_COMM_SELF, &request);
    raise(SIGUSR1);
    MPI_Send(other, 4, MPI_INT, 0, 2, MPI_COMM_SELF);
    MPI_Wait(&request, IGNORE);
}

FAR static void on_alternate_stack(void)
{
    char stack[1 << 18];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    interrupted(1);
    interrupted(0);
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}

/* --- threads ------------------------------------------------------------------------------------ */

static pthread_barrier_t turns;
static int *given;

static void *in_thread(void *request)
{
    MPI_Irecv(given, 4, MPI_INT, 0, 3, MPI_COMM_SELF, request);
    pthread_barrier_wait(&turns);
    pthread_barrier_wait(&turns);
    send_and_wait();
    return NULL;
}

/* A thread posts with a buffer of this function's; then, with one of a thread's that has ended. */
FAR static void threads(void)
{
    pthread_t thread;
    MPI_Request request;
    int halo[4];
    given = halo;
    pthread_barrier_init(&turns, NULL, 2);
    pthread_create(&thread, NULL, in_thread, &request);
    pthread_barrier_wait(&turns);
    call_mpi();
    MPI_Send(other, 4, MPI_INT, 0, 3, MPI_COMM_SELF);
    MPI_Wait(&request, IGNORE);
    pthread_barrier_wait(&turns);
    pthread_join(thread, NULL);
}

static void *ending(void *request)
{
    int halo[4];
    MPI_Irecv(halo, 4, MPI_INT, 0, 4, MPI_COMM_SELF, request);
    MPI_Cancel(request);
    return NULL;
}

/* --- callbacks ---------------------------------------------------------------------------------- */

static int deleted(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    send_and_wait();
    return MPI_SUCCESS;
}

FAR static void callback(void)
{
    int keyval;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, NULL);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
}

/* --- after main() -------------------------------------------------------------------------------- */

static MPI_Win win_of_main;

static void end_after_main(void)
{
    void *detached;
    int size;
    call_mpi();
    MPI_Win_free(&win_of_main);
    MPI_Buffer_detach(&detached, &size);
    MPI_Finalize();
}

/* In main(), which returns: exit() calls end_after_main() from where main() was called. */
static inline __attribute__((always_inline)) void begin_in_main(char *memory, char *room, int bytes)
{
    MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win_of_main);
    MPI_Buffer_attach(room, bytes);
    atexit(end_after_main);
}

int main(int argc, char **argv)
{
    int provided, halo[4];
    char room[4096], lowest[4096];
    char *stacks = malloc(2 << 18);
    void *detached;
    MPI_Request request;
    MPI_Win win;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (argc > 1 && strcmp(argv[1], "after-main") == 0) {
        free(stacks);
        begin_in_main(lowest, room, sizeof room);
        return 0;
    }
    send_and_wait();
    call_mpi();
    recurse(5);
    in_alloca(4);
    call_mpi();
    receive_into(halo, &request);
    call_mpi();
    MPI_Send(other, 4, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, IGNORE);
    start_and_wait(&request);
    call_mpi();
    MPI_Request_free(&request);
    make_persistent(&request);
    call_mpi();
    MPI_Request_free(&request);
    MPI_Buffer_attach(room, sizeof room);
    buffered();
    call_mpi();
    MPI_Recv(other, 4, MPI_INT, 0, 1, MPI_COMM_SELF, IGNORE);
    MPI_Buffer_detach(&detached, &provided);
    window();
    call_mpi();
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    dynamic_window(win);
    call_mpi();
    MPI_Win_free(&win);
    no_bytes(&request);
    call_mpi();
    MPI_Send(other, 0, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, IGNORE);
    receive_into(halo, &request);
    if (!setjmp(back))
        leave();
    call_mpi();
    MPI_Send(other, 4, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, IGNORE);
    run_fibres(stacks, 1 << 18);
    fibres_in_frame();
    on_alternate_stack();
    threads();
    pthread_create(&thread, NULL, ending, &request);
    pthread_join(thread, NULL);
    call_mpi();
    MPI_Wait(&request, IGNORE);
    callback();
    call_mpi();
    free(stacks);
    MPI_Finalize();
    return 0;
}
