/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the launcher's environment says of this process, before MPI_Init can be asked.
 */
#ifndef ST_RUNTIME_WRAP_LAUNCHED_H
#define ST_RUNTIME_WRAP_LAUNCHED_H

#include <stdint.h>

/* The rank that the process will have in MPI_COMM_WORLD, and the number of ranks; -1: not known. */
struct st_launched {
    int32_t rank, size;
};
struct st_launched st_launched(void);

/* Fills root.mpi_version (world.c). */
void st_mpi_read_version(void);

#endif
