/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp gdb -n N: all ranks of a job under one gdb, rank r as inferior r + 1, stopped at main.
 *
 *     mpipp gdb -n 2 -q ./app args
 *  →  mpiexec.mpich -n 2 mpipp exec --mpi=mpich --hold=... -- ./app args     (in the background)
 *     gdb -iex 'source .../mpipp-gdb.py' -ex 'python ... ranks_start ...' -q
 */
#ifndef MPIPP_GDB_RANKS_H
#define MPIPP_GDB_RANKS_H

#include "words.h"

struct gdb_ranks {
    const char *gdb;
    const char *count;    /* N; NULL: the launcher decides */
    const char *mpi;      /* --mpi, or NULL */
    const char *launcher; /* --launcher, or NULL */
    const char *input;    /* --stdin, or NULL */
    struct words options; /* options for gdb */
};

/* WORDS is the program and the words after it. Becomes gdb. */
_Noreturn void gdb_ranks(const struct gdb_ranks *ranks, char *const *words);

#endif
