/* SPDX-License-Identifier: BSD-3-Clause */
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

bool st_state_is_called(const struct st_state_reader *reader, const char *type, uint64_t value,
                        const char *name)
{
    const struct st_name *found = st_state_name(reader, type, value);
    return found && strcmp(found->name, name) == 0;
}

void st_wait_find_process(const struct st_wait_rank *rank, struct st_wait_part *part)
{
    part->process = ST_NO_GPID;
    part->world = part->peer == ST_PEER_ANY ? ST_PEER_ANY : ST_PEER_NONE;
    if (part->comm == ST_NO_COMM || part->peer < 0) {
        return;
    }
    const struct st_wait_comm *comm = &rank->comms[part->comm];
    if (comm->id && part->peer < comm->size) {
        part->process =
            comm->members ? comm->members[part->peer] : st_gpid(rank->world, part->peer);
        part->world = part->process == ST_NO_GPID ? ST_PEER_NONE : st_gpid_rank(part->process);
    }
}

/* --- parts --------------------------------------------------------------------------------- */

static bool add_part(struct st_wait_part **parts, size_t *count, size_t *room,
                     const struct st_wait_part *part)
{
    if (!st_state_make_room(parts, *count, room, sizeof **parts)) {
        return false;
    }
    (*parts)[(*count)++] = *part;
    return true;
}

bool st_state_add_waited(struct st_wait_rank *rank, struct st_wait_thread *thread,
                         const struct st_wait_part *part)
{
    thread->count++;
    return add_part(&rank->parts, &rank->part_count, &rank->part_room, part);
}

bool st_state_add_pending(struct st_wait_rank *rank, const struct st_wait_part *part)
{
    return add_part(&rank->pending, &rank->pending_count, &rank->pending_room, part);
}

bool st_state_find_value(const struct st_call_form *form, const struct st_thread_call *call,
                         const char *role, uint64_t *value)
{
    for (size_t i = 0; i < form->count; i++) {
        size_t length = strcspn(form->parameters[i].role, ":");
        if (strlen(role) == length && memcmp(form->parameters[i].role, role, length) == 0) {
            *value = call->values[i];
            return true;
        }
    }
    return false;
}

/* A file's handle is a pointer in both MPI libraries. */
bool st_state_read_handle(const struct st_state_reader *reader, enum st_kind kind, uint64_t address,
                          uint64_t *handle)
{
    uint32_t narrow;
    const struct st_root *root = st_registry_root(reader->registry);
    if ((kind == ST_KIND_FILE ? root->pointer_bytes : root->handle_bytes) == 4) {
        bool done = reader->read(address, &narrow, 4, reader->context) == ST_READ_OK;
        *handle = done ? narrow : 0;
        return done;
    }
    return reader->read(address, handle, 8, reader->context) == ST_READ_OK;
}

bool st_state_is_known(const struct st_state_reader *reader, size_t comm)
{
    return comm != ST_NO_COMM && reader->rank->comms[comm].id;
}

bool st_state_may_call_back(const struct st_state_reader *reader, enum st_function_sort sort)
{
    return (sort == ST_FUNCTION_COLLECTS_WITH_OP &&
            reader->operations.callbacks & ST_CALLBACK_OP) ||
           (sort == ST_FUNCTION_COPIES_ATTRIBUTES &&
            reader->operations.callbacks & ST_CALLBACK_KEYVAL);
}

/* In an intercommunicator some processes contribute no data to a call. */
bool st_state_is_from_nearby(const struct st_state_reader *reader, size_t comm,
                             const char *function, enum st_function_sort sort)
{
    bool is_inter = comm != ST_NO_COMM && reader->rank->comms[comm].is_inter;
    bool has_data = sort == ST_FUNCTION_COLLECTS || sort == ST_FUNCTION_COLLECTS_WITH_OP;
    return sort == ST_FUNCTION_COLLECTS_FROM_NEARBY ||
           (is_inter && has_data && !strstr(function, "arrier") && !strstr(function, "omm_"));
}
