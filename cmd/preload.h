/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment that makes a program load libshadowtype before its MPI library.
 */
#ifndef MPIPP_PRELOAD_H
#define MPIPP_PRELOAD_H

#include <stdbool.h>

#include "mpi_kind.h"

/* Puts the library for KIND first in LD_PRELOAD of this process' environment, once. With HEAP, the
 * library that records the sizes of blocks follows it. Other preloaded libraries stay after both. */
void preload_set(enum mpi_kind kind, bool heap);

/* Undoes preload_set(): for a gdb that is itself started by 'mpipp run'. */
void preload_unset(enum mpi_kind kind);

#endif
