/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/state_internal.h"

#include <stdio.h>
#include <string.h>

static struct st_wait_part begin_part(const struct st_call_form *form, enum st_wait_sort sort)
{
    struct st_wait_part part = {.sort = sort,
                                .comm = ST_NO_COMM,
                                .site = ST_NO_SITE,
                                .peer = ST_PEER_NONE,
                                .world = ST_PEER_NONE,
                                .process = ST_NO_GPID,
                                .tag = ST_PEER_NONE};
    st_state_copy(part.function, sizeof part.function, form->function);
    return part;
}

/* A rank or tag of a call, as a number or an ST_PEER_ constant. */
static int32_t peer_of(const struct st_state_reader *reader, const char *type, uint64_t value)
{
    const struct st_name *name = st_state_name(reader, type, value);
    if (!name) {
        int64_t number = (int64_t)value;
        return number >= 0 && number <= INT32_MAX ? (int32_t)number : ST_PEER_NONE;
    }
    if (strcmp(name->name, "MPI_ANY_SOURCE") == 0 || strcmp(name->name, "MPI_ANY_TAG") == 0) {
        return ST_PEER_ANY;
    }
    return ST_PEER_NONE;
}

/* The communicator, window or file that the call names. */
static size_t comm_of_call(struct st_state_reader *reader, const struct st_call_form *form,
                           const struct st_thread_call *call)
{
    uint64_t handle, address;
    static const struct {
        const char *role;
        enum st_kind kind;
    } passed[] = {{"comm", 0}, {"intra", 0},         {"inter", 0},
                  {"cart", 0}, {"win", ST_KIND_WIN}, {"file", ST_KIND_FILE}},
      taken[] = {{"comm-", 0}, {"win-", ST_KIND_WIN}, {"file-", ST_KIND_FILE}};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        if (st_state_find_value(form, call, passed[i].role, &handle)) {
            return st_state_comm(reader, passed[i].kind, handle);
        }
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (st_state_find_value(form, call, taken[i].role, &address) &&
            st_state_read_handle(reader, taken[i].kind, address, &handle)) {
            return st_state_comm(reader, taken[i].kind, handle);
        }
    }
    return ST_NO_COMM;
}

/* --- messages ------------------------------------------------------------------------------ */

/* One side of a call that sends or receives. Returns false if the other side is MPI_PROC_NULL, or
 * is not known. */
static bool read_side(struct st_state_reader *reader, const struct st_call_form *form,
                      const struct st_thread_call *call, enum st_wait_sort sort,
                      struct st_wait_part *part)
{
    uint64_t peer, tag;
    const bool sends = sort == ST_WAIT_SEND;
    *part = begin_part(form, sort);
    part->comm = comm_of_call(reader, form, call);
    if (!st_state_find_value(form, call, sends ? "dest" : "source", &peer) ||
        !st_state_find_value(form, call, sends ? "tag" : "anytag", &tag) ||
        st_state_is_called(reader, "rank", peer, "MPI_PROC_NULL")) {
        return false;
    }
    part->peer = peer_of(reader, sends ? "rank" : "source", peer);
    part->tag = peer_of(reader, sends ? "rank" : "tag", tag);
    st_wait_find_process(reader->rank, part);
    return part->world != ST_PEER_NONE && part->tag != ST_PEER_NONE;
}

/* Adds what a blocking call waits for, and the operation that others may match. */
static bool add_side(struct st_state_reader *reader, struct st_wait_thread *thread,
                     const struct st_call_form *form, enum st_wait_sort sort)
{
    struct st_wait_part part;
    thread->runs |= !read_side(reader, form, &thread->call, sort, &part);
    part.thread = thread->id;
    return st_state_add_waited(reader->rank, thread, &part) &&
           (sort == ST_WAIT_PROBE || st_state_add_pending(reader->rank, &part));
}

/* --- collective calls ---------------------------------------------------------------------- */

/* Calls it like the communicator that the call passes; `comm`: ST_NO_COMM if it passes none. */
static void name_gathering(struct st_wait_rank *rank, size_t gathering, size_t comm)
{
    struct st_wait_comm *group = &rank->comms[gathering];
    if (comm != ST_NO_COMM) {
        st_state_copy(group->name, sizeof group->name,
                      rank->comms[comm].name[0] ? rank->comms[comm].name : "a communicator");
    } else {
        snprintf(group->name, sizeof group->name, "a group of %d ranks", group->size);
    }
}

