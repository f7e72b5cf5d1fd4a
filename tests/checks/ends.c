/*
 * Ends of processes that are right, though they look wrong: MPI_Finalize in a library's destructor,
 * children that were made past fork(), and what may be freed after MPI_Finalize. ENDS says which.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern MPI_Info kept;
extern MPI_Errhandler handler;

static void ignore(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void free_kept(void)
{
    MPI_Info_free(&kept);
    MPI_Errhandler_free(&handler);
}

static int clone_main(void *unused)
{
    (void)unused;
    exit(0);
}

/* Children that the C library does not know of, and that leave by exit(). */
static void children(void)
{
    static char stack[1 << 18];
    long child = syscall(SYS_fork);
    if (child == 0)
        exit(0);
    waitpid((pid_t)child, NULL, 0);
    child = clone(clone_main, stack + sizeof stack, SIGCHLD, NULL);
    waitpid((pid_t)child, NULL, 0);
}

int main(int argc, char **argv)
{
    const char *way = getenv("ENDS") ? getenv("ENDS") : "";
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "children") == 0)
        children();
    if (strncmp(way, "freed", 5) == 0 || strcmp(way, "leaked") == 0) {
        MPI_Info_create(&kept);
        MPI_Comm_create_errhandler(ignore, &handler);
    }
    if (strcmp(way, "freed-handler") == 0)
        atexit(free_kept);
    if (strcmp(way, "destructor") == 0 || strcmp(way, "handler") == 0 || strcmp(way, "nobody") == 0)
        exit(0);
    MPI_Finalize();
    if (strcmp(way, "freed") == 0)
        free_kept();
    return 0;
}
