/*
 * Stacks that a process beside mpipp takes, so that mpipp goes on meanwhile, and is not held up by a process that
 * cannot be read.
 *
 *     struct stacks_group group = {.list = ranks, .count = 2};
 *     struct beside *beside = beside_start(&group, 1);
 *     ... until beside_is_done(beside, now) ...
 *     json_t *taken = beside_end(beside);       // [{"lines": [...], "tree": {...}, "text": "...", "missing": [...]}]
 *
 * Of each group: "lines", a stack in one line for each that differs; "tree" as of stacks_json(); "text" as of
 * stacks_print(); "missing", a sentence for each process that could not be read, or not wholly.
 *
 * All of it takes seconds at most (SECONDS_FOR_STACKS): what is not read by then is missing. The processes go on
 * however mpipp, or the process beside it, ends.
 */
#ifndef MPIPP_STACKS_BESIDE_H
#define MPIPP_STACKS_BESIDE_H

#include <stdint.h>

#include "stacks.h"

enum {
    SECONDS_FOR_STACKS = 5, /* then no other process is stopped */
    SECONDS_FOR_ALL = 10    /* then the process beside mpipp is killed */
};

struct stacks_group {
    struct stacks_process *list;
    size_t count;
};

struct beside;

/* NULL: no process can be started. */
struct beside *beside_start(const struct stacks_group *groups, size_t count);

/* Reads what has come, and does not wait. NOW in milliseconds. */
bool beside_is_done(struct beside *beside, int64_t now);

/* Becomes readable when there is more to read. */
int beside_file(const struct beside *beside);

/* Waits until it is done. */
void beside_wait(struct beside *beside);

/* What was taken, a new array with an object for each group, or NULL: nothing could be. Frees BESIDE, and ends the
 * process if it is still there. */
json_t *beside_end(struct beside *beside);

/* One of its objects as lines of text, in new memory; NULL: nothing could be taken. */
char *beside_text(const json_t *taken);

#endif
