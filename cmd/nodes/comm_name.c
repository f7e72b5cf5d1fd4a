/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm_name.h"

#include <stdlib.h>

#include "../watch/memory.h"
#include "../words.h"
#include "core/decode/calls.h"
#include "core/decode/decode.h"
#include "core/model/hash.h"
#include "core/waits/since.h"

/* The name of the constant with this handle; NULL if no constant has it. */
static char *constant_name(struct st_registry *registry, const struct st_communicator *comm)
{
    struct st_name *names;
    size_t count;
    struct st_fault fault;
    char *found = NULL;
    if (comm->comm.kind != ST_KIND_NONE && comm->comm.kind != ST_KIND_COMM) {
        return NULL;
    }
    if (st_registry_names(registry, &names, &count, &fault)) {
        return NULL;
    }
    for (size_t i = 0; i < count && found == NULL; i++) {
        if (names[i].value == comm->comm.handle && text_begins(names[i].name, "MPI_COMM_")) {
            found = text_of("%s", names[i].name);
        }
    }
    free(names);
    return found;
}

static char *name_in(struct st_registry *registry, uint64_t comm)
{
    struct st_shared_area shared;
    struct st_communicator *list;
    struct st_damage damage = {0};
    struct st_fault fault;
    size_t count;
    char *found = NULL;
    if (!st_wait_shared(registry, &shared) ||
        st_registry_comms(registry, &list, &count, &damage, &fault)) {
        return NULL;
    }
    for (size_t i = 0; i < count && found == NULL; i++) {
        if (st_hash_word(list[i].comm.id, shared.job) == comm) {
            found = list[i].name != NULL ? text_of("%s", list[i].name)
                                         : constant_name(registry, &list[i]);
        }
    }
    st_communicators_free(list, count);
    return found;
}

char *comm_name_of(int64_t pid, uint64_t comm)
{
    struct memory memory = {.pid = (pid_t)pid};
    struct st_registry *registry;
    struct st_fault fault;
    uint64_t root;
    char *name = NULL;
    if (memory_find_registry(&memory, &root) == MEMORY_FOUND &&
        !st_registry_open(&registry, memory_read, &memory, root, &fault)) {
        name = name_in(registry, comm);
        st_registry_close(registry);
    }
    free(memory.maps);
    return name;
}

char *comm_name_in(const struct shared *shared, int64_t pid, uint64_t comm)
{
    for (uint32_t i = 0; i < shared->rank_count; i++) {
        if (shared->ranks[i].pid == pid && shared->ranks[i].world_comm == comm) {
            return text_of("MPI_COMM_WORLD");
        }
    }
    return comm_name_of(pid, comm);
}
