#include "core/waits/state_internal.h"

#include <stdlib.h>
#include <string.h>

/* What a function does to who calls it, by its name without "_c". */
enum st_function_sort {
    OTHER,
    RECEIVES,
    PROBES,
    SENDS,
    SENDS_AND_RECEIVES,
    WAITS_FOR_ONE,
    WAITS_FOR_SOME,
    COLLECTS,
    COLLECTS_WITH_OP, /* it may run a function of the program's */
    COPIES_ATTRIBUTES /* the same, where the program has made a keyval */
};

static const struct {
    const char *name;
    enum st_function_sort sort;
} functions[] = {
    {"Recv", RECEIVES},
    {"Probe", PROBES},
    {"Mprobe", PROBES},
    {"Send", SENDS},
    {"Ssend", SENDS},
    {"Rsend", SENDS},
    {"Sendrecv", SENDS_AND_RECEIVES},
    {"Sendrecv_replace", SENDS_AND_RECEIVES},
    {"Wait", WAITS_FOR_ONE},
    {"Waitall", WAITS_FOR_SOME},
    {"Waitany", WAITS_FOR_SOME},
    {"Waitsome", WAITS_FOR_SOME},
    {"Barrier", COLLECTS},
    {"Bcast", COLLECTS},
    {"Gather", COLLECTS},
    {"Gatherv", COLLECTS},
    {"Scatter", COLLECTS},
    {"Scatterv", COLLECTS},
    {"Allgather", COLLECTS},
    {"Allgatherv", COLLECTS},
    {"Alltoall", COLLECTS},
    {"Alltoallv", COLLECTS},
    {"Alltoallw", COLLECTS},
    {"Reduce", COLLECTS_WITH_OP},
    {"Allreduce", COLLECTS_WITH_OP},
    {"Reduce_scatter", COLLECTS_WITH_OP},
    {"Reduce_scatter_block", COLLECTS_WITH_OP},
    {"Scan", COLLECTS_WITH_OP},
    {"Exscan", COLLECTS_WITH_OP},
    {"Comm_split", COLLECTS},
    {"Comm_split_type", COLLECTS},
    {"Comm_create", COLLECTS},
    {"Cart_create", COLLECTS},
    {"Graph_create", COLLECTS},
    {"Dist_graph_create", COLLECTS},
    {"Dist_graph_create_adjacent", COLLECTS},
    {"Win_create", COLLECTS},
    {"Win_allocate", COLLECTS},
    {"Win_allocate_shared", COLLECTS},
    {"Win_create_dynamic", COLLECTS},
    {"Comm_dup", COPIES_ATTRIBUTES},
    {"Comm_dup_with_info", COPIES_ATTRIBUTES},
    /* Behind requests. */
    {"Isend", SENDS},
    {"Issend", SENDS},
    {"Irsend", SENDS},
    {"Ibsend", SENDS},
    {"Send_init", SENDS},
    {"Ssend_init", SENDS},
    {"Rsend_init", SENDS},
    {"Bsend_init", SENDS},
    {"Irecv", RECEIVES},
    {"Recv_init", RECEIVES},
    {"Isendrecv", SENDS_AND_RECEIVES},
    {"Isendrecv_replace", SENDS_AND_RECEIVES},
};

static enum st_function_sort sort_of(const char *function)
{
    if (strncmp(function, "MPI_", 4) != 0) {
        return OTHER;
    }
    size_t length = strlen(function + 4);
    if (length > 2 && strcmp(function + 4 + length - 2, "_c") == 0) {
        length -= 2;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) == length &&
            memcmp(functions[i].name, function + 4, length) == 0) {
            return functions[i].sort;
        }
    }
    return OTHER;
}

bool st_wait_is_collective(const char *function)
{
    enum st_function_sort sort = sort_of(function);
    return sort == COLLECTS || sort == COLLECTS_WITH_OP || sort == COPIES_ATTRIBUTES;
}

/* --- reading ------------------------------------------------------------------------------- */

static bool is_called(const struct st_state_reader *reader, const char *type, uint64_t value,
                      const char *name)
{
    const struct st_name *found = st_state_name(reader, type, value);
    return found && strcmp(found->name, name) == 0;
}

