/* SPDX-License-Identifier: BSD-3-Clause */
#include "looks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../proc.h"
#include "../say.h"
#include "../words.h"
#include "core/waits/describe.h"
#include "core/waits/since.h"
#include "published.h"

enum {
    MOST_COUNTED = 1500 /* milliseconds: if more pass between two looks, mpipp itself may have
                           been stopped */
};

struct looks *looks_new(void)
{
    struct looks *looks = zeroed(1, sizeof *looks);
    gethostname(looks->host, sizeof looks->host - 1);
    return looks;
}

/* --- which ranks --------------------------------------------------------------------------- */

static void add_rank(struct looks *looks, const struct process *process)
{
    if (!process->began || process->pid <= 0 || process->host == NULL ||
        strcmp(process->host, looks->host) != 0) {
        return;
    }
    for (size_t i = 0; i < looks->count; i++) {
        if (looks->ranks[i].process == process) {
            return;
        }
    }
    struct looked *longer = realloc(looks->ranks, (looks->count + 1) * sizeof *looks->ranks);
    if (longer == NULL) {
        fail(1, "out of memory");
    }
    looks->ranks = longer;
    struct memory *memory = zeroed(1, sizeof *memory);
    memory->pid = (pid_t)process->pid;
    size_t at = looks->count;
    for (; at > 0 && looks->ranks[at - 1].process->rank > process->rank; at--) {
        looks->ranks[at] = looks->ranks[at - 1];
    }
    looks->ranks[at] = (struct looked){.process = process,
                                       .order = looks->count,
                                       .memory = memory,
                                       .waits = {.world_rank = process->rank,
                                                 .world_size = process->size,
                                                 .world = process->world}};
    looks->count++;
}

/* --- one look ------------------------------------------------------------------------------ */

struct process_state {
    char letter;
    unsigned long long processor, wanted; /* as in struct looked */
};

/* Returns 0 if the kernel does not say. */
static unsigned long long wanted_time(pid_t pid)
{
    size_t length;
    unsigned long long ran = 0, waited = 0;
    char *text = proc_read(pid, "schedstat", &length);
    bool found = text != NULL && sscanf(text, "%llu %llu", &ran, &waited) == 2;
    free(text);
    return found ? ran + waited : 0;
}

/* Returns false if the process has ended. */
static bool read_process(pid_t pid, struct process_state *state)
{
    size_t length;
    char *text = proc_read(pid, "stat", &length);
    const char *rest = text == NULL ? NULL : strrchr(text, ')');
    unsigned long long user = 0, system = 0;
    bool found =
        rest != NULL && sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                               &state->letter, &user, &system) == 3;
    state->processor = user + system;
    state->wanted = wanted_time(pid);
    free(text);
    return found && ((state->letter != 'Z' && state->letter != 'X') || !proc_has_ended(pid));
}

/* Returns false if the rank cannot be read now. */
static bool identify_rank(const struct looked *rank, uint64_t *identity)
{
    memory_read_ahead(rank->memory);
    bool is_read = st_wait_identity(rank->registry, identity);
    memory_read_alone(rank->memory);
    return is_read;
}

/* --- what they wait for -------------------------------------------------------------------- */

static bool is_known_thread(const struct st_wait_rank *rank, uint64_t id)
{
    for (size_t i = 0; i < rank->thread_count; i++) {
        if (rank->threads[i].id == id) {
            return true;
        }
    }
    for (uint32_t i = 0; i < rank->progress.own_count && i < ST_OWN_THREADS; i++) {
        if (rank->progress.own[i] == id) {
            return true;
        }
    }
    return false;
}

/* True if a thread that may call MPI is not known to be in a call now. */
static bool has_other_threads(const struct looked *rank)
{
    enum { FUNNELED = 2 };
    if (rank->waits.progress.level != 0 && rank->waits.progress.level <= FUNNELED) {
        return false; /* only the main thread may call MPI */
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)rank->memory->pid);
    DIR *folder = opendir(path);
    bool found = folder == NULL;
    for (struct dirent *entry; folder != NULL && !found && (entry = readdir(folder)) != NULL;) {
        found = entry->d_name[0] != '.' &&
                !is_known_thread(&rank->waits, strtoull(entry->d_name, NULL, 10));
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return found;
}

