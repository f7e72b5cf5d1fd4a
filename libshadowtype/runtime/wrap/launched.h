/*
 * What the launcher says of this process, before MPI_Init can be asked.
 */
#ifndef ST_RUNTIME_WRAP_LAUNCHED_H
#define ST_RUNTIME_WRAP_LAUNCHED_H

#include <stdint.h>

/* The rank in MPI_COMM_WORLD that the process is going to have, and how many ranks there will be.
 * -1: not known. */
struct st_launched {
    int32_t rank, size;
};
struct st_launched st_launched(void);

/* Fills root.mpi_version (world.c). */
void st_mpi_read_version(void);

#endif
