/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/shown.h"

#include <stdlib.h>

#include "core/agree/segment.h"

bool st_wait_peek(struct st_registry *registry, uint64_t address, void *bytes, size_t length)
{
    struct st_fault fault;
    return address && !(address % sizeof(uint64_t)) &&
           !st_registry_peek(registry, address, bytes, length, &fault);
}

/* The same, with the number of the job; 0: it is not known. */
static bool find_shared(struct st_registry *registry, uint64_t *job,
                        struct st_shared_messages *shared)
{
    struct st_shared_area area;
    *job = 0;
    if (!st_wait_peek(registry, st_registry_root(registry)->shared, &area, sizeof area) ||
        area.magic != ST_SHARED_MAGIC || area.version != ST_SEGMENT_VERSION ||
        !st_wait_peek(registry, area.messages, shared, sizeof *shared) ||
        shared->magic != ST_SHARED_MESSAGES_MAGIC || shared->rank >= ST_SEGMENT_RANKS ||
        !st_segment_is_log2_messages(shared->log2_messages)) {
        return false;
    }
    *job = area.job;
    return true;
}

bool st_wait_shared_messages(struct st_registry *registry, struct st_shared_messages *shared)
{
    uint64_t job;
    return find_shared(registry, &job, shared);
}

/* Keeps those that are not 0. Returns false if memory runs out. */
static bool keep_counts(const uint64_t *numbers, struct st_wait_counts *counts)
{
    size_t count = 0;
    for (int32_t rank = 0; rank < ST_SEGMENT_RANKS; rank++) {
        count += numbers[rank] != 0;
    }
    counts->list = malloc((count + 1) * sizeof *counts->list);
    for (int32_t rank = 0; counts->list && rank < ST_SEGMENT_RANKS; rank++) {
        if (numbers[rank]) {
            counts->list[counts->count++] = (struct st_wait_count){rank, numbers[rank]};
        }
    }
    return counts->list;
}

/* *is_there becomes false if they cannot be read. Returns false if memory runs out. */
static bool read_counts(struct st_registry *registry, uint64_t address, uint64_t *numbers,
                        struct st_wait_counts *counts, bool *is_there)
{
    *is_there = st_wait_peek(registry, address, numbers, ST_SEGMENT_RANKS * sizeof *numbers);
    return !*is_there || keep_counts(numbers, counts);
}

bool st_wait_shown_read(struct st_registry *registry, struct st_wait_shown *shown)
{
    struct st_shared_messages shared;
    uint64_t *numbers = malloc(ST_SEGMENT_RANKS * sizeof *numbers);
    bool has_sent = false, has_received = false;
    *shown = (struct st_wait_shown){0};
    bool done = numbers;
    if (done && find_shared(registry, &shown->job, &shared)) {
        /* Where what it has taken cannot be read, nothing else of it is relied on. */
        const bool has_taken =
            st_wait_peek(registry, shared.taken, numbers, ST_SEGMENT_RANKS * sizeof *numbers);
        done = !has_taken ||
               (read_counts(registry, shared.received, numbers, &shown->received, &has_received) &&
                (!has_received ||
                 read_counts(registry, shared.sent, numbers, &shown->sent, &has_sent)));
        shown->has_counts = has_sent;
        shown->is_sender = has_sent && !shared.is_unsure;
        shown->is_receiver = shown->is_sender && !shared.unnumbered;
    }
    free(numbers);
    if (!done) {
        st_wait_shown_free(shown);
    }
    return done;
}

void st_wait_shown_free(struct st_wait_shown *shown)
{
    free(shown->sent.list);
    free(shown->received.list);
    *shown = (struct st_wait_shown){0};
}

uint64_t st_wait_count_of(const struct st_wait_counts *counts, int32_t rank)
{
    size_t low = 0, high = counts->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (counts->list[middle].rank < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < counts->count && counts->list[low].rank == rank ? counts->list[low].number : 0;
}
