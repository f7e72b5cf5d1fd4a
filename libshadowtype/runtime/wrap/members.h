/*
 * Which processes a communicator has, as MPI says. Local questions only: PMPI_Group_translate_ranks
 * against MPI_COMM_WORLD.
 */
#ifndef ST_RUNTIME_WRAP_MEMBERS_H
#define ST_RUNTIME_WRAP_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/registry.h"

struct st_comm_members {
    struct st_comm_group group; /* without .members */
    uint64_t *list;             /* gpids, if the group is LISTED */
    size_t bytes;               /* mapped for the list */
};

/* The group of a communicator (remote: the other one of an intercommunicator). What MPI does not say is
 * ST_GROUP_UNKNOWN. */
void st_members_ask(uint64_t comm, bool remote, struct st_comm_members *members);
void st_members_free(struct st_comm_members *members);

#endif
