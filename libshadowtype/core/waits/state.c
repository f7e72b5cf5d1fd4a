#include "core/waits/functions.h"
#include "core/waits/state_internal.h"

#include <stdlib.h>
#include <string.h>

bool st_wait_is_collective(const char *function)
{
    return st_function_collects(st_function_sort(function));
}

/* --- reading ------------------------------------------------------------------------------- */

static bool is_called(const struct st_state_reader *reader, const char *type, uint64_t value,
                      const char *name)
{
    const struct st_name *found = st_state_name(reader, type, value);
    return found && strcmp(found->name, name) == 0;
}

/* Which process the part's peer is. */
static void find_process(const struct st_wait_rank *rank, struct st_wait_part *part)
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

static bool add_waited(struct st_wait_rank *rank, struct st_wait_thread *thread,
                       const struct st_wait_part *part)
{
    thread->count++;
    return add_part(&rank->parts, &rank->part_count, &rank->part_room, part);
}

static bool add_pending(struct st_wait_rank *rank, const struct st_wait_part *part)
{
    return add_part(&rank->pending, &rank->pending_count, &rank->pending_room, part);
}

/* A record's or a call's rank: a number as ST_PEER_ has it. */
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

/* The value of the parameter that has this role; false: there is none. */
static bool find_value(const struct st_call_form *form, const struct st_thread_call *call,
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

/* A file's handle is a pointer in both libraries. */
static bool read_handle(const struct st_state_reader *reader, enum st_kind kind, uint64_t address,
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
        if (find_value(form, call, passed[i].role, &handle)) {
            return st_state_comm(reader, passed[i].kind, handle);
        }
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (find_value(form, call, taken[i].role, &address) &&
            read_handle(reader, taken[i].kind, address, &handle)) {
            return st_state_comm(reader, taken[i].kind, handle);
        }
    }
    return ST_NO_COMM;
}

/* One side of a call that sends or receives. Returns false where the other side is MPI_PROC_NULL or not
 * known. */
static bool read_side(struct st_state_reader *reader, const struct st_call_form *form,
                      const struct st_thread_call *call, enum st_wait_sort sort,
                      struct st_wait_part *part)
{
    uint64_t peer, tag;
    const bool sends = sort == ST_WAIT_SEND;
    *part = (struct st_wait_part){.sort = sort, .site = ST_NO_SITE};
    st_state_copy(part->function, sizeof part->function, form->function);
    part->comm = comm_of_call(reader, form, call);
    if (!find_value(form, call, sends ? "dest" : "source", &peer) ||
        !find_value(form, call, sends ? "tag" : "anytag", &tag) ||
        is_called(reader, "rank", peer, "MPI_PROC_NULL")) {
        return false;
    }
    part->peer = peer_of(reader, sends ? "rank" : "source", peer);
    part->tag = peer_of(reader, sends ? "rank" : "tag", tag);
    find_process(reader->rank, part);
    return part->world != ST_PEER_NONE && part->tag != ST_PEER_NONE;
}

/* What a blocking call waits for, and what it offers to others. */
static bool add_side(struct st_state_reader *reader, struct st_wait_thread *thread,
                     const struct st_call_form *form, enum st_wait_sort sort)
{
    struct st_wait_part part;
    thread->runs |= !read_side(reader, form, &thread->call, sort, &part);
    return add_waited(reader->rank, thread, &part) &&
           (sort == ST_WAIT_PROBE || add_pending(reader->rank, &part));
}

/* MPI may call a function of the program's in such a call. */
static bool may_call_back(const struct st_state_reader *reader, enum st_function_sort sort)
{
    return (sort == ST_FUNCTION_COLLECTS_WITH_OP &&
            reader->operations.callbacks & ST_CALLBACK_OP) ||
           (sort == ST_FUNCTION_COPIES_ATTRIBUTES &&
            reader->operations.callbacks & ST_CALLBACK_KEYVAL);
}

/* In an intercommunicator not all processes have a part in a call's data. */
static bool is_from_nearby(const struct st_state_reader *reader, size_t comm, const char *function,
                           enum st_function_sort sort)
{
    bool is_inter = comm != ST_NO_COMM && reader->rank->comms[comm].is_inter;
    bool has_data = sort == ST_FUNCTION_COLLECTS || sort == ST_FUNCTION_COLLECTS_WITH_OP;
    return sort == ST_FUNCTION_COLLECTS_FROM_NEARBY ||
           (is_inter && has_data && !strstr(function, "arrier") && !strstr(function, "omm_"));
}

