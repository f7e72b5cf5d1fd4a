/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What parents tell the children of MPI_Comm_spawn, in one environment variable: the name of their
 * MPI_COMM_WORLD, the id of the communicator between the two worlds, and the gpids of the parents.
 *
 *     MPIPP_SPAWNED = WORLD:ID:JOB:FIRST/STRIDE/COUNT,...        hexadecimal; the last are runs of gpids
 */
#ifndef ST_RUNTIME_WRAP_SPAWNED_H
#define ST_RUNTIME_WRAP_SPAWNED_H

#include <stdbool.h>
#include <stdint.h>

#define ST_SPAWNED_VARIABLE "MPIPP_SPAWNED"

struct st_spawned {
    uint64_t world; /* as st_root.world */
    uint64_t id;    /* of the communicator that MPI_Comm_get_parent returns */
    uint64_t job;   /* the parents' st_ranks_node.job */
};

/* Returns false if this process was not spawned, or if its parents did not set the variable. MPI
 * must be initialized, and the constants read. */
bool st_spawned_read(struct st_spawned *spawned);

/* Writes the parents' gpids, at most `count`, in the order of their communicator. Returns how many
 * there are; 0 if not known. */
int32_t st_spawned_parents(uint64_t *gpids, int32_t count);

/* Returns true if another world has spawned this process, or if MPI does not say. */
bool st_is_spawned(void);

/* Returns the variable with its value, in new memory (malloc); NULL if there is no memory. Leaves
 * out the parents if the text would be too long for an environment: then the children do not know
 * them. */
char *st_spawned_text(const struct st_spawned *spawned, const uint64_t *gpids, int32_t count);

#endif
