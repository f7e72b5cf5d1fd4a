/*
 * What the children of MPI_Comm_spawn are told by their parents, in one variable of their environment: the name of
 * their MPI_COMM_WORLD, the id of the communicator between the two worlds, and the parents.
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
    uint64_t id;    /* of the communicator that MPI_Comm_get_parent gives */
    uint64_t job;   /* the parents' st_ranks_node.job */
};

/* Returns false if this process was not spawned, or if its parents have told it nothing. MPI is initialized, and the
 * constants are read. */
bool st_spawned_read(struct st_spawned *spawned);

/* Writes the parents' gpids, `count` at most, in the order of their communicator. Returns how many there are; 0: it is
 * not known. */
int32_t st_spawned_parents(uint64_t *gpids, int32_t count);

/* Returns true if MPI says that another world has spawned this process, or does not say. */
bool st_is_spawned(void);

/* Returns the variable with its value, in new memory (malloc), or NULL where memory ends. What would be too long for an
 * environment is left out: then the children know no parents. */
char *st_spawned_text(const struct st_spawned *spawned, const uint64_t *gpids, int32_t count);

#endif
