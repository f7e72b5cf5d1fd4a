/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/state_internal.h"

#include <stdlib.h>
#include <string.h>

bool st_wait_is_collective(const char *function)
{
    return st_function_collects(st_function_sort(function));
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
    /* A callback of this call has called MPI, and may still be running. */
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
    return st_state_add_call(reader, read, &form)
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
                     : rank->progress && rank->progress->leaving              ? ST_WAIT_LEAVING
                     : root->state == ST_STATE_LOADED || root->world_rank < 0 ? ST_WAIT_UNSEEN
                                                                              : ST_WAIT_PRESENT;
}

static enum st_error read_progress(struct st_state_reader *reader)
{
    uint64_t calls;
    struct st_progress *progress = calloc(1, sizeof *progress);
    reader->rank->progress = progress;
    return progress ? st_registry_progress(reader->registry, progress, &calls, reader->fault)
                    : st_fail(reader->fault, (struct st_fault){.error = ST_NO_MEMORY});
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
    enum st_error error = read_progress(&reader);
    find_presence(rank, st_registry_root(registry));
    error = error ? error : st_registry_names(registry, &reader.names, &reader.name_count, fault);
    error = error ? error : st_registry_operations(registry, &reader.operations, &damage, fault);
    if (!error && damage.fault.error) {
        error = st_fail(fault, damage.fault);
    }
    error = error ? error : st_state_read_comms(&reader);
    error = error ? error : read_threads(&reader);
    if (!error && !st_state_add_operations(&reader)) {
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
    free(rank->progress);
    *rank = (struct st_wait_rank){.world_rank = -1, .world_size = -1};
}