/* Sets the group whose members have to come to the call. WHICH: 1 for that of the two leaders. Returns false if it is
 * not known. */
static bool find_gathering(struct st_state_reader *reader, const struct st_thread_call *call,
                           uint64_t which, struct st_wait_part *part)
{
    const size_t found = st_state_comm(reader, ST_KIND_GROUP, call->sp | which);
    if (!st_state_is_known(reader, found)) {
        return false;
    }
    name_gathering(reader->rank, found, part->comm);
    part->comm = found;
    part->n = reader->rank->comms[found].begun;
    return true;
}

static bool add_collective(struct st_state_reader *reader, struct st_wait_thread *thread,
                           const struct st_call_form *form, enum st_function_sort sort)
{
    struct st_wait_part part = begin_part(form, ST_WAIT_COLLECTIVE);
    uint64_t op;
    part.comm = comm_of_call(reader, form, &thread->call);
    part.n = part.comm == ST_NO_COMM ? 0 : reader->rank->comms[part.comm].begun;
    part.from_nearby = st_state_is_from_nearby(reader, part.comm, form->function, sort);
    if (sort == ST_FUNCTION_COLLECTS_SOME && !find_gathering(reader, &thread->call, 0, &part)) {
        part.of_some = true;
        part.n = 0; /* it is not counted: others do not call it */
    }
    bool is_predefined =
        st_state_find_value(form, &thread->call, "op", &op) && st_state_name(reader, "MPI_Op", op);
    thread->runs |= (!is_predefined && st_state_may_call_back(reader, sort)) ||
                    !st_state_is_known(reader, part.comm);
    return st_state_add_waited(reader->rank, thread, &part);
}

/* MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, ...). */
static bool add_leader(struct st_state_reader *reader, struct st_wait_thread *thread,
                       const struct st_call_form *form)
{
    enum { LOCAL_LEADER = 1, PEER_COMM, REMOTE_LEADER, TAG };
    const uint64_t *values = thread->call.values;
    struct st_wait_part part = begin_part(form, ST_WAIT_LEADER);
    if (!add_collective(reader, thread, form, ST_FUNCTION_COLLECTS)) {
        return false;
    }
    size_t local = reader->rank->parts[thread->first].comm;
    bool leads =
        local != ST_NO_COMM && reader->rank->comms[local].own_rank == (int32_t)values[LOCAL_LEADER];
    part.comm = leads ? st_state_comm(reader, ST_KIND_NONE, values[PEER_COMM]) : local;
    part.peer = (int32_t)values[leads ? REMOTE_LEADER : LOCAL_LEADER];
    part.tag = leads ? (int32_t)values[TAG] : ST_PEER_NONE;
    st_wait_find_process(reader->rank, &part);
    thread->runs |= part.world == ST_PEER_NONE;
    return st_state_add_waited(reader->rank, thread, &part);
}

/* MPI_Intercomm_create_from_groups(local_group, local_leader, ...). */
static bool add_leader_of_groups(struct st_state_reader *reader, struct st_wait_thread *thread,
                                 const struct st_call_form *form)
{
    enum { LOCAL_LEADER = 1 };
    struct st_wait_part part = begin_part(form, ST_WAIT_COLLECTIVE);
    struct st_wait_part leader = begin_part(form, ST_WAIT_LEADER);
    const int32_t local_leader = (int32_t)thread->call.values[LOCAL_LEADER];
    if (!find_gathering(reader, &thread->call, 0, &part)) {
        thread->runs = true;
        return true;
    }
    const bool leads = reader->rank->comms[part.comm].own_rank == local_leader;
    leader.comm = part.comm;
    leader.peer = local_leader;
    if (leads && find_gathering(reader, &thread->call, 1, &leader)) {
        leader.peer = 1; /* the own process is the first of the two */
        leader.tag = 0;
    } else if (leads) {
        thread->runs = true;
    }
    st_wait_find_process(reader->rank, &leader);
    thread->runs |= leader.world == ST_PEER_NONE;
    return st_state_add_waited(reader->rank, thread, &part) &&
           st_state_add_waited(reader->rank, thread, &leader);
}

