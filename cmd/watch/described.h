/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank of this node does, as JSON for `mpipp ranks` and gdb:
 *
 *     {"pid": 4711, "world": "3f2a", "line": "MPI_Recv from 1, tag 7, MPI_COMM_WORLD", "since": [3, 4],
 *      "call": "MPI_Recv", "site": [{"module": "/home/me/app", "offset": 4711, "return": true}]}
 *
 * line   as mpi_calls_line() (stacks/mpi_calls.h) has it; absent if the rank cannot be read
 * since  bounds in seconds, as in core/waits/since.h; -1: not known
 * call   the function that its first thread in MPI is in, and site, from where, the innermost frame
 *        first; absent if no thread is in MPI
 */
#ifndef MPIPP_WATCH_DESCRIBED_H
#define MPIPP_WATCH_DESCRIBED_H

#include <jansson.h>

#include "looks.h"

/* Call it after a look at the rank. Returns a new object. */
json_t *described_rank(struct looked *rank);

/* SITE, from which CALL was called, in the form of a list: "halo.c:58 exchange", in new memory. Returns ""
 * if nothing is known. */
char *described_place(const json_t *site, const char *call);

#endif
