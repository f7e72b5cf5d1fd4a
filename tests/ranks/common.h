/* What the programs of tests/ranks share. */
#ifndef COMMON_H
#define COMMON_H

#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROOM = 64 };

static int rank, size; /* of the world */

/* Waits until all ranks of the job have come here, as often as this one. Nothing of MPI: its collective calls are
 * counted, and a rank that waits in MPI takes a processor from the others. */
static inline void meet(void)
{
    static atomic_int *came;
    static int round;
    if (!came) {
        int file = open("meet", O_RDWR | O_CREAT, 0600);
        if (file < 0 || ftruncate(file, sizeof *came) != 0)
            exit(2);
        came = mmap(NULL, sizeof *came, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    atomic_fetch_add(came, 1);
    round++;
    while (atomic_load(came) < round * size)
        usleep(50);
}

static inline void begin(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

#endif
