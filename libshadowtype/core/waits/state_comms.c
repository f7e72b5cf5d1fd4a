#include "core/waits/state_internal.h"

#include <stdlib.h>
#include <string.h>

bool st_state_make_room(void *list, size_t count, size_t *room, size_t size)
{
    void **items = list;
    if (count < *room) {
        return true;
    }
    size_t wider = *room ? *room * 2 : 8;
    void *longer = realloc(*items, wider * size);
    if (!longer) {
        return false;
    }
    *items = longer;
    *room = wider;
    return true;
}

const struct st_name *st_state_name(const struct st_state_reader *reader, const char *type,
                                    uint64_t value)
{
    for (size_t i = 0; i < reader->name_count; i++) {
        if (reader->names[i].value == value && strcmp(reader->names[i].type, type) == 0) {
            return &reader->names[i];
        }
    }
    return NULL;
}

void st_state_copy(char *to, size_t room, const char *from)
{
    size_t length = strlen(from);
    length = length < room ? length : room - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

/* Without a struct of its own, as where memory ended, the names alone tell which one it is. */
static void identify(const struct st_state_reader *reader, struct st_wait_comm *comm)
{
    const struct st_wait_rank *rank = reader->rank;
    const struct st_name *name = st_state_name(reader, "MPI_Comm", comm->handle);
    if (!name) {
        return;
    }
    st_state_copy(comm->name, sizeof comm->name, name->name);
    if (!comm->id && strcmp(name->name, "MPI_COMM_WORLD") == 0 && rank->world_size > 0) {
        comm->id = ST_WORLD_ID;
        comm->size = rank->world_size;
    }
}

/* False: memory ended. */
static bool add_comm(struct st_state_reader *reader, const struct st_wait_comm *comm)
{
    struct st_wait_rank *rank = reader->rank;
    if (!st_state_make_room(&rank->comms, rank->comm_count, &rank->comm_room,
                            sizeof *rank->comms)) {
        return false;
    }
    rank->comms[rank->comm_count] = *comm;
    identify(reader, &rank->comms[rank->comm_count++]);
    return true;
}

/* Its index; ST_NO_COMM: memory ended. The newest one that has the handle counts. */
size_t st_state_comm(struct st_state_reader *reader, uint64_t handle)
{
    struct st_wait_rank *rank = reader->rank;
    for (size_t i = rank->comm_count; i > 0; i--) {
        if (rank->comms[i - 1].handle == handle) {
            return i - 1;
        }
    }
    struct st_wait_comm comm = {.handle = handle, .size = -1};
    return add_comm(reader, &comm) ? rank->comm_count - 1 : ST_NO_COMM;
}

enum { MOST_MEMBERS = 1 << 20 };

/* The ranks in MPI_COMM_WORLD of who is reached by the communicator's ranks. False: memory ended. */
static bool list_members(const struct st_state_reader *reader, const struct st_communicator *known,
                         struct st_wait_comm *comm)
{
    const uint64_t world = st_registry_root(reader->registry)->world;
    const bool is_inter = known->comm.flags & ST_COMM_INTER;
    const struct st_comm_group *group = is_inter ? &known->comm.remote : &known->comm.group;
    if (group->form == ST_GROUP_UNKNOWN || group->size <= 0 || group->size > MOST_MEMBERS) {
        comm->id = 0;
        return true;
    }
    comm->size = group->size;
    comm->members = malloc((size_t)group->size * sizeof *comm->members);
    for (int32_t i = 0; comm->members && i < group->size; i++) {
        uint64_t member = st_communicator_member(known, is_inter, i);
        bool is_ours = member != ST_NO_GPID && st_gpid_world(member) == world;
        comm->members[i] = is_ours ? st_gpid_rank(member) : ST_PEER_NONE;
    }
    return comm->members;
}

static bool take_comm(struct st_state_reader *reader, const struct st_communicator *known)
{
    struct st_wait_comm comm = {.handle = known->comm.handle,
                                .id = known->comm.flags & ST_COMM_KNOWN ? known->comm.id : 0,
                                .begun = known->comm.collectives,
                                .is_inter = known->comm.flags & ST_COMM_INTER,
                                .size = -1};
    if (known->name) {
        st_state_copy(comm.name, sizeof comm.name, known->name);
    }
    if ((comm.id && !list_members(reader, known, &comm)) || !add_comm(reader, &comm)) {
        free(comm.members);
        return false;
    }
    return true;
}

enum st_error st_state_read_comms(struct st_state_reader *reader)
{
    struct st_communicator *known;
    struct st_damage damage;
    size_t count;
    enum st_error error =
        st_registry_comms(reader->registry, &known, &count, &damage, reader->fault);
    if (error) {
        return error;
    }
    for (size_t i = 0; i < count && !error; i++) {
        if (!take_comm(reader, &known[i])) {
            error = st_fail(reader->fault, (struct st_fault){.error = ST_NO_MEMORY});
        }
    }
    st_communicators_free(known, count);
    return !error && damage.fault.error ? st_fail(reader->fault, damage.fault) : error;
}