static int32_t world_rank_of(const struct st_wait_rank *rank, size_t comm, int32_t peer)
{
    if (peer == ST_PEER_ANY) {
        return ST_PEER_ANY;
    }
    if (comm == ST_NO_COMM || !rank->comms[comm].id || peer < 0 || peer >= rank->comms[comm].size) {
        return ST_PEER_NONE;
    }
    return rank->comms[comm].members ? rank->comms[comm].members[peer] : peer;
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

static size_t comm_of_call(struct st_state_reader *reader, const struct st_call_form *form,
                           const struct st_thread_call *call)
{
    uint64_t handle;
    if (find_value(form, call, "comm", &handle) || find_value(form, call, "intra", &handle)) {
        return st_state_comm(reader, handle);
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
    part->world = world_rank_of(reader->rank, part->comm, part->peer);
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

static bool add_collective(struct st_state_reader *reader, struct st_wait_thread *thread,
                           const struct st_call_form *form, enum st_function_sort sort)
{
    struct st_wait_part part = {.sort = ST_WAIT_COLLECTIVE,
                                .site = ST_NO_SITE,
                                .peer = ST_PEER_NONE,
                                .world = ST_PEER_NONE,
                                .tag = ST_PEER_NONE};
    uint64_t op;
    st_state_copy(part.function, sizeof part.function, form->function);
    part.comm = comm_of_call(reader, form, &thread->call);
    part.n = part.comm == ST_NO_COMM ? 0 : reader->rank->comms[part.comm].begun;
    bool calls_back =
        sort == COPIES_ATTRIBUTES
            ? reader->may_call_back
            : sort == COLLECTS_WITH_OP && !(find_value(form, &thread->call, "op", &op) &&
                                            st_state_name(reader, "MPI_Op", op));
    thread->runs |= calls_back || part.comm == ST_NO_COMM || !reader->rank->comms[part.comm].id ||
                    reader->rank->comms[part.comm].is_inter;
    return add_waited(reader->rank, thread, &part);
}

/* --- requests ------------------------------------------------------------------------------ */

static void describe_request(struct st_state_reader *reader, const struct st_operation *operation,
                             struct st_wait_part *part)
{
    const struct st_record *record = &operation->record;
    *part = (struct st_wait_part){
        .site = record->site, .peer = record->peer, .tag = record->tag, .is_request = true};
    st_state_copy(part->function, sizeof part->function, operation->function);
    part->comm = record->comm ? st_state_comm(reader, record->comm) : ST_NO_COMM;
    part->world = world_rank_of(reader->rank, part->comm, part->peer);
    switch (sort_of(operation->function)) {
    case SENDS:
        part->sort = ST_WAIT_SEND;
        break;
    case RECEIVES:
        part->sort = ST_WAIT_RECEIVE;
        break;
    default:
        part->sort = ST_WAIT_UNKNOWN;
    }
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
    if (part.sort == ST_WAIT_UNKNOWN || part.world == ST_PEER_NONE || part.tag == ST_PEER_NONE) {
        part.sort = ST_WAIT_UNKNOWN;
        thread->runs = true;
    }
    return add_waited(reader->rank, thread, &part);
}

enum { MOST_REQUESTS = 4096, MOST_COMPARED = 10000000 };

static bool read_handle(const struct st_state_reader *reader, uint64_t address, uint64_t *handle)
{
    uint32_t narrow;
    if (st_registry_root(reader->registry)->handle_bytes == 4) {
        bool done = reader->read(address, &narrow, 4, reader->context) == ST_READ_OK;
        *handle = done ? narrow : 0;
        return done;
    }
    return reader->read(address, handle, 8, reader->context) == ST_READ_OK;
}

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
        if (!read_handle(reader, address + i * width, &handle)) {
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
        enum st_function_sort sort = sort_of(operation->function);
        struct st_wait_part part;
        if (!is_request(operation) || operation->record.peer == ST_PEER_NULL ||
            !(operation->record.flags & (ST_RECORD_ACTIVE | ST_RECORD_POSSIBLE))) {
            continue;
        }
        describe_request(reader, operation, &part);
        if (part.sort != ST_WAIT_UNKNOWN && !add_pending(reader->rank, &part)) {
            return false;
        }
        if (sort != SENDS_AND_RECEIVES) {
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
    enum st_function_sort sort = sort_of(form->function);
    thread->first = reader->rank->part_count;
    switch (sort) {
    case RECEIVES:
        return add_side(reader, thread, form, ST_WAIT_RECEIVE);
    case PROBES:
        return add_side(reader, thread, form, ST_WAIT_PROBE);
    case SENDS:
        return add_side(reader, thread, form, ST_WAIT_SEND);
    case SENDS_AND_RECEIVES:
        return add_side(reader, thread, form, ST_WAIT_SEND) &&
               add_side(reader, thread, form, ST_WAIT_RECEIVE);
    case WAITS_FOR_ONE:
    case WAITS_FOR_SOME:
        return add_requests(reader, thread, form, sort == WAITS_FOR_ONE);
    case COLLECTS:
    case COLLECTS_WITH_OP:
    case COPIES_ATTRIBUTES:
        return add_collective(reader, thread, form, sort);
    case OTHER:
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
    }
    free(rank->threads);
    free(rank->parts);
    free(rank->pending);
    free(rank->comms);
    *rank = (struct st_wait_rank){.world_rank = -1, .world_size = -1};
}
