/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The name that a rank of this node has for a communicator, window or file.
 */
#ifndef MPIPP_NODES_COMM_NAME_H
#define MPIPP_NODES_COMM_NAME_H

#include <stdint.h>

#include "../watch/shared.h"

/* COMM: as in struct st_collective. Returns "MPI_COMM_WORLD", or the name that the program has set, in new
 * memory; NULL if it has none, or if the process cannot be read. */
char *comm_name_of(int64_t pid, uint64_t comm);
/* The same for a rank whose entry in the shared memory shows MPI_COMM_WORLD also when it has ended. */
char *comm_name_in(const struct shared *shared, int64_t pid, uint64_t comm);

#endif
