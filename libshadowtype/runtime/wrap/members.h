/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processes a communicator has. Asks MPI only local questions: PMPI_Group_translate_ranks to
 * MPI_COMM_WORLD.
 */
#ifndef ST_RUNTIME_WRAP_MEMBERS_H
#define ST_RUNTIME_WRAP_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/registry.h"

struct st_comm_members {
    struct st_comm_group group; /* `members` of it is not set */
    uint64_t *list;             /* gpids, if the group is LISTED */
    size_t bytes;               /* bytes mapped for the list */
};

/* Finds the group of a communicator (remote: the remote group of an intercommunicator). It is
 * ST_GROUP_UNKNOWN if MPI does not say. */
void st_members_ask(uint64_t comm, bool remote, struct st_comm_members *members);
/* The group of another communicator, whose processes are known. */
struct st_known_group {
    uint64_t comm;
    bool remote;
    int32_t size;
    uint64_t *gpids; /* in the order of its ranks */
};
/* Does the same for a communicator that has processes of other worlds: looks for them in `count`
 * groups, at most ST_MOST_KNOWN_GROUPS. */
enum { ST_MOST_KNOWN_GROUPS = 4 };
void st_members_ask_among(uint64_t comm, bool remote, const struct st_known_group *groups,
                          size_t count, struct st_comm_members *members);

/* Makes members of a list of at least one gpid. Returns false if there is no memory for them. */
bool st_members_list(const uint64_t *gpids, int32_t count, struct st_comm_members *members);

void st_members_free(struct st_comm_members *members);

#endif
