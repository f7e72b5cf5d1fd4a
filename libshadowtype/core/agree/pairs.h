/*
 * What goes from rank to rank in a collective call in which each two ranks have counts of their own: MPI_Gatherv,
 * MPI_Scatterv, MPI_Allgatherv, MPI_Alltoallv, MPI_Alltoallw.
 *
 *     struct st_rank_pairs_room        one in the area of each rank: a ring of bytes
 *     struct st_rank_pairs             a call's: what it sends to each rank, then what it receives of each
 *
 * One entry stands for all ranks, and none says nothing. In a neighbourhood collective an entry is an edge of the topology:
 * it says whom it goes to or comes from, and which edge it is where that counts. A call's pairs are good until the ring has come
 * round: who reads looks at `begun` afterwards.
 */
#ifndef ST_CORE_AGREE_PAIRS_H
#define ST_CORE_AGREE_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/agree/collective.h"

/* Signature of what goes one way, as in struct st_collective. */
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
    uint64_t
        begun; /* bytes that were ever taken; a call's `pairs` is where its first one was, plus 1 */
    uint64_t bytes[ST_PAIRS_BYTES / sizeof(uint64_t)];
};

/* Room for a call's pairs, one piece, of the rank that the room belongs to. *place is for its `pairs`. NULL: it would
 * be too large. */
struct st_rank_pairs *st_pairs_take(struct st_rank_pairs_room *room, uint64_t sends,
                                    uint64_t receives, uint64_t *place);

/* What a call of `place` sends to, or receives of, rank `member`. False: that is not told, or not there any more. */
bool st_pairs_read(const struct st_rank_pairs_room *room, uint64_t place, bool sends,
                   int32_t member, struct st_rank_pair *pair);

/* How many entries a call of `place` has for what it sends, or receives; 0 if it is not there any more. */
uint32_t st_pairs_count(const struct st_rank_pairs_room *room, uint64_t place, bool sends);

/* Whether what a call of `place` has left is still there. */
bool st_pairs_are_there(const struct st_rank_pairs_room *room, uint64_t place);

/* Both are known, and are not the same. */
bool st_pairs_differ(const struct st_rank_pair *sent, const struct st_rank_pair *received);

#endif
