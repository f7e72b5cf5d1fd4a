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
 *
 *     struct st_rank_row               of most calls instead: the lengths alone
 *
 * Where all that a rank sends is of one basic type, and all that it receives, the lengths are
 * enough, of ranks that are not too many. They are at a place that follows from the call: another
 * rank compares them with its own at once, without looking for the call first. A rank that has left
 * its data in the ring says so in its row. There are few rows: they are for calls in which ranks wait
 * for each other.
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

enum { ST_ROW_RANKS = 124, ST_LOG2_ROWS = 5, ST_PAIRS_BYTES = 128 * 1024 };

struct st_rank_row {
    uint64_t key;             /* st_collective_key(); 0: not used, or changing */
    uint64_t element[2];      /* of what is sent, and received: hash[0] of its pairs */
    uint32_t sends, receives; /* as in struct st_rank_pairs; both 0: look for the call */
    int32_t member;           /* as in struct st_collective */
    uint32_t function;
    uint64_t comm, number; /* the same */
    uint64_t spare;
    int64_t lengths[ST_ROW_RANKS][2]; /* for each rank: sent, received */
};

/* Stores a member of a row: never before one that was stored before it. */
#define ST_ROW_STORE(member, value) __atomic_store_n(&(member), (value), __ATOMIC_RELEASE)

struct st_rank_pairs_room {
    uint64_t begun; /* bytes allocated so far; the `pairs` of a call is the offset of its first one,
                  plus 1; or that of its row (st_row_place()) */
    uint64_t
        spare[15]; /* the beginning of a row is in one cache line, and is fetched with the next */
    uint64_t bytes[ST_PAIRS_BYTES / sizeof(uint64_t)];
    struct st_rank_row rows[1 << ST_LOG2_ROWS];
};

/* Allocates contiguous room for the pairs of a call of the rank that owns the room. *place is for
 * its `pairs`. Returns NULL if it is too large. */
struct st_rank_pairs *st_pairs_take(struct st_rank_pairs_room *room, uint64_t sends,
                                    uint64_t receives, uint64_t *place);

/* Returns the row of a call in a room. */
static inline const struct st_rank_row *st_row_of(const struct st_rank_pairs_room *room,
                                                  const struct st_collective *call)
{
    return &room->rows[st_collective_place(call->comm, call->number, ST_LOG2_ROWS)];
}

/* Takes the row of a call away from the one that had it; only for the rank that owns the room, and
 * one thread at a time until st_row_end(). The caller fills in all but the key, by ST_ROW_STORE(). */
struct st_rank_row *st_row_begin(struct st_rank_pairs_room *room, const struct st_collective *call);
/* Shows the row to the other ranks, once its call is published (st_rank_call_write()): of two ranks
 * that publish theirs and then look at the other's row, one finds it. */
void st_row_end(struct st_rank_row *row, const struct st_collective *call);

/* Returns the `pairs` of a call whose data is in its row. */
uint64_t st_row_place(const struct st_collective *call);

/* The row of a rank, as that rank compares it with the others'. */
struct st_row_mine {
    const struct st_rank_row *row;
    uint64_t key, element[2];
    uint32_t sends, receives, function;
    int32_t member;
    uint32_t
        each[2]; /* all bits set if there is an entry for each rank, sent and received; else 0 */
};
struct st_row_mine st_row_mine(const struct st_rank_row *row);

/* Returns true if two ranks agree on what they send to each other, and have as many entries. If not,
 * st_rows_compare() tells more. */
static inline bool st_rows_agree(const struct st_row_mine *mine, const struct st_rank_row *other)
{
    if (__atomic_load_n(&other->key, __ATOMIC_SEQ_CST) != mine->key ||
        __atomic_load_n(&other->sends, __ATOMIC_ACQUIRE) != mine->sends ||
        __atomic_load_n(&other->receives, __ATOMIC_ACQUIRE) != mine->receives ||
        __atomic_load_n(&other->function, __ATOMIC_ACQUIRE) != mine->function) {
        return false;
    }
    const uint32_t member = (uint32_t)__atomic_load_n(&other->member, __ATOMIC_ACQUIRE);
    if (member >= ST_ROW_RANKS || (member & mine->each[0]) >= mine->sends ||
        (member & mine->each[1]) >= mine->receives) {
        return false;
    }
    const int64_t *to_other = mine->row->lengths[member & mine->each[0]];
    const int64_t *from_other = mine->row->lengths[member & mine->each[1]];
    const int64_t sends = __atomic_load_n(
        &other->lengths[(uint32_t)mine->member & mine->each[0]][0], __ATOMIC_ACQUIRE);
    const int64_t receives = __atomic_load_n(
        &other->lengths[(uint32_t)mine->member & mine->each[1]][1], __ATOMIC_ACQUIRE);
    const bool lengths = to_other[0] == receives && from_other[1] == sends;
    const bool elements =
        (!receives || __atomic_load_n(&other->element[1], __ATOMIC_ACQUIRE) == mine->element[0]) &&
        (!sends || __atomic_load_n(&other->element[0], __ATOMIC_ACQUIRE) == mine->element[1]);
    return lengths && elements && __atomic_load_n(&other->key, __ATOMIC_ACQUIRE) == mine->key;
}

/* Compares what two ranks send to each other in the call of `mine`, by their rows. NOT_THERE: the other one has not come to
 * this call yet. */
enum st_row_verdict { ST_ROW_IS_NOT_THERE, ST_ROWS_AGREE, ST_ROWS_ARE_NOT_ENOUGH };
enum st_row_verdict st_rows_compare(const struct st_rank_row *mine,
                                    const struct st_rank_row *other);

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
