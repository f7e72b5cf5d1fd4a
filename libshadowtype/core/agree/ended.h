/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The communicators of a node whose calls are not compared any more, because their ranks have made
 * different calls. A set of ids in memory that ranks share: it only grows, and no rank waits.
 *
 * A rank that looks while another one adds may still miss the new id.
 */
#ifndef ST_CORE_AGREE_ENDED_H
#define ST_CORE_AGREE_ENDED_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ST_ENDED_LOG2_PLACES = 15,
    ST_ENDED_MOST = 3 << (ST_ENDED_LOG2_PLACES - 2) /* ids; the other places end a search */
};

struct st_ended_set {
    uint64_t count; /* ids that were added, or that had no room */
    uint64_t
        ids[1 << ST_ENDED_LOG2_PLACES]; /* each at a place given by itself, or after it; 0: none */
};

/* `comm` is an id whose bits are well mixed, as st_hash_word() makes them; 0 is no id. If the set is
 * full, the answer is true for all. */
bool st_ended_has(const struct st_ended_set *set, uint64_t comm);

/* Adds an id, once. If there is no room, it only counts it. */
void st_ended_add(struct st_ended_set *set, uint64_t comm);

/* Returns true if an id had no room. */
static inline bool st_ended_is_full(const struct st_ended_set *set)
{
    return __atomic_load_n(&set->count, __ATOMIC_ACQUIRE) > ST_ENDED_MOST;
}

#endif
