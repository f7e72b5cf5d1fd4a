/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls that repeat the last one of their line of the program, as most do: what the
 * ranks must agree on was worked out then.
 *
 *     if (!st_repeated_find(&line, &call, &digest)) {
 *         ... fill in call ...
 *         st_repeated_keep(&line, &call, digest);
 *     }
 *
 * Only calls whose facts follow from numbers and predefined handles are kept: no arrays, no
 * datatypes or operations of the program.
 */
#ifndef ST_RUNTIME_RANKS_REPEATED_H
#define ST_RUNTIME_RANKS_REPEATED_H

#include "core/agree/collective.h"
#include "runtime/wrap/facts.h"

/* A call of the program, and where it returns to. */
struct st_repeated_line {
    const struct st_form *form;
    const struct st_comm *comm;
    const void *pc;
    const uint64_t *values;
};

/* Returns true if the call is the same as the last one of its line, but for its buffers and its
 * number. Copies that one, with its own number, and its digest. */
bool st_repeated_find(const struct st_repeated_line *line, struct st_collective *call,
                      uint64_t *digest);

/* Keeps a call, and st_collective_digest() of it. `rules` are those of its function (enum st_rule);
 * does nothing if they do not allow it. */
void st_repeated_keep(const struct st_repeated_line *line, uint32_t rules,
                      const struct st_collective *call, uint64_t digest);

#endif
