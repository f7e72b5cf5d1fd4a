/* SPDX-License-Identifier: BSD-3-Clause */
#include "looks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../nodes/far.h"
#include "../nodes/nodes.h"
#include "../say.h"
#include "../words.h"
#include "core/model/hash.h"
#include "core/waits/describe.h"
#include "core/waits/since.h"
#include "afar.h"
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

/* A rank may be known before the agent of its node has told of it. */
static void find_agent(struct looked *rank, struct far_rank *far)
{
    if (far == NULL || rank->memory->far != NULL) {
        return;
    }
    rank->memory->far = far;
    if (rank->registry != NULL) {
        st_registry_close(rank->registry);
        rank->registry = NULL;
    }
    rank->state = rank->state == LOOKED_ENDED ? LOOKED_ENDED : LOOKED_NOT_YET;
}

static size_t *longer_list(size_t *list, size_t count)
{
    size_t *longer = realloc(list, (count + 1) * sizeof *longer);
    if (longer == NULL) {
        fail(1, "out of memory");
    }
    return longer;
}

/* Makes room for so many in all. */
static void reserve_ranks(struct looks *looks, size_t room)
{
    if (room <= looks->room) {
        return;
    }
    struct looked *longer = realloc(looks->ranks, room * sizeof *looks->ranks);
    if (longer == NULL) {
        fail(1, "out of memory");
    }
    looks->ranks = longer;
    looks->room = room;
}

/* Adds an entry at the end. */
static struct looked *append_rank(struct looks *looks, const struct process *process)
{
    if (looks->count == looks->room) {
        reserve_ranks(looks, looks->room != 0 ? 2 * looks->room : 64);
    }
    struct memory *memory = zeroed_one(sizeof *memory);
    memory->pid = (pid_t)process->pid;
    looks->ranks[looks->count] = (struct looked){.process = process,
                                                 .order = looks->count,
                                                 .memory = memory,
                                                 .waits = {.world_rank = process->rank,
                                                           .world_size = process->size,
                                                           .world = process->world}};
    return &looks->ranks[looks->count++];
}

/* INDEX: of the process, among those of the findings. */
static void add_rank(struct looks *looks, const struct process *process, size_t index)
{
    if (!process->began || process->pid <= 0 || process->host == NULL) {
        return;
    }
    struct far_rank *far = nodes_find_rank(process->host, process->pid);
    if (far == NULL && strcmp(process->host, looks->host) != 0) {
        return;
    }
    const size_t entry = looks->entries[index];
    if (entry != 0) {
        find_agent(&looks->ranks[looks->places[entry - 1]], far);
        return;
    }
    looks->entries[index] = looks->count + 1;
    find_agent(append_rank(looks, process), far);
}

