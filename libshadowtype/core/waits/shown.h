/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many messages a rank has sent to each other one, and received, as it shows them to those who look at it from outside
 * (core/agree/message.h).
 *
 *     struct st_wait_shown shown = {0};
 *     if (st_wait_shown_read(registry, &shown)) { ... st_wait_count_of(&shown.sent, 3) ... }
 *     st_wait_shown_free(&shown);
 *
 * What a rank shows is not trusted: what cannot be read is not there.
 */
#ifndef ST_CORE_WAITS_SHOWN_H
#define ST_CORE_WAITS_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/agree/message.h"
#include "core/decode/decode.h"

struct st_wait_count {
    int32_t rank; /* the other one, in their MPI_COMM_WORLD */
    uint64_t number;
};

struct st_wait_counts {
    struct st_wait_count *list; /* ascending; of those that are not 0 */
    size_t count;
};

struct st_wait_shown {
    uint64_t job;                         /* what ids of communicators are hashed with */
    bool has_counts;                      /* false: it shows no counts */
    bool is_sender, is_receiver;          /* these can be relied on */
    struct st_wait_counts sent, received; /* messages */
};

/* Reads them anew. Returns false if memory runs out: nothing needs to be freed then. */
bool st_wait_shown_read(struct st_registry *registry, struct st_wait_shown *shown);
void st_wait_shown_free(struct st_wait_shown *shown);

/* Returns 0 for a rank that is not in the list. */
uint64_t st_wait_count_of(const struct st_wait_counts *counts, int32_t rank);

/* Reads where the rank has its messages. Returns false if it shows none. */
bool st_wait_shared_messages(struct st_registry *registry, struct st_shared_messages *shared);

/* Reads a part of the rank's memory at a multiple of 8. Returns false if it is not there. */
bool st_wait_peek(struct st_registry *registry, uint64_t address, void *bytes, size_t length);

#endif