static bool add_collective(struct st_state_reader *reader, struct st_wait_thread *thread,
                           const struct st_call_form *form, enum st_function_sort sort)
{
    struct st_wait_part part = {.sort = ST_WAIT_COLLECTIVE,
                                .site = ST_NO_SITE,
                                .peer = ST_PEER_NONE,
                                .world = ST_PEER_NONE,
                                .process = ST_NO_GPID,
                                .tag = ST_PEER_NONE};
    uint64_t op;
    st_state_copy(part.function, sizeof part.function, form->function);
    part.comm = comm_of_call(reader, form, &thread->call);
    part.n = part.comm == ST_NO_COMM ? 0 : reader->rank->comms[part.comm].begun;
    part.from_nearby = is_from_nearby(reader, part.comm, form->function, sort);
    bool is_predefined =
        find_value(form, &thread->call, "op", &op) && st_state_name(reader, "MPI_Op", op);
    thread->runs |= (!is_predefined && may_call_back(reader, sort)) || part.comm == ST_NO_COMM ||
                    !reader->rank->comms[part.comm].id;
    return add_waited(reader->rank, thread, &part);
}

/* MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, ...). */
static bool add_leader(struct st_state_reader *reader, struct st_wait_thread *thread,
                       const struct st_call_form *form)
{
    enum { LOCAL_LEADER = 1, PEER_COMM, REMOTE_LEADER, TAG };
    const uint64_t *values = thread->call.values;
    struct st_wait_part part = {.sort = ST_WAIT_LEADER, .site = ST_NO_SITE};
    st_state_copy(part.function, sizeof part.function, form->function);
    if (!add_collective(reader, thread, form, ST_FUNCTION_COLLECTS)) {
        return false;
    }
    size_t local = reader->rank->parts[thread->first].comm;
    bool leads =
        local != ST_NO_COMM && reader->rank->comms[local].own_rank == (int32_t)values[LOCAL_LEADER];
    part.comm = leads ? st_state_comm(reader, ST_KIND_NONE, values[PEER_COMM]) : local;
    part.peer = (int32_t)values[leads ? REMOTE_LEADER : LOCAL_LEADER];
    part.tag = leads ? (int32_t)values[TAG] : ST_PEER_NONE;
    find_process(reader->rank, &part);
    thread->runs |= part.world == ST_PEER_NONE;
    return add_waited(reader->rank, thread, &part);
}

/* Which lock of a window's rank a call needs: what it asks for, or what was asked for before; 0: none, or it has
 * it. */
static int32_t lock_of(const struct st_state_reader *reader, const struct st_call_form *form,
                       const struct st_wait_thread *thread, const struct st_wait_part *part)
{
    uint64_t type;
    if (find_value(form, &thread->call, "lock", &type)) {
        return is_called(reader, "lock", type, "MPI_LOCK_EXCLUSIVE") ? ST_LOCK_EXCLUSIVE
                                                                     : ST_LOCK_SHARED;
    }
    const struct st_win_peer *peers = reader->rank->comms[part->comm].peers;
    uint32_t lock = peers ? peers[part->peer].lock : ST_LOCK_HELD;
    return lock & ST_LOCK_HELD ? 0 : (int32_t)(lock & (ST_LOCK_SHARED | ST_LOCK_EXCLUSIVE));
}

/* A call that waits for others of a window to do their part. Of a lock the part's tag is enum st_win_lock. */
static bool add_epoch(struct st_state_reader *reader, struct st_wait_thread *thread,
                      const struct st_call_form *form, enum st_wait_sort sort)
{
    uint64_t target;
    struct st_wait_part part = {.sort = sort,
                                .site = ST_NO_SITE,
                                .peer = ST_PEER_NONE,
                                .world = ST_PEER_NONE,
                                .process = ST_NO_GPID,
                                .tag = ST_PEER_NONE};
    st_state_copy(part.function, sizeof part.function, form->function);
    part.comm = comm_of_call(reader, form, &thread->call);
    thread->runs |= part.comm == ST_NO_COMM || !reader->rank->comms[part.comm].id ||
                    (sort != ST_WAIT_LOCK && !reader->rank->comms[part.comm].peers);
    if (sort == ST_WAIT_LOCK && !thread->runs) {
        part.peer = find_value(form, &thread->call, "target", &target)
                        ? peer_of(reader, "rank", target)
                        : ST_PEER_NONE;
        find_process(reader->rank, &part);
        thread->runs |= part.world < 0;
        part.tag = part.world < 0 ? 0 : lock_of(reader, form, thread, &part);
        thread->runs |= !part.tag;
    }
    return add_waited(reader->rank, thread, &part);
}

