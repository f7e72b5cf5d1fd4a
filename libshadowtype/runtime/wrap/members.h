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
/* A group of another communicator whose processes are known. */
struct st_known_group {
    uint64_t comm;
    bool remote;
    int32_t size;
    uint64_t *gpids; /* in the order of its ranks */
};
/* As st_members_ask(), of a communicator that has processes of other worlds: they are looked for in `count` groups, at
 * most ST_MOST_KNOWN_GROUPS. */
enum { ST_MOST_KNOWN_GROUPS = 4 };
void st_members_ask_among(uint64_t comm, bool remote, const struct st_known_group *groups,
                          size_t count, struct st_comm_members *members);

/* The same of a list of gpids, at least one. Returns false if there is no memory for them. */
bool st_members_list(const uint64_t *gpids, int32_t count, struct st_comm_members *members);

void st_members_free(struct st_comm_members *members);

#endif
