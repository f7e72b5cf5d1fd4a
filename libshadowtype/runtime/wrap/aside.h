/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process with another MPI than the one that this library was built for: a program of the other
 * MPI, started by a rank that was preloaded. The library must behave as if it were not there.
 */
#ifndef ST_RUNTIME_WRAP_ASIDE_H
#define ST_RUNTIME_WRAP_ASIDE_H

/* Makes each MPI function of this library a jump to the function of the same name that the program
 * would call without it, whatever its arguments are. MPI is a handle of the loader, for the names
 * that a plain lookup does not find. */
void st_stand_aside(void *mpi);

#endif
