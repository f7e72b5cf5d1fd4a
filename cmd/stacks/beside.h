/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes stacks in a separate process beside mpipp, so that mpipp goes on meanwhile, and a process
 * that cannot be read does not delay it.
 *
 *     struct stacks_group group = {.list = ranks, .count = 2};
 *     struct beside *beside = beside_start(&group, 1);
 *     ... until beside_is_done(beside, now) ...
 *     json_t *taken = beside_end(beside);       // [{"lines": [...], "tree": {...}, "text": "...", "missing": [...]}]
 *
 * For each group: "lines" has one line for each different stack; "tree" is that of stacks_json();
 * "text" that of stacks_print(); "missing" has a sentence for each process that could not be read
 * completely.
 *
 * All of it takes seconds at most (SECONDS_FOR_STACKS); stacks that were not read by then are
 * missing. The processes go on however mpipp, or the process beside it, ends.
 */
#ifndef MPIPP_STACKS_BESIDE_H
#define MPIPP_STACKS_BESIDE_H

#include <stdint.h>

#include "stacks.h"

enum {
    SECONDS_FOR_STACKS = 5, /* of processor time: after that no further process is stopped */
    SECONDS_FOR_ALL = 20    /* after that the process beside mpipp is killed */
};

struct stacks_group {
    struct stacks_process *list;
    size_t count;
};

struct beside;

/* Returns NULL if no process can be started. */
struct beside *beside_start(const struct stacks_group *groups, size_t count);

/* Reads what has arrived, without waiting. Returns true if it is done. NOW is in milliseconds. */
bool beside_is_done(struct beside *beside, int64_t now);

/* Returns a descriptor that becomes readable when there is more to read. */
int beside_file(const struct beside *beside);

/* Waits until it is done. */
void beside_wait(struct beside *beside);

/* Returns the result, a new array with an object for each group; NULL if nothing could be taken.
 * Frees BESIDE, and ends the process if it still runs. */
json_t *beside_end(struct beside *beside);

/* Returns one of these objects as lines of text, in new memory; NULL if nothing could be taken. */
char *beside_text(const json_t *taken);

#endif