static int by_rank(const void *left, const void *right)
{
    const struct looked *a = left, *b = right;
    if (a->process->rank != b->process->rank) {
        return a->process->rank < b->process->rank ? -1 : 1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

/* Those of one rank, in several worlds, are in the order in which they came. */
static void sort_ranks(struct looks *looks)
{
    if (looks->sorted == looks->count) {
        return;
    }
    qsort(looks->ranks, looks->count, sizeof *looks->ranks, by_rank);
    looks->sorted = looks->count;
    looks->places = longer_list(looks->places, looks->count);
    for (size_t i = 0; i < looks->count; i++) {
        looks->places[looks->ranks[i].order] = i;
    }
}

struct looked *looks_add(struct looks *looks, const struct process *process)
{
    const size_t order = append_rank(looks, process)->order;
    sort_ranks(looks);
    return &looks->ranks[looks->places[order]];
}

/* --- one look ------------------------------------------------------------------------------ */

/* True if the rank is still in the call in which the last look has seen it. */
static bool is_same_call(const struct looked *rank)
{
    uint64_t identity;
    memory_read_ahead(rank->memory);
    bool is_read = st_wait_identity(rank->registry, &identity);
    memory_read_alone(rank->memory);
    return is_read && identity == rank->identity;
}

/* --- what they wait for -------------------------------------------------------------------- */

static bool is_known_thread(const struct st_wait_rank *rank, uint64_t id)
{
    for (size_t i = 0; i < rank->thread_count; i++) {
        if (rank->threads[i].id == id) {
            return true;
        }
    }
    const struct st_progress *progress = rank->progress;
    for (uint32_t i = 0; progress != NULL && i < progress->own_count && i < ST_OWN_THREADS; i++) {
        if (progress->own[i] == id) {
            return true;
        }
    }
    return false;
}

/* True if a thread that may call MPI is not known to be in a call now. */
static bool has_other_threads(const struct looked *rank)
{
    enum { FUNNELED = 2 };
    const struct st_progress *progress = rank->waits.progress;
    if (progress != NULL && progress->level != 0 && progress->level <= FUNNELED) {
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

/* Returns false if the rank cannot be read now. */
static bool read_waits(struct looked *rank)
{
    struct st_fault fault;
    struct st_wait_rank read = {0};
    rank->waits.is_stuck = false;
    if (st_wait_read(rank->registry, memory_read, rank->memory, &read, &fault)) {
        /* While a process ends, it has no memory any more: what was read before is its last call. */
        st_wait_rank_free(&read);
        rank->waits.presence = ST_WAIT_UNSEEN;
        return false;
    }
    st_wait_rank_free(&rank->waits);
    rank->waits = read;
    rank->was_read = true;
    rank->read_identity = rank->identity;
    return true;
}

static void read_rank(struct looked *rank, int64_t timeout, bool with_stopped)
{
    if (rank->memory->far != NULL) {
        afar_read(rank, timeout, with_stopped);
        return;
    }
    memory_read_ahead(rank->memory);
    const bool is_read = read_waits(rank);
    memory_read_alone(rank->memory);
    rank->waits.is_stuck = is_read && rank->counted >= timeout &&
                           processor_check(&rank->processor, rank->memory->pid) &&
                           (with_stopped || !rank->processor.is_stopped) && is_same_call(rank) &&
                           !has_other_threads(rank);
}

/* --- a look ---------------------------------------------------------------------------------- */

void looks_say_forbidden(struct looks *looks, const struct looked *rank)
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
        looks_say_forbidden(looks, rank);
    } else if (state == MEMORY_FOUND &&
               !st_registry_open(&rank->registry, memory_read, rank->memory, root, &fault)) {
        rank->state = LOOKED_RUNS;
        rank->root = root;
    }
}

void looks_end(struct looked *rank)
{
    st_registry_close(rank->registry);
    rank->registry = NULL;
    rank->state = LOOKED_ENDED;
    rank->waits.presence = ST_WAIT_ENDED;
    rank->waits.is_stuck = false;
}

/* The time since the previous look, if it counts. */
static int64_t counted_time(const struct looked *rank, int64_t now)
{
    int64_t passed = now - rank->looked;
    if (rank->processor.is_stopped || rank->processor.is_starved) {
        return 0;
    }
    return passed < MOST_COUNTED ? passed : MOST_COUNTED;
}

static bool computes(const struct looked *rank, const struct processor *before, int64_t now)
{
    const unsigned long long passed = (unsigned long long)(now - rank->looked) * 1000000;
    if (rank->processor.wanted == 0) {
        return rank->processor.letter == 'R';
    }
    return rank->looked != 0 && rank->processor.wanted - before->wanted > passed / 2;
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
    if (read_waits(rank)) {
        polls_note(&rank->polls, &rank->waits);
    }
    if (did_wait || waits_for_others(rank)) {
        looks->moved = now;
    }
}

/* Reads the calls of a rank. Returns false if it cannot be read now. */
static bool look_at_calls(struct looks *looks, struct looked *rank, int64_t now)
{
    struct st_fault fault;
    bool changed;
    uint64_t identity;
    memory_read_ahead(rank->memory);
    const bool is_read = !st_registry_refresh(rank->registry, &changed, &fault) &&
                         st_wait_identity(rank->registry, &identity);
    if (!is_read) {
        rank->identity = 0;
        rank->counted = 0;
    } else if (identity != rank->identity || rank->looked == 0) {
        rank->identity = identity;
        rank->since = now;
        rank->counted = 0;
    } else {
        rank->counted += counted_time(rank, now);
    }
    if (rank->identity != rank->read_identity) {
        read_changed(looks, rank, now);
    }
    memory_read_alone(rank->memory);
    return is_read;
}

static void look_at_rank(struct looks *looks, struct looked *rank, int64_t now)
{
    const struct processor before = rank->processor;
    if (rank->state == LOOKED_ENDED || rank->state == LOOKED_FORBIDDEN) {
        return;
    }
    if (rank->memory->far != NULL) {
        afar_look(looks, rank, now);
        return;
    }
    bool is_there = processor_look(&rank->processor, rank->memory->pid);
    if (rank->looked == 0 || rank->processor.is_stopped) {
        looks->moved = now;
    }
    if (is_there && rank->state == LOOKED_NOT_YET) {
        open_rank(looks, rank);
    }
    if (is_there && rank->state == LOOKED_RUNS && !look_at_calls(looks, rank, now)) {
        is_there = processor_check(&rank->processor, rank->memory->pid);
    }
    if (!is_there) {
        looks_end(rank);
        looks->moved = now;
        return;
    }
    rank->computes = computes(rank, &before, now);
    rank->looked = now;
    if (rank->state == LOOKED_RUNS) {
        published_write(rank);
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
    looks->entries = longer_list(looks->entries, findings->process_count);
    memset(looks->entries + looks->entry_count, 0,
           (findings->process_count - looks->entry_count) * sizeof *looks->entries);
    looks->entry_count = findings->process_count;
    reserve_ranks(looks, findings->process_count); /* most often all of them are ranks */
    for (size_t i = 0; i < findings->process_count; i++) {
        add_rank(looks, findings->processes[i], i);
    }
    sort_ranks(looks);
    looks_take_known(looks, now);
}

void looks_take_known(struct looks *looks, int64_t now)
{
    for (size_t i = 0; i < looks->count; i++) {
        look_at_rank(looks, &looks->ranks[i], now);
    }
    list_worlds(looks);
}

/* A hash of the ranks that have waited for TIMEOUT milliseconds, and of those that have ended; 0 if
 * none waits. */
static uint64_t hash_waiting(const struct looks *looks, int64_t timeout)
{
    uint64_t hash = 0;
    bool is_any = false;
    for (size_t i = 0; i < looks->count; i++) {
        const struct looked *rank = &looks->ranks[i];
        const bool may_wait = rank->memory->far != NULL
                                  ? rank->far_waits
                                  : rank->identity != rank->read_identity ||
                                        rank->waits.presence == ST_WAIT_LEAVING ||
                                        waits_for_others(rank);
        const bool waits = rank->state == LOOKED_RUNS && rank->counted >= timeout && may_wait;
        hash = st_hash_word(hash, rank->state == LOOKED_ENDED);
        hash = st_hash_word(hash, waits ? rank->identity : 0);
        is_any |= waits;
    }
    return is_any ? hash | 1 : 0;
}

bool looks_is_due(struct looks *looks, int64_t timeout, int64_t now)
{
    enum { LOOK = 1000, PART = 8 }; /* a hang is reported at most this part of the timeout later */
    const uint64_t waiting = hash_waiting(looks, timeout);
    if (waiting == 0 || (waiting == looks->judged && now < looks->due)) {
        return false;
    }
    const int64_t longer = waiting == looks->judged ? 2 * looks->pause : LOOK;
    const int64_t most = timeout / PART > LOOK ? timeout / PART : LOOK;
    looks->pause = longer < most ? longer : most;
    looks->judged = waiting;
    looks->due = now + looks->pause;
    return true;
}

void looks_hurry(struct looks *looks)
{
    looks->judged = 0;
}

bool looks_waits(const struct looked *rank)
{
    return waits_for_others(rank);
}

bool looks_examine(struct looked *rank, struct st_wait_shown *shown)
{
    bool changed;
    struct st_fault fault;
    uint64_t identity;
    *shown = (struct st_wait_shown){0};
    if (rank->state != LOOKED_RUNS) {
        return false;
    }
    memory_read_ahead(rank->memory);
    bool is_read = !st_registry_refresh(rank->registry, &changed, &fault) &&
                   st_wait_identity(rank->registry, &identity);
    if (is_read && identity != rank->identity) {
        rank->identity = identity;
        rank->counted = 0;
    }
    is_read = is_read && read_waits(rank);
    memory_read_alone(rank->memory);
    if (is_read && !st_wait_shown_read(rank->registry, shown)) {
        fail(1, "out of memory");
    }
    rank->waits.is_stuck = is_read && processor_check(&rank->processor, rank->memory->pid) &&
                           is_same_call(rank) && !has_other_threads(rank);
    return is_read;
}

static void read_state(struct looks *looks, struct looked *rank, int64_t timeout)
{
    if (rank->state == LOOKED_RUNS) {
        read_rank(rank, timeout, looks->with_stopped);
    } else if (rank->state != LOOKED_ENDED) {
        rank->waits.presence = ST_WAIT_UNSEEN;
        rank->waits.is_stuck = false; /* it was, when its agent was heard last */
    }
}

void looks_read(struct looks *looks, int64_t timeout)
{
    afar_examine(looks);
    for (size_t i = 0; i < looks->count; i++) {
        read_state(looks, &looks->ranks[i], timeout);
    }
    list_worlds(looks);
}

/* --- messages -------------------------------------------------------------------------------- */

static void open_afar(void *context, uint32_t rank)
{
    struct looks *looks = context;
    struct looked *one = &looks->ranks[rank];
    if (one->state == LOOKED_RUNS && one->memory->far != NULL && afar_open(looks, one)) {
        looks->registries[rank] = one->registry;
    }
}

static const struct st_wait_shown *shown_afar(void *context, uint32_t rank)
{
    const struct looks *looks = context;
    const struct looked *one = &looks->ranks[rank];
    return one->state == LOOKED_RUNS && one->is_told ? one->seen->shown : NULL;
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
    const struct st_wait_source source = {looks->registries, open_afar, shown_afar, looks};
    if (!st_wait_messages_read(states, &source, looks->count, &looks->messages)) {
        fail(1, "out of memory");
    }
    for (size_t i = 0; i < looks->count; i++) {
        states[i].messages = &looks->messages;
    }
}