/* --- requests ------------------------------------------------------------------------------ */

/* The communicator of a request. Its handle may have been freed, and stand for a newer one now. */
static size_t comm_of_request(struct st_state_reader *reader, const struct st_record *record)
{
    size_t comm = record->comm ? st_state_comm(reader, ST_KIND_NONE, record->comm) : ST_NO_COMM;
    return comm != ST_NO_COMM && reader->rank->comms[comm].serial > record->serial ? ST_NO_COMM
                                                                                   : comm;
}

/* The place of a request's call in the order of its communicator: the record has its low 32 bits. */
static uint64_t order_of(const struct st_wait_comm *comm, uint32_t order)
{
    uint32_t since = (uint32_t)comm->begun - order;
    return order && since < comm->begun ? comm->begun - since : 0;
}

/* Of a collective call. */
static void describe_collective(struct st_state_reader *reader, const struct st_record *record,
                                enum st_function_sort sort, struct st_wait_part *part)
{
    const bool is_known = part->comm != ST_NO_COMM && reader->rank->comms[part->comm].id;
    part->n = is_known ? order_of(&reader->rank->comms[part->comm], record->order) : 0;
    part->from_nearby = is_from_nearby(reader, part->comm, part->function, sort);
    part->starts = record->flags & ST_RECORD_PERSISTENT ? record->starts : 0;
    part->sort = part->n && !may_call_back(reader, sort) ? ST_WAIT_COLLECTIVE : ST_WAIT_UNKNOWN;
}

static void describe_request(struct st_state_reader *reader, const struct st_operation *operation,
                             struct st_wait_part *part)
{
    enum st_function_sort collective;
    const struct st_record *record = &operation->record;
    *part = (struct st_wait_part){
        .site = record->site, .peer = record->peer, .tag = record->tag, .is_request = true};
    st_state_copy(part->function, sizeof part->function, operation->function);
    part->comm = comm_of_request(reader, record);
    find_process(reader->rank, part);
    switch (st_function_sort(operation->function)) {
    case ST_FUNCTION_SENDS:
        part->sort = ST_WAIT_SEND;
        break;
    case ST_FUNCTION_RECEIVES:
        part->sort = ST_WAIT_RECEIVE;
        break;
    default:
        part->sort = ST_WAIT_UNKNOWN;
        collective = st_function_request_sort(operation->function);
        if (st_function_collects(collective)) {
            describe_collective(reader, record, collective, part);
        }
    }
}

/* What is needed to say whom it waits for. */
static bool is_understood(const struct st_wait_part *part)
{
    return part->sort == ST_WAIT_COLLECTIVE ||
           (part->sort != ST_WAIT_UNKNOWN && part->world != ST_PEER_NONE &&
            part->tag != ST_PEER_NONE);
}

static bool is_request(const struct st_operation *operation)
{
    return operation->record.kind == ST_KIND_REQUEST && operation->record.handle;
}

/* The pending request of a handle; NULL: none, or more than one. *is_known: it has a record. */
static const struct st_operation *find_request(const struct st_state_reader *reader,
                                               uint64_t handle, uint64_t variable, bool *is_known)
{
    const struct st_operation *found = NULL;
    size_t all = 0, exact = 0;
    for (size_t i = 0; i < reader->operations.count; i++) {
        const struct st_operation *one = &reader->operations.operations[i];
        if (!is_request(one) || one->record.handle != handle) {
            continue;
        }
        bool is_exact = one->record.variable == variable;
        if (!found || is_exact) {
            found = one;
        }
        exact += is_exact;
        all++;
    }
    *is_known = all > 0;
    return all == 1 || exact == 1 ? found : NULL;
}