static void read_rank(struct looked *rank, int64_t timeout)
{
    struct st_fault fault;
    uint64_t identity;
    struct st_wait_rank read = {0};
    rank->waits.is_stuck = false;
    if (st_wait_read(rank->registry, memory_read, rank->memory, &read, &fault)) {
        /* While a process ends, it has no memory any more: what was read before is its last call. */
        st_wait_rank_free(&read);
        rank->waits.presence = ST_WAIT_UNSEEN;
        return;
    }
    st_wait_rank_free(&rank->waits);
    rank->waits = read;
    rank->was_read = true;
    rank->read_identity = rank->identity;
    rank->waits.is_stuck = rank->counted >= timeout && !rank->is_stopped &&
                           identify_rank(rank, &identity) && identity == rank->identity &&
                           !has_other_threads(rank);
}

/* --- a look ---------------------------------------------------------------------------------- */

static void say_forbidden(struct looks *looks, const struct looked *rank)
{
    if (looks->said_forbidden) {
        return;
    }
    looks->said_forbidden = true;
    warn("rank %d (process %d) may not be read from outside: hangs are not reported",
         rank->process->rank, (int)rank->memory->pid);
}

static void open_rank(struct looks *looks, struct looked *rank)
{
    struct st_fault fault;
    uint64_t root;
    enum memory_state state = memory_find_registry(rank->memory, &root);
    if (state == MEMORY_FORBIDDEN) {
        rank->state = LOOKED_FORBIDDEN;
        say_forbidden(looks, rank);
    } else if (state == MEMORY_FOUND &&
               !st_registry_open(&rank->registry, memory_read, rank->memory, root, &fault)) {
        rank->state = LOOKED_RUNS;
    }
}

static void end_rank(struct looked *rank)
{
    st_registry_close(rank->registry);
    rank->registry = NULL;
    rank->state = LOOKED_ENDED;
    rank->waits.presence = ST_WAIT_ENDED;
    rank->waits.is_stuck = false;
}

/* The time since the previous look, if it counts. */
static int64_t counted_time(const struct looked *rank, const struct process_state *process,
                            int64_t now)
{
    int64_t passed = now - rank->looked;
    bool wants_processor = process->letter == 'R';
    if (rank->is_stopped || (wants_processor && process->processor == rank->processor)) {
        return 0;
    }
    return passed < MOST_COUNTED ? passed : MOST_COUNTED;
}

static bool computes(const struct looked *rank, const struct process_state *process, int64_t now)
{
    const unsigned long long passed = (unsigned long long)(now - rank->looked) * 1000000;
    if (process->wanted == 0) {
        return process->letter == 'R';
    }
    return rank->looked != 0 && process->wanted - rank->wanted > passed / 2;
}

/* True if a thread is in a call that waits for other ranks, as MPI_Test and MPI_Iprobe never do. */
static bool waits_for_others(const struct looked *rank)
{
    for (size_t i = 0; i < rank->waits.thread_count; i++) {
        if (rank->waits.threads[i].in_call && rank->waits.threads[i].count != 0) {
            return true;
        }
    }
    return false;
}

/* Reads what a rank that is in another call than before waits for: it is also needed after the
 * process has ended. */
static void read_changed(struct looks *looks, struct looked *rank, int64_t now)
{
    const bool did_wait = waits_for_others(rank);
    read_rank(rank, INT64_MAX);
    if (did_wait || waits_for_others(rank)) {
        looks->moved = now;
    }
}

