/*
 * The launcher (mpiexec, mpirun) that belongs to an MPI library. The wrong one would start N
 * programs that each think themselves alone, with no error.
 */
#ifndef MPIPP_LAUNCHER_H
#define MPIPP_LAUNCHER_H

#include <stdbool.h>

#include "mpi_kind.h"

/* LIBRARY is the MPI library that the program loads, or NULL: a launcher installed with it is
 * preferred to those in PATH. Ends mpipp with a sentence if there is none. */
char *launcher_find(enum mpi_kind kind, const char *library);

/* Whether LAUNCHER, a program, is the one of the other MPI for certain. */
bool launcher_belongs_to_other(const char *launcher, enum mpi_kind kind);

/* Whether this process is the first of several ranks that the launcher of the other MPI has
 * started: what launchers put into the environment tells. */
bool launcher_is_wrong(enum mpi_kind kind);

#endif
