/* SPDX-License-Identifier: BSD-3-Clause */
#include "taken.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../dwarf.h"
#include "../say.h"
#include "../words.h"

static void *list_of(size_t count, size_t size)
{
    void *list = calloc(count + 1, size);
    if (list == NULL) {
        fail(1, "out of memory");
    }
    return list;
}

static int by_rank(const void *left, const void *right)
{
    const struct stacks_process *a = left, *b = right;
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return (a->pid > b->pid) - (a->pid < b->pid);
}

/* Returns true if each process has a rank number, and all numbers differ. */
static bool have_ranks(const struct stacks_process *sorted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (sorted[i].rank < 0 || (i > 0 && sorted[i].rank == sorted[i - 1].rank)) {
            return false;
        }
    }
    return true;
}

static void take_one(struct stacks *stacks, size_t index, const struct stacks_options *options)
{
    const struct stacks_process *one = &stacks->processes[index];
    const struct raw_process *process = unwind(one->pid);
    if (process->why != NULL) {
        stacks->missing[stacks->missing_count++] =
            stacks->are_ranks ? text_of("rank %d: %s", one->rank, process->why) : process->why;
    }
    for (size_t i = 0; i < process->count; i++) {
        const struct raw_thread *thread = &process->threads[i];
        if (!options->all_threads && levels_are_helper(process, thread)) {
            continue;
        }
        struct levels levels = levels_of(process, thread, options->whole);
        tree_add(&stacks->root, &levels, index);
        free(levels.list);
    }
}

/* On a busy machine this process may have waited for a processor most of the time. */
enum { BUSY_FACTOR = 2 };

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct limit {
    double used, passed; /* processor time and time, in seconds; 0: there is no limit */
};

static struct limit limit_after(double seconds)
{
    struct limit limit = {0};
    if (seconds > 0) {
        limit.used = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + seconds;
        limit.passed = seconds_of(CLOCK_MONOTONIC) + seconds * BUSY_FACTOR;
    }
    return limit;
}

static bool is_over(const struct limit *limit)
{
    return limit->passed > 0 && (seconds_of(CLOCK_PROCESS_CPUTIME_ID) > limit->used ||
                                 seconds_of(CLOCK_MONOTONIC) > limit->passed);
}

/* There is no time left for the processes from number FIRST on. */
static void leave_out(struct stacks *stacks, size_t first)
{
    size_t left = stacks->count - first;
    stacks->missing[stacks->missing_count++] =
        text_of("the stacks of %zu %s%s were not taken: the others took too long", left,
                stacks->are_ranks ? "rank" : "process",
                left == 1           ? ""
                : stacks->are_ranks ? "s"
                                    : "es");
}

struct stacks *stacks_take(const struct stacks_process *processes, size_t count,
                           const struct stacks_options *options)
{
    struct stacks *stacks = list_of(1, sizeof *stacks);
    struct stacks_process *sorted = list_of(count, sizeof *sorted);
    memcpy(sorted, processes, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_rank);
    *stacks = (struct stacks){.processes = sorted, .count = count};
    stacks->are_ranks = have_ranks(sorted, count);
    stacks->missing = list_of(count, sizeof *stacks->missing);
    if (dwarf_load() == NULL) {
        stacks->missing[stacks->missing_count++] =
            text_of("stacks cannot be read: %s", dwarf_why_not());
        return stacks;
    }
    const struct limit limit = limit_after(options->seconds);
    for (size_t i = 0; i < count; i++) {
        if (is_over(&limit)) {
            leave_out(stacks, i);
            break;
        }
        take_one(stacks, i, options);
    }
    return stacks;
}

size_t stacks_missing(const struct stacks *stacks)
{
    return stacks->missing_count;
}

const char *stacks_why_missing(const struct stacks *stacks, size_t index)
{
    return stacks->missing[index];
}

size_t stacks_taken(const struct stacks *stacks)
{
    return stacks->root.process_count;
}
