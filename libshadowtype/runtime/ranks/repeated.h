/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls that repeat the last one of their line of the program, as most do: what the
 * ranks must agree on was worked out then.
 *
 *     struct st_repeated_call *kept = st_repeated_find(&line);
 *     if (!kept) {
 *         ... fill in call ...
 *         st_repeated_keep(&line, rules, &call, digest);
 *     }
 *
 * Only calls whose facts follow from numbers and predefined handles are kept: no datatypes or
 * operations of the program. Of the calls with counts for each rank all is kept but the data that
 * their `pairs` name (core/agree/pairs.h).
 */
#ifndef ST_RUNTIME_RANKS_REPEATED_H
#define ST_RUNTIME_RANKS_REPEATED_H

#include "core/agree/collective.h"
#include "runtime/wrap/facts.h"

enum { ST_REPEATED_PARAMETERS = 10, ST_REPEATED_VALUES = 8, ST_REPEATED_BUFFERS = 2 };

/* A call of the program, and where it returns to. */
struct st_repeated_line {
    const struct st_form *form;
    const struct st_comm *comm;
    const void *pc;
    const uint64_t *values;
};

struct st_repeated_call {
    const void *pc; /* NULL: not used */
    const struct st_form *form;
    uint64_t comm; /* its id */
    uint32_t parameter_count;
    bool has_data; /* the ranks compare data from rank to rank, which is different in each call */
    uint64_t last[ST_REPEATED_PARAMETERS]; /* all values of the last call */
    /* Parameters that are numbers or handles, and their values: */
    uint8_t numbers[ST_REPEATED_VALUES];
    uint64_t values[ST_REPEATED_VALUES];
    /* Parameters that are buffers, and whether they are MPI_IN_PLACE: */
    uint8_t buffers[ST_REPEATED_BUFFERS];
    bool in_place[ST_REPEATED_BUFFERS];
    uint8_t number_count, buffer_count;
    uint64_t digest;
    struct st_collective call; /* all but its number; `pairs` is 0 */
};

/* Returns the last call of the line, if this one is the same but for its buffers and its number;
 * else NULL. The caller holds the lock, and may fill in the number: the result is valid while it
 * holds the lock. */
struct st_repeated_call *st_repeated_find(const struct st_repeated_line *line);

/* Keeps a call, and st_collective_digest() of it. `rules` are those of its function (enum st_rule);
 * does nothing if they do not allow it. */
void st_repeated_keep(const struct st_repeated_line *line, uint32_t rules,
                      const struct st_collective *call, uint64_t digest);

#endif
