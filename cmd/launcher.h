/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The launcher (mpiexec, mpirun) that belongs to an MPI library. With the wrong one N programs
 * would start, each alone in its own job, and there would be no error.
 */
#ifndef MPIPP_LAUNCHER_H
#define MPIPP_LAUNCHER_H

#include <stdbool.h>

#include "mpi_kind.h"

/* Finds the launcher. LIBRARY is the MPI library that the program loads, or NULL: a launcher
 * installed with it is preferred to those in PATH. Ends mpipp with a sentence if there is none. */
char *launcher_find(enum mpi_kind kind, const char *library);

/* Returns true for a launcher of an MPI, by its name. Another one may be a script of the user's, which takes
 * our options for the program's. */
bool launcher_is_known(const char *launcher);

/* Returns true if LAUNCHER certainly belongs to the other MPI. */
bool launcher_belongs_to_other(const char *launcher, enum mpi_kind kind);

/* Returns true if this process is the first of several ranks that the launcher of the other MPI has
 * started, according to the environment. */
bool launcher_is_wrong(enum mpi_kind kind);

#endif