/* --- windows ------------------------------------------------------------------------------- */

/* The lock (enum st_win_lock) that a call waits for: the lock that it requests, or the one that the
 * rank requested before. Returns 0 if there is no such lock, or if the rank holds it already. */
static int32_t lock_of(const struct st_state_reader *reader, const struct st_call_form *form,
                       const struct st_wait_thread *thread, const struct st_wait_part *part)
{
    uint64_t type;
    if (st_state_find_value(form, &thread->call, "lock", &type)) {
        return st_state_is_called(reader, "lock", type, "MPI_LOCK_EXCLUSIVE") ? ST_LOCK_EXCLUSIVE
                                                                              : ST_LOCK_SHARED;
    }
    const struct st_win_peer *peers = reader->rank->comms[part->comm].peers;
    uint32_t lock = peers ? peers[part->peer].lock : ST_LOCK_HELD;
    return lock & ST_LOCK_HELD ? 0 : (int32_t)(lock & (ST_LOCK_SHARED | ST_LOCK_EXCLUSIVE));
}

/* Adds a call that waits until other ranks of the window have made a call. */
static bool add_epoch(struct st_state_reader *reader, struct st_wait_thread *thread,
                      const struct st_call_form *form, enum st_wait_sort sort)
{
    uint64_t target;
    struct st_wait_part part = begin_part(form, sort);
    part.comm = comm_of_call(reader, form, &thread->call);
    thread->runs |= !st_state_is_known(reader, part.comm) ||
                    (sort != ST_WAIT_LOCK && !reader->rank->comms[part.comm].peers);
    if (sort == ST_WAIT_LOCK && !thread->runs) {
        if (st_state_find_value(form, &thread->call, "target", &target)) {
            part.peer = peer_of(reader, "rank", target);
        }
        st_wait_find_process(reader->rank, &part);
        thread->runs |= part.world < 0;
        part.tag = part.world < 0 ? 0 : lock_of(reader, form, thread, &part);
        thread->runs |= !part.tag;
    }
    return st_state_add_waited(reader->rank, thread, &part);
}

/* --- any call ------------------------------------------------------------------------------ */

bool st_state_add_call(struct st_state_reader *reader, struct st_wait_thread *thread,
                       const struct st_call_form *form)
{
    enum st_function_sort sort = st_function_sort(form->function);
    thread->first = reader->rank->part_count;
    switch (sort) {
    case ST_FUNCTION_RECEIVES:
        return add_side(reader, thread, form, ST_WAIT_RECEIVE);
    case ST_FUNCTION_PROBES:
        return add_side(reader, thread, form, ST_WAIT_PROBE);
    case ST_FUNCTION_SENDS:
        return add_side(reader, thread, form, ST_WAIT_SEND);
    case ST_FUNCTION_SENDS_AND_RECEIVES:
        return add_side(reader, thread, form, ST_WAIT_SEND) &&
               add_side(reader, thread, form, ST_WAIT_RECEIVE);
    case ST_FUNCTION_WAITS_FOR_ONE:
    case ST_FUNCTION_WAITS_FOR_SOME:
        return st_state_add_requests(reader, thread, form, sort == ST_FUNCTION_WAITS_FOR_ONE);
    case ST_FUNCTION_COLLECTS:
    case ST_FUNCTION_COLLECTS_WITH_OP:
    case ST_FUNCTION_COPIES_ATTRIBUTES:
    case ST_FUNCTION_COLLECTS_FROM_NEARBY:
    case ST_FUNCTION_COLLECTS_SOME:
        return add_collective(reader, thread, form, sort);
    case ST_FUNCTION_JOINS_GROUPS:
        return add_leader(reader, thread, form);
    case ST_FUNCTION_JOINS_SOME:
        return add_leader_of_groups(reader, thread, form);
    case ST_FUNCTION_NEEDS_POSTS:
        return add_epoch(reader, thread, form, ST_WAIT_POSTS);
    case ST_FUNCTION_NEEDS_COMPLETES:
        return add_epoch(reader, thread, form, ST_WAIT_COMPLETES);
    case ST_FUNCTION_NEEDS_LOCK:
        return add_epoch(reader, thread, form, ST_WAIT_LOCK);
    case ST_FUNCTION_OTHER:
        break;
    }
    thread->runs = true;
    return true;
}
