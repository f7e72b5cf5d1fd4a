/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Python programs: MPI comes with an import, so only mpi4py's compiled module shows which one.
 */
#ifndef MPIPP_PYTHON_H
#define MPIPP_PYTHON_H

#include <stdbool.h>

bool python_is_one(const char *interpreter);

/* Returns the path of mpi4py's compiled module for this INTERPRETER, without importing it; NULL if
 * there is none, or if there are several (mpi4py 4 can contain one for each MPI). */
char *python_mpi_module(const char *interpreter);

#endif
