/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls of a node, as the message CALLS has them (protocol.h): runs of calls of one communicator, with 8 bytes
 * for each call, or for a block of 16.
 *
 *     char *bytes = packed_calls(list, count, true, &length);
 *
 *     struct packed_reader reader = {.body = bytes, .length = length};
 *     while (packed_next(&reader, &call, &is_block)) { ... }
 */
#ifndef MPIPP_NODES_PACKED_H
#define MPIPP_NODES_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

/* Sorts the list by communicator and number, and returns it as bytes in new memory, or NULL if memory runs out. Where it
 * has all calls of a block, and none of them has flags, it has the block instead if WITH_BLOCKS. */
char *packed_calls(struct far_call *list, size_t count, bool with_blocks, size_t *length);

/* Says whether a call, or a block, which has FAR_RUN_BLOCKS in its flags, is kept. */
typedef bool packed_keeps_fn(void *context, const struct far_call *call);

/* Those of such bytes that are kept, in new memory. NULL: none, or memory runs out. */
char *packed_kept(const char *body, size_t length, packed_keeps_fn *keeps, void *context,
                  size_t *kept);

/* The sum of a block is that of these. */
uint64_t packed_share(uint64_t number, uint64_t digest);

/* The number of the first call of the block that a call is in. */
uint64_t packed_first(uint64_t number);

struct packed_reader {
    const char *body;
    size_t length, at;
    struct far_run run;
    uint32_t next; /* of the run */
};

/* The next run, and its first word: all of its words are there. Not to be mixed with packed_next(). */
bool packed_run(struct packed_reader *reader, struct far_run *run, const char **words);

/* The next call; or a block, which has the number of its first call, and the sum as its digest. Ends at what is damaged. */
bool packed_next(struct packed_reader *reader, struct far_call *call, bool *is_block);

#endif