/* MPI's own memory shows that a request is complete. */
static bool is_complete(struct st_state_reader *reader, const struct st_operation *request)
{
    enum st_completion completion = ST_COMPLETION_UNKNOWN;
    struct st_fault ignored;
    if (!reader->knows_completion) {
        reader->knows_completion = true;
        st_completion_learn(reader->registry, &reader->completion, &ignored);
    }
    return !st_completion_of(reader->registry, &reader->completion, &request->record, &completion,
                             &ignored) &&
           completion == ST_COMPLETE;
}

static bool add_request(struct st_state_reader *reader, struct st_wait_thread *thread,
                        uint64_t handle, uint64_t variable)
{
    struct st_wait_part part = {.comm = ST_NO_COMM, .site = ST_NO_SITE};
    bool is_known;
    if (is_called(reader, "MPI_Request", handle, "MPI_REQUEST_NULL")) {
        return true;
    }
    const struct st_operation *request = find_request(reader, handle, variable, &is_known);
    if (is_known && request && !(request->record.flags & ST_RECORD_ACTIVE)) {
        return true; /* inactive: it is complete */
    }
    if (request && !(request->record.flags & (ST_RECORD_POSSIBLE | ST_RECORD_CANCELLED))) {
        describe_request(reader, request, &part);
    }
    if (!is_understood(&part)) {
        part.sort = ST_WAIT_UNKNOWN;
    }
    part.is_complete = request && is_complete(reader, request);
    /* What is complete ends each call but MPI_Waitall. */
    bool ends_call = part.is_complete && strcmp(thread->function, "MPI_Waitall") != 0;
    thread->runs |= ends_call || (part.sort == ST_WAIT_UNKNOWN && !part.is_complete);
    return add_waited(reader->rank, thread, &part);
}

enum { MOST_REQUESTS = 4096, MOST_COMPARED = 10000000 };

static bool add_requests(struct st_state_reader *reader, struct st_wait_thread *thread,
                         const struct st_call_form *form, bool one)
{
    uint64_t address, count = 1, handle;
    const uint64_t width = st_registry_root(reader->registry)->handle_bytes;
    if (!find_value(form, &thread->call, one ? "done" : "dones", &address) ||
        (!one && !find_value(form, &thread->call, "n", &count)) || count > MOST_REQUESTS ||
        count * reader->operations.count > MOST_COMPARED) {
        thread->runs = true;
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!read_handle(reader, ST_KIND_REQUEST, address + i * width, &handle)) {
            thread->runs = true;
            return true;
        }
        if (!add_request(reader, thread, handle, address + i * width)) {
            return false;
        }
    }
    thread->runs |= !thread->count; /* nothing to wait for: it returns at once */
    return true;
}

static bool add_operations(struct st_state_reader *reader)
{
    for (size_t i = 0; i < reader->operations.count; i++) {
        const struct st_operation *operation = &reader->operations.operations[i];
        enum st_function_sort sort = st_function_sort(operation->function);
        struct st_wait_part part;
        if (!is_request(operation) || operation->record.peer == ST_PEER_NULL) {
            continue;
        }
        describe_request(reader, operation, &part);
        /* How many times a persistent collective one was started counts while it is inactive, too. */
        if (part.sort != ST_WAIT_COLLECTIVE &&
            !(operation->record.flags & (ST_RECORD_ACTIVE | ST_RECORD_POSSIBLE))) {
            continue;
        }
        if (part.sort != ST_WAIT_UNKNOWN && !add_pending(reader->rank, &part)) {
            return false;
        }
        if (sort != ST_FUNCTION_SENDS_AND_RECEIVES) {
            continue;
        }
        part.peer = part.world = part.tag = ST_PEER_ANY;
        part.sort = ST_WAIT_SEND;
        bool added = add_pending(reader->rank, &part);
        part.sort = ST_WAIT_RECEIVE;
        if (!added || !add_pending(reader->rank, &part)) {
            return false;
        }
    }
    return true;
}

/* --- threads ------------------------------------------------------------------------------- */

