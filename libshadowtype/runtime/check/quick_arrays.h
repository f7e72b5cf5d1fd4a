/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quick path (quick.h) of collective calls that have a count and a displacement for each rank: MPI_Gatherv,
 * MPI_Scatterv, MPI_Allgatherv, MPI_Alltoallv. It reads each array once. Where the blocks are in the order of the ranks,
 * none can overlap another; calls with any other order take the long way.
 */
#ifndef ST_RUNTIME_CHECK_QUICK_ARRAYS_H
#define ST_RUNTIME_CHECK_QUICK_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

/* What a call sends, or receives: a block for each rank; or, if `count_bytes` is 0, `count` elements. */
struct st_quick_side {
    const void *buffer, *counts, *displs;
    uint64_t type;
    int64_t count;
    uint8_t count_bytes, displ_bytes; /* size of a member of the arrays: 4 or 8 */
};

#define ST_QUICK_ARRAYS(buffer, counts, displs, type)                                              \
    (&(const struct st_quick_side){(buffer), (counts), (displs), (type), 0, sizeof *(counts),      \
                                   sizeof *(displs)})
#define ST_QUICK_BLOCK(buffer, count, type)                                                        \
    (&(const struct st_quick_side){(buffer), NULL, NULL, (type), (count), 0, 0})

/* Return true if nothing can be wrong with the two sides of a call in this rank. `root` is a rank of `comm`. */
bool st_quick_gathered_arrays(const struct st_quick_side *send, const struct st_quick_side *receive,
                              int root, uint64_t comm);
bool st_quick_scattered_arrays(const struct st_quick_side *send,
                               const struct st_quick_side *receive, int root, uint64_t comm);
bool st_quick_exchanged_arrays(const struct st_quick_side *send,
                               const struct st_quick_side *receive, uint64_t comm);

#endif
