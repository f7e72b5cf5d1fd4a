/* One rank does something long outside MPI, and the others wait for it. */
#include "slow.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The others wait in one way or another for rank `late`. */
static void wait_for_rank(int late)
{
    int sent = 1, ways = any_below(4);
    if (ways == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (ways == 1) {
        MPI_Bcast(&sent, 1, MPI_INT, late, MPI_COMM_WORLD);
    } else if (rank == late) {
        for (int i = 0; i < size; i++)
            if (i != late)
                MPI_Send(&sent, 1, MPI_INT, i, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&sent, 1, MPI_INT, ways == 2 ? late : MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
}

static void sleeps(void)
{
    int late = any_below(size);
    double seconds = any_while();
    if (rank == late)
        sleep_for(seconds);
    wait_for_rank(late);
}

static void computes(void)
{
    int late = any_below(size);
    double end = MPI_Wtime() + any_while();
    volatile double sum = 0;
    while (rank == late && MPI_Wtime() < end)
        for (int i = 0; i < 1000000; i++)
            sum = sum + i;
    wait_for_rank(late);
}

/* Stopped by a signal, in a call or outside of one. */
static void stopped(void)
{
    int late = any_below(size);
    double seconds = any_while();
    pid_t child = rank == late ? fork() : -1;
    if (child == 0) {
        kill(getppid(), SIGSTOP);
        sleep_for(seconds);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    wait_for_rank(late);
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* Reads what another process writes late. */
static void reads_slowly(void)
{
    int late = any_below(size), ends[2];
    double seconds = any_while();
    char byte;
    if (rank == late && pipe(ends) == 0) {
        if (fork() == 0) {
            sleep_for(seconds);
            _exit(write(ends[1], "x", 1) != 1);
        }
        if (read(ends[0], &byte, 1) != 1)
            perror("read");
        wait(NULL);
        close(ends[0]);
        close(ends[1]);
    }
    wait_for_rank(late);
}

/* All write to one file; one of them comes late, and writes through to the disk. */
static void writes_files(void)
{
    enum { BYTES = 1 << 22 };
    static char block[BYTES];
    static char name[64];
    int late = any_below(size);
    double seconds = any_while();
    MPI_File file;
    MPI_Request request;
    snprintf(name, sizeof name, "slow.%d.data", rank == 0 ? (int)getpid() : 0);
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (rank == late)
        sleep_for(seconds);
    MPI_File_write_at_all(file, (MPI_Offset)rank * BYTES, block, BYTES, MPI_CHAR,
                          MPI_STATUS_IGNORE);
    if (rank == late)
        sleep_for(seconds);
    MPI_File_sync(file);
    MPI_File_iread_at(file, (MPI_Offset)rank * BYTES, block, BYTES, MPI_CHAR, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads what is cut off now */
    MPI_File_set_size(file, BYTES);
    MPI_File_close(&file);
}

static double thread_sleeps;

static void *send_late(void *unused)
{
    int sent = 1;
    sleep_for(thread_sleeps);
    MPI_Send(&sent, 1, MPI_INT, rank, 9, MPI_COMM_WORLD);
    return unused;
}

/* Each rank waits for a message of its own second thread. */
static void second_thread(void)
{
    pthread_t thread;
    int received;
    thread_sleeps = any_while();
    if (pthread_create(&thread, NULL, send_late, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Recv(&received, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
}

const struct phase alone_phases[] = {{"sleeps", sleeps},
                                     {"computes", computes},
                                     {"stopped", stopped},
                                     {"reads_slowly", reads_slowly},
                                     {"writes_files", writes_files},
                                     {"second_thread", second_thread},
                                     {NULL, NULL}};
