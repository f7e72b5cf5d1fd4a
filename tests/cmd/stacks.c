/*
 * A program whose ranks wait at different places, for 'mpipp stacks'.
 *
 *     stacks halo       ranks 0 and 1 receive from each other, the others are in a barrier
 *     stacks callback   all ranks are in a function that MPI_Allreduce calls
 *     stacks thread     a thread of the program's waits, and so does main
 *     stacks alone N    one process, without MPI_Init, that ends after N milliseconds
 *     stacks vfork      one process that waits in the kernel, where no debugger can stop it
 */
#define _GNU_SOURCE
#include "../give_way.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

volatile int never;

static inline __attribute__((always_inline)) void inlined(int rank)
{
    int number;
    MPI_Recv(&number, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* receives */
    never++;
}

__attribute__((noinline)) static void exchange(int rank)
{
    inlined(rank); /* inlines */
    never++;
}

__attribute__((noinline)) static void step(int rank)
{
    if (rank < 2)
        exchange(rank); /* exchanges */
    else
        MPI_Barrier(MPI_COMM_WORLD); /* meets */
    never++;
}

__attribute__((noinline)) static void wait_for_ever(void)
{
    while (!never)
        usleep(1000); /* waits */
}

static void combine(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)in, (void)out, (void)count, (void)type;
    wait_for_ever(); /* combines */
    never++;
}

static void reduce(void)
{
    int from = 1, to;
    MPI_Op op;
    MPI_Op_create(combine, 1, &op);
    MPI_Allreduce(&from, &to, 1, MPI_INT, op, MPI_COMM_WORLD); /* reduces */
}

static void *work(void *unused)
{
    wait_for_ever(); /* works */
    never++;
    return unused;
}

static void wait_in_kernel(void)
{
    if (vfork() == 0) { /* the child has the parent's memory, and the parent waits for its end */
        pause();
        _exit(1);
    }
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "halo";
    int rank;
    pthread_t thread;
    alarm(300);
    if (strcmp(what, "alone") == 0) {
        usleep((useconds_t)atoi(arguments[2]) * 1000);
        return 0;
    }
    if (strcmp(what, "vfork") == 0) {
        wait_in_kernel();
        return 0;
    }
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    give_way();
    puts("asleep");
    fflush(stdout);
    if (strcmp(what, "thread") == 0 && pthread_create(&thread, NULL, work, NULL) == 0)
        wait_for_ever(); /* main waits */
    else if (strcmp(what, "callback") == 0)
        reduce(); /* main reduces */
    else
        step(rank); /* main steps */
    MPI_Finalize();
    return 0;
}
