/*
 * Python programs: MPI comes with an import, so only mpi4py's compiled module tells which one.
 */
#ifndef MPIPP_PYTHON_H
#define MPIPP_PYTHON_H

#include <stdbool.h>

bool python_is_one(const char *interpreter);

/* The path of mpi4py's compiled module for this INTERPRETER, found but not imported; NULL: there
 * is none, or there are several (mpi4py 4 can carry one for each MPI). */
char *python_mpi_module(const char *interpreter);

#endif
