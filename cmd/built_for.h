/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI library that each libshadowtype was built for, as it is written in that file. Libraries
 * of the same kind and soname number have one binary interface.
 */
#ifndef MPIPP_BUILT_FOR_H
#define MPIPP_BUILT_FOR_H

#include "mpi_kind.h"

/* Prints a line for each libshadowtype of this mpipp. */
void built_for_print(void);

/* Writes a warning if SONAME, the MPI library of PROGRAM, has another number than the one that the
 * libshadowtype of KIND was built for. SONAME may be NULL: not known. */
void built_for_compare(enum mpi_kind kind, const char *program, const char *soname);

#endif
