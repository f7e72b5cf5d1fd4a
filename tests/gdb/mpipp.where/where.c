/*
 * A rank that gets into the situations in which a debugger looks: where MODE [ARGUMENT...]
 *
 *   wait          waits in MPI_Recv for a message that never comes
 *   make          makes one type after the other for ever
 *   many N        makes N types
 *   fork          a child that makes a type of its own
 *   exec PROGRAM  makes a type and becomes another program
 *   abort, error, assert, segv, free, overflow       dies of it
 *   finalize      ends as it should
 *
 * Each writes its process ID to where.pid when it is there.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef OTHER /* another program, whose types differ */
#define COUNT 5
#else
#define COUNT 4
#endif

static MPI_Datatype three, face, freed;
static double grid[24];
static int spare;

static void here(void)
{
    FILE *file = fopen("where.pid.new", "w");
    fprintf(file, "%d\n", (int)getpid());
    fclose(file);
    rename("where.pid.new", "where.pid");
}

static void stopped(void)
{
    spare++; /* stop: types */
}

static void make_types(void)
{
    MPI_Type_contiguous(3, MPI_DOUBLE, &three);
    MPI_Type_vector(COUNT, 1, 2, three, &face);
    MPI_Type_set_name(face, "face");
    MPI_Type_commit(&face);
    MPI_Type_vector(2, 1, 5, MPI_INT, &freed);
    MPI_Datatype copy = freed;
    MPI_Type_free(&copy);
    stopped();
}

static void make_for_ever(void)
{
    for (int i = 1;; i++) {
        MPI_Datatype made;
        MPI_Type_vector(i % 100 + 1, 1, 2, face, &made);
        MPI_Type_commit(&made); /* stop: committed */
        MPI_Type_free(&made);
    }
}

static void make_many(int count)
{
    for (int i = 0; i < count; i++) {
        MPI_Datatype made;
        MPI_Type_contiguous(i + 1, MPI_INT, &made);
    }
    spare++; /* stop: many */
}

static void in_a_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        MPI_Datatype own;
        MPI_Type_contiguous(7, MPI_INT, &own);
        spare++; /* stop: in the child */
        _exit(0);
    }
    /* Detached, it ends at any time: what MPI says of its types then would come after gdb's prompt. */
    freopen("/dev/null", "w", stderr);
    waitpid(child, NULL, 0);
    spare++; /* stop: in the parent */
}

static int overflow(int depth)
{
    volatile char here[512];
    here[0] = (char)depth;
    return overflow(depth + 1) + here[0];
}

/* The whole heap, what malloc keeps there included. */
static void destroy_heap(void)
{
    char *top = sbrk(0);
    char *some = malloc(100);
    memset(some - 16, 0x55, (size_t)(top - some) + 16);
    free(some);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    for (int i = 0; i < 24; i++)
        grid[i] = i;
    MPI_Init(&argc, &argv);
    make_types();
    here();
    if (!strcmp(mode, "wait")) {
        MPI_Recv(grid, 1, face, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (!strcmp(mode, "make")) {
        make_for_ever();
    } else if (!strcmp(mode, "many")) {
        make_many(atoi(argv[2]));
    } else if (!strcmp(mode, "fork")) {
        in_a_child();
    } else if (!strcmp(mode, "exec")) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
    } else if (!strcmp(mode, "abort")) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    } else if (!strcmp(mode, "error")) {
        MPI_Send(grid, 1, face, 12345, 7, MPI_COMM_WORLD);
    } else if (!strcmp(mode, "assert")) {
        abort();
    } else if (!strcmp(mode, "segv")) {
        *(volatile int *)0 = 1;
    } else if (!strcmp(mode, "free")) {
        destroy_heap();
    } else if (!strcmp(mode, "overflow")) {
        return overflow(0);
    }
    MPI_Type_free(&three);
    MPI_Finalize();
    return spare > 100; /* stop: finalized */
}