static bool read_parts(struct st_state_reader *reader, struct st_wait_thread *thread,
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
        return add_requests(reader, thread, form, sort == ST_FUNCTION_WAITS_FOR_ONE);
    case ST_FUNCTION_COLLECTS:
    case ST_FUNCTION_COLLECTS_WITH_OP:
    case ST_FUNCTION_COPIES_ATTRIBUTES:
    case ST_FUNCTION_COLLECTS_FROM_NEARBY:
        return add_collective(reader, thread, form, sort);
    case ST_FUNCTION_JOINS_GROUPS:
        return add_leader(reader, thread, form);
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

const struct st_thread_call *st_wait_innermost(const struct st_thread *thread)
{
    int inner = ST_THREAD_CALLS - 1;
    while (inner >= 0 && (uint32_t)thread->calls[inner].state != ST_CALL_RUNNING) {
        inner--;
    }
    if (inner < 0) {
        return NULL;
    }
    /* A callback of this call has called MPI, and may run still. */
    if (inner + 1 < ST_THREAD_CALLS &&
        (uint32_t)thread->calls[inner + 1].state == ST_CALL_RETURNED &&
        thread->calls[inner + 1].sp < thread->calls[inner].sp) {
        return NULL;
    }
    return &thread->calls[inner];
}

static enum st_error read_thread(struct st_state_reader *reader, const struct st_thread *thread)
{
    struct st_wait_rank *rank = reader->rank;
    struct st_call_form form;
    const struct st_thread_call *call = st_wait_innermost(thread);
    if (!st_state_make_room(&rank->threads, rank->thread_count, &rank->thread_room,
                            sizeof *rank->threads)) {
        return st_fail(reader->fault, (struct st_fault){.error = ST_NO_MEMORY});
    }
    struct st_wait_thread *read = &rank->threads[rank->thread_count++];
    *read = (struct st_wait_thread){.id = thread->id, .in_call = call, .runs = !call};
    if (!call) {
        return ST_OK;
    }
    read->call = *call;
    enum st_error error = st_registry_form(reader->registry, call->form, &form, reader->fault);
    if (error) {
        return error;
    }
    st_state_copy(read->function, sizeof read->function, form.function);
    return read_parts(reader, read, &form)
               ? ST_OK
               : st_fail(reader->fault, (struct st_fault){.error = ST_NO_MEMORY});
}

static enum st_error read_threads(struct st_state_reader *reader)
{
    uint64_t address = st_registry_root(reader->registry)->threads;
    enum st_error error = ST_OK;
    for (uint32_t number = 0; address && !error;) {
        struct st_thread thread;
        error = st_registry_thread(reader->registry, &address, &number, &thread, reader->fault);
        if (!error && thread.id) {
            error = read_thread(reader, &thread);
        }
    }
    return error;
}

static void find_presence(struct st_wait_rank *rank, const struct st_root *root)
{
    rank->world_rank = root->world_rank;
    rank->world_size = root->world_size;
    rank->world = root->world;
    rank->presence = root->state == ST_STATE_FINALIZED                        ? ST_WAIT_LEFT
                     : rank->progress.leaving                                 ? ST_WAIT_LEAVING
                     : root->state == ST_STATE_LOADED || root->world_rank < 0 ? ST_WAIT_UNSEEN
                                                                              : ST_WAIT_PRESENT;
}

enum st_error st_wait_read(struct st_registry *registry, st_read_fn read, void *context,
                           struct st_wait_rank *rank, struct st_fault *fault)
{
    struct st_state_reader reader = {
        .registry = registry, .read = read, .context = context, .rank = rank, .fault = fault};
    struct st_damage damage;
    bool is_stuck = rank->is_stuck;
    st_wait_rank_free(rank);
    rank->is_stuck = is_stuck;
    enum st_error error = st_registry_progress(registry, &rank->progress, &rank->calls, fault);
    find_presence(rank, st_registry_root(registry));
    error = error ? error : st_registry_names(registry, &reader.names, &reader.name_count, fault);
    error = error ? error : st_registry_operations(registry, &reader.operations, &damage, fault);
    if (!error && damage.fault.error) {
        error = st_fail(fault, damage.fault);
    }
    error = error ? error : st_state_read_comms(&reader);
    error = error ? error : read_threads(&reader);
    if (!error && !add_operations(&reader)) {
        error = st_fail(fault, (struct st_fault){.error = ST_NO_MEMORY});
    }
    free(reader.names);
    st_operations_free(&reader.operations);
    return error;
}

void st_wait_rank_free(struct st_wait_rank *rank)
{
    for (size_t i = 0; i < rank->comm_count; i++) {
        free(rank->comms[i].members);
        free(rank->comms[i].own_members);
        free(rank->comms[i].peers);
    }
    free(rank->threads);
    free(rank->parts);
    free(rank->pending);
    free(rank->comms);
    *rank = (struct st_wait_rank){.world_rank = -1, .world_size = -1};
}
