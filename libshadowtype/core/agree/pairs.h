/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data from rank to rank in a collective call in which each two ranks have separate counts:
 * MPI_Gatherv, MPI_Scatterv, MPI_Allgatherv, MPI_Alltoallv, MPI_Alltoallw.
 *
 *     struct st_rank_pairs_room        one in the area of each rank: a ring of bytes
 *     struct st_rank_pairs             of a call: what it sends to each rank, then what it receives from each
 *
 * One entry is for all ranks; no entry means that nothing is published. In a neighbourhood
 * collective an entry is an edge of the topology: it has the peer, and, if that matters, which edge
 * it is. The pairs of a call are valid until the ring has come round: a reader checks `begun`
 * afterwards.
 */
#ifndef ST_CORE_AGREE_PAIRS_H
#define ST_CORE_AGREE_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/agree/collective.h"

/* The signature of the data in one direction, as in struct st_collective. */
struct st_rank_pair {
    uint64_t hash[2];
    int64_t length;
    uint64_t flags; /* ST_COLLECTIVE_SIGNATURE, ST_COLLECTIVE_UNIFORM; upper 48 bits: an edge */
};

static inline void st_pair_set_edge(struct st_rank_pair *pair, int32_t peer, uint16_t edge)
{
    pair->flags = (pair->flags & 0xFFFF) | (uint64_t)(uint32_t)peer << 16 | (uint64_t)edge << 48;
}

static inline int32_t st_pair_peer(const struct st_rank_pair *pair)
{
    return (int32_t)(uint32_t)(pair->flags >> 16);
}

static inline uint16_t st_pair_edge(const struct st_rank_pair *pair)
{
    return (uint16_t)(pair->flags >> 48);
}

struct st_rank_pairs {
    uint32_t sends, receives; /* entries: 0, 1 or one for each rank */
    struct st_rank_pair list[];
};

enum { ST_PAIRS_BYTES = 128 * 1024 };
struct st_rank_pairs_room {
    uint64_t begun; /* bytes allocated so far; the `pairs` of a call is the offset of its first one,
                  plus 1 */
    uint64_t bytes[ST_PAIRS_BYTES / sizeof(uint64_t)];
};

/* Allocates contiguous room for the pairs of a call of the rank that owns the room. *place is for
 * its `pairs`. Returns NULL if it is too large. */
struct st_rank_pairs *st_pairs_take(struct st_rank_pairs_room *room, uint64_t sends,
                                    uint64_t receives, uint64_t *place);

/* Reads what the call of `place` sends to, or receives from, rank `member`. Returns false if that
 * is not published, or not there any more. */
bool st_pairs_read(const struct st_rank_pairs_room *room, uint64_t place, bool sends,
                   int32_t member, struct st_rank_pair *pair);

/* Returns how many entries a call of `place` has for what it sends, or receives; 0 if it is not
 * there any more. */
uint32_t st_pairs_count(const struct st_rank_pairs_room *room, uint64_t place, bool sends);

/* Returns true if the data of the call of `place` is still there. */
bool st_pairs_are_there(const struct st_rank_pairs_room *room, uint64_t place);

/* Returns true if both are known, and differ. */
bool st_pairs_differ(const struct st_rank_pair *sent, const struct st_rank_pair *received);

#endif
