/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether MPI ends the process. If it does, the way it ends is not checked.
 */
#ifndef ST_RUNTIME_WRAP_INSIDE_H
#define ST_RUNTIME_WRAP_INSIDE_H

#include <stdbool.h>

/* Returns true if this thread is inside a call of MPI. */
bool st_is_inside_mpi(void);

/* To be called when MPI_Abort is called, or an error handler that ends the job. */
void st_mpi_aborts(void);

/* Returns true if MPI ends the process: after st_mpi_aborts(), or inside a call. */
bool st_mpi_gives_up(void);

#endif
