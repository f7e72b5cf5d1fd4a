/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/since.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/decode/calls.h"
#include "core/waits/state.h"

/* --- the same call as before ----------------------------------------------------------------- */

static uint64_t add_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* For a call that is over, the hash only includes this fact: its thread is outside MPI. */
static uint64_t add_thread(uint64_t hash, const struct st_thread *thread)
{
    const struct st_thread_call *call = st_wait_innermost(thread);
    hash = add_hash(hash, &thread->id, sizeof thread->id);
    if (!call) {
        return hash;
    }
    hash = add_hash(hash, &call->form, sizeof call->form);
    hash = add_hash(hash, &call->pc, sizeof call->pc);
    hash = add_hash(hash, &call->sp, sizeof call->sp);
    return add_hash(hash, call->values, sizeof call->values);
}

/* Returns false if the threads cannot be read now. */
static bool add_threads(struct st_registry *registry, uint64_t *hash, size_t *count)
{
    struct st_fault fault;
    uint64_t address = st_registry_root(registry)->threads;
    *count = 0;
    for (uint32_t number = 0; address != 0;) {
        struct st_thread thread;
        if (st_registry_thread(registry, &address, &number, &thread, &fault)) {
            return false;
        }
        if (thread.id != 0) {
            *hash = add_thread(*hash, &thread);
            ++*count;
        }
    }
    return true;
}

static bool identify_calls(struct st_registry *registry, uint64_t *identity, size_t *threads)
{
    struct st_fault fault;
    struct st_progress progress;
    uint64_t calls, hash = UINT64_C(14695981039346656037);
    if (st_registry_progress(registry, &progress, &calls, &fault)) {
        return false;
    }
    const uint32_t state = st_registry_root(registry)->state;
    hash = add_hash(hash, &calls, sizeof calls);
    hash = add_hash(hash, &progress.leaving, sizeof progress.leaving);
    hash = add_hash(hash, &state, sizeof state);
    if (!add_threads(registry, &hash, threads)) {
        return false;
    }
    *identity = hash ? hash : 1;
    return true;
}

bool st_wait_identity(struct st_registry *registry, uint64_t *identity)
{
    size_t threads;
    return identify_calls(registry, identity, &threads);
}

/* --- what the watch has written -------------------------------------------------------------- */

bool st_wait_shared(struct st_registry *registry, struct st_shared_area *shared)
{
    struct st_fault fault;
    const uint64_t address = st_registry_root(registry)->shared;
    return address != 0 && !st_registry_peek(registry, address, shared, sizeof *shared, &fault) &&
           shared->magic == ST_SHARED_MAGIC && shared->version == ST_SEGMENT_VERSION;
}

/* Returns false if the watch has seen nothing of the rank, or is about to write. */
static bool read_watched(struct st_registry *registry, struct st_rank_watched *watched)
{
    struct st_fault fault;
    struct st_shared_area shared;
    uint64_t again;
    if (!st_wait_shared(registry, &shared) || !shared.entry) {
        return false;
    }
    const uint64_t address = shared.entry + offsetof(struct st_segment_rank, watched);
    return !st_registry_peek(registry, address, watched, sizeof *watched, &fault) &&
           watched->identity != 0 &&
           !st_registry_peek(registry, address, &again, sizeof again, &fault) &&
           again == watched->identity && watched->since >= 0 && watched->looked >= watched->since;
}

bool st_wait_since(struct st_registry *registry, int64_t now, struct st_wait_since *since)
{
    enum { SECOND = 1000 };
    struct st_rank_watched watched;
    uint64_t identity;
    size_t threads;
    *since = (struct st_wait_since){.least = -1, .most = -1};
    if (!read_watched(registry, &watched)) {
        return false;
    }
    if (!identify_calls(registry, &identity, &threads)) {
        return true;
    }
    const bool is_same = identity == watched.identity;
    const bool is_now = now >= watched.looked;
    if (is_same) {
        since->least = ((is_now ? now : watched.looked) - watched.since) / SECOND;
        since->most = is_now && threads <= 1 ? since->least : -1;
    } else if (is_now && threads <= 1) {
        since->least = 0;
        since->most = (now - watched.looked) / SECOND;
    }
    return true;
}

void st_wait_since_text(const struct st_wait_since *since, char text[ST_SINCE_TEXT])
{
    if (since->least < 0) {
        snprintf(text, ST_SINCE_TEXT, "-");
    } else if (since->most < 0) {
        snprintf(text, ST_SINCE_TEXT, ">=%" PRId64 " s", since->least);
    } else if (since->least == 0 && since->most < INT64_MAX) {
        snprintf(text, ST_SINCE_TEXT, "<%" PRId64 " s", since->most + 1);
    } else if (since->least == since->most) {
        snprintf(text, ST_SINCE_TEXT, "%" PRId64 " s", since->least);
    } else {
        snprintf(text, ST_SINCE_TEXT, "%" PRId64 "-%" PRId64 " s", since->least, since->most);
    }
}
