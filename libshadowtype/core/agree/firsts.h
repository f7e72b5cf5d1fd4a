/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collective calls to which a rank of the node came first, in the order in which they began. Only
 * a job of several nodes has this: the agent of the node (cmd/nodes) reads it, and compares the calls
 * with those of other nodes. All other ranks of the node have compared theirs with the first one's.
 *
 * A ring in the memory that the ranks share. Nobody waits: a call that is overwritten before it was
 * read is counted by the reader; a rank that is killed while it writes leaves one that is never there.
 */
#ifndef ST_CORE_AGREE_FIRSTS_H
#define ST_CORE_AGREE_FIRSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/agree/collective.h"

enum { ST_FIRSTS_LOG2 = 15, ST_FIRSTS_ROOM = 1 << ST_FIRSTS_LOG2 };

struct st_first_call {
    uint64_t turn; /* its number, from 1 on; stored last, 0 while the rest changes */
    struct st_collective call;
};

struct st_firsts {
    uint64_t count; /* calls that were begun so far */
    uint64_t spare[7];
    struct st_first_call list[ST_FIRSTS_ROOM];
};

/* Adds a call. */
void st_firsts_add(struct st_firsts *firsts, const struct st_collective *call);

enum st_first_state { ST_FIRST_THERE, ST_FIRST_NOT_YET, ST_FIRST_GONE };

/* Reads the call with a number from 1 to `count`. */
enum st_first_state st_firsts_read(const struct st_firsts *firsts, uint64_t turn,
                                   struct st_collective *call);

/* Finds a call of a communicator. Returns false if it is not there any more. */
bool st_firsts_find(const struct st_firsts *firsts, uint64_t comm, uint64_t number,
                    struct st_collective *call);

#endif
