/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/state_internal.h"

#include <string.h>

/* The communicator of a request, or ST_NO_COMM if it is not known. A communicator newer than the
 * request is another one, which got the same handle later. */
static size_t comm_of_request(struct st_state_reader *reader, const struct st_record *record)
{
    size_t comm = record->comm ? st_state_comm(reader, ST_KIND_NONE, record->comm) : ST_NO_COMM;
    return comm != ST_NO_COMM && reader->rank->comms[comm].serial > record->serial ? ST_NO_COMM
                                                                                   : comm;
}

/* Fills the members of a part that belong to a collective call. */
static void describe_collective(struct st_state_reader *reader, const struct st_record *record,
                                enum st_function_sort sort, struct st_wait_part *part)
{
    const bool is_known = st_state_is_known(reader, part->comm);
    part->n = is_known ? st_state_order(&reader->rank->comms[part->comm], record->order) : 0;
    part->from_nearby = st_state_is_from_nearby(reader, part->comm, part->function, sort);
    part->starts = record->flags & ST_RECORD_PERSISTENT ? record->starts : 0;
    part->sort =
        part->n && !st_state_may_call_back(reader, sort) ? ST_WAIT_COLLECTIVE : ST_WAIT_UNKNOWN;
}

/* MPI uses a partition of a send once it was marked as ready (registry.h). */
static void find_unready(const struct st_state_reader *reader, const struct st_operation *operation,
                         struct st_wait_part *part)
{
    if (!(operation->record.flags & ST_RECORD_ACTIVE) ||
        operation->first_buffer + operation->buffer_count > reader->operations.buffer_count) {
        return;
    }
    part->partitions = (uint32_t)operation->buffer_count;
    for (uint32_t i = 0; i < part->partitions; i++) {
        if (!reader->operations.buffers[operation->first_buffer + i].active) {
            part->unready++;
            part->unready_bits |= i < 64 ? UINT64_C(1) << i : 0;
        }
    }
}

static void describe_request(struct st_state_reader *reader, const struct st_operation *operation,
                             struct st_wait_part *part)
{
    enum st_function_sort collective;
    const struct st_record *record = &operation->record;
    *part = (struct st_wait_part){.site = record->site,
                                  .handle = record->handle,
                                  .peer = record->peer,
                                  .tag = record->tag,
                                  .is_request = true};
    st_state_copy(part->function, sizeof part->function, operation->function);
    part->comm = comm_of_request(reader, record);
    st_wait_find_process(reader->rank, part);
    switch (st_function_sort(operation->function)) {
    case ST_FUNCTION_SENDS:
        part->sort = ST_WAIT_SEND;
        if (st_function_is_partitioned(operation->function)) {
            find_unready(reader, operation, part);
        }
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

/* True if enough is known to say whom the part waits for. */
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

/* The pending request with a handle, or NULL if there is none or more than one. *is_known: it has a
 * record. */
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

/* True if the MPI library's own memory shows that a request is complete. */
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
    if (st_state_is_called(reader, "MPI_Request", handle, "MPI_REQUEST_NULL")) {
        return true;
    }
    const struct st_operation *request = find_request(reader, handle, variable, &is_known);
    if (is_known && request && !(request->record.flags & ST_RECORD_ACTIVE)) {
        return true; /* an inactive request is complete */
    }
    if (request && !(request->record.flags & (ST_RECORD_POSSIBLE | ST_RECORD_CANCELLED))) {
        describe_request(reader, request, &part);
    }
    if (!is_understood(&part)) {
        part.sort = ST_WAIT_UNKNOWN;
    }
    part.is_complete = request && is_complete(reader, request);
    /* Any complete request ends the call, unless the call is MPI_Waitall. */
    bool ends_call = part.is_complete && strcmp(thread->function, "MPI_Waitall") != 0;
    thread->runs |= ends_call || (part.sort == ST_WAIT_UNKNOWN && !part.is_complete);
    return st_state_add_waited(reader->rank, thread, &part);
}

enum { MOST_REQUESTS = 4096, MOST_COMPARED = 10000000 };

bool st_state_add_requests(struct st_state_reader *reader, struct st_wait_thread *thread,
                           const struct st_call_form *form, bool is_one)
{
    uint64_t address, count = 1, handle;
    const uint64_t width = st_registry_root(reader->registry)->handle_bytes;
    if (!st_state_find_value(form, &thread->call, is_one ? "done" : "dones", &address) ||
        (!is_one && !st_state_find_value(form, &thread->call, "n", &count)) ||
        count > MOST_REQUESTS || count * reader->operations.count > MOST_COMPARED) {
        thread->runs = true;
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!st_state_read_handle(reader, ST_KIND_REQUEST, address + i * width, &handle)) {
            thread->runs = true;
            return true;
        }
        if (!add_request(reader, thread, handle, address + i * width)) {
            return false;
        }
    }
    thread->runs |= !thread->count; /* no request to wait for: the call returns at once */
    return true;
}

bool st_state_add_operations(struct st_state_reader *reader)
{
    for (size_t i = 0; i < reader->operations.count; i++) {
        const struct st_operation *operation = &reader->operations.operations[i];
        enum st_function_sort sort = st_function_sort(operation->function);
        struct st_wait_part part;
        if (!is_request(operation) || operation->record.peer == ST_PEER_NULL) {
            continue;
        }
        describe_request(reader, operation, &part);
        /* A persistent collective request is added even if it is inactive: other ranks need its
         * number of starts. */
        if (part.sort != ST_WAIT_COLLECTIVE &&
            !(operation->record.flags & (ST_RECORD_ACTIVE | ST_RECORD_POSSIBLE))) {
            continue;
        }
        if (part.sort != ST_WAIT_UNKNOWN && !st_state_add_pending(reader->rank, &part)) {
            return false;
        }
        if (sort != ST_FUNCTION_SENDS_AND_RECEIVES) {
            continue;
        }
        part.peer = part.world = part.tag = ST_PEER_ANY;
        part.sort = ST_WAIT_SEND;
        bool added = st_state_add_pending(reader->rank, &part);
        part.sort = ST_WAIT_RECEIVE;
        if (!added || !st_state_add_pending(reader->rank, &part)) {
            return false;
        }
    }
    return true;
}