static void look_at_rank(struct looks *looks, struct looked *rank, int64_t now)
{
    struct process_state process;
    struct st_fault fault;
    bool changed;
    uint64_t identity;
    if (rank->state == LOOKED_ENDED || rank->state == LOOKED_FORBIDDEN) {
        return;
    }
    if (!read_process(rank->memory->pid, &process)) {
        end_rank(rank);
        looks->moved = now;
        return;
    }
    if (rank->looked == 0) {
        looks->moved = now;
    }
    if (rank->state == LOOKED_NOT_YET) {
        open_rank(looks, rank);
    }
    rank->is_stopped = process.letter == 'T' || process.letter == 't';
    if (rank->state != LOOKED_RUNS || st_registry_refresh(rank->registry, &changed, &fault) ||
        !identify_rank(rank, &identity)) {
        rank->identity = 0;
        rank->counted = 0;
    } else if (identity != rank->identity || rank->looked == 0) {
        rank->identity = identity;
        rank->since = now;
        rank->counted = 0;
    } else {
        rank->counted += counted_time(rank, &process, now);
    }
    rank->computes = computes(rank, &process, now);
    rank->processor = process.processor;
    rank->wanted = process.wanted;
    rank->looked = now;
    if (rank->state == LOOKED_RUNS) {
        published_write(rank);
    }
    if (rank->state == LOOKED_RUNS && rank->identity != rank->read_identity) {
        read_changed(looks, rank, now);
    }
}

/* --- worlds ---------------------------------------------------------------------------------- */

static bool has_world(const struct looks *looks, uint64_t world)
{
    for (size_t i = 0; i < looks->worlds.count; i++) {
        if (looks->worlds.names[i] == world) {
            return true;
        }
    }
    return false;
}

/* Of the worlds that are not listed yet, the one whose first rank came first. Returns 0 if all are
 * listed. */
static uint64_t next_world(const struct looks *looks)
{
    const struct looked *first = NULL;
    for (size_t i = 0; i < looks->count; i++) {
        const struct looked *rank = &looks->ranks[i];
        if (rank->waits.world != 0 && !has_world(looks, rank->waits.world) &&
            (first == NULL || rank->order < first->order)) {
            first = rank;
        }
    }
    return first != NULL ? first->waits.world : 0;
}

static void list_worlds(struct looks *looks)
{
    uint64_t world;
    while ((world = next_world(looks)) != 0) {
        uint64_t *longer = realloc((void *)(uintptr_t)looks->worlds.names,
                                   (looks->worlds.count + 1) * sizeof *longer);
        if (longer == NULL) {
            fail(1, "out of memory");
        }
        longer[looks->worlds.count++] = world;
        looks->worlds.names = longer;
    }
}

size_t looks_world(const struct looks *looks, const struct looked *rank)
{
    return st_wait_world_number(&looks->worlds, rank->waits.world);
}

void looks_take(struct looks *looks, const struct findings *findings, int64_t now)
{
    for (size_t i = 0; i < findings->process_count; i++) {
        add_rank(looks, findings->processes[i]);
    }
    for (size_t i = 0; i < looks->count; i++) {
        look_at_rank(looks, &looks->ranks[i], now);
    }
    list_worlds(looks);
}

bool looks_any_stuck(const struct looks *looks, int64_t timeout)
{
    for (size_t i = 0; i < looks->count; i++) {
        const struct looked *rank = &looks->ranks[i];
        if (rank->state == LOOKED_RUNS && rank->counted >= timeout) {
            return true;
        }
    }
    return false;
}

void looks_read(struct looks *looks, int64_t timeout)
{
    for (size_t i = 0; i < looks->count; i++) {
        if (looks->ranks[i].state == LOOKED_RUNS) {
            read_rank(&looks->ranks[i], timeout);
        } else if (looks->ranks[i].state != LOOKED_ENDED) {
            looks->ranks[i].waits.presence = ST_WAIT_UNSEEN;
        }
    }
    list_worlds(looks);
}

void looks_read_messages(struct looks *looks, struct st_wait_rank *states)
{
    st_wait_messages_free(&looks->messages);
    free(looks->registries);
    looks->registries = zeroed(looks->count + 1, sizeof *looks->registries);
    for (size_t i = 0; i < looks->count; i++) {
        if (looks->ranks[i].state == LOOKED_RUNS) {
            looks->registries[i] = looks->ranks[i].registry;
        }
    }
    if (!st_wait_messages_read(states, looks->registries, looks->count, &looks->messages)) {
        fail(1, "out of memory");
    }
    for (size_t i = 0; i < looks->count; i++) {
        states[i].messages = &looks->messages;
    }
}
