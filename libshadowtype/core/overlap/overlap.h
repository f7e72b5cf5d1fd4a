/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether two buffers share memory (the paper's VII and VIII).
 *
 *     struct st_buffer face, column;
 *     st_buffer_init(&face, face_layout, face_type, 1, 0x7f0000001000);
 *     st_buffer_init(&column, column_layout, column_type, 1, 0x7f0000002000);
 *     struct st_shared shared;
 *     if (st_overlap(&face, &column, &effort, &shared) == ST_YES) {
 *         ... bytes shared.address .. shared.address + shared.length - 1 are in both ...
 *     }
 *
 * A buffer is address, count and datatype (the paper's VII.A), with a layout of layout.h. Addresses
 * are modulo 2^64: a buffer may be at the upper end, around 0, or have absolute displacements from
 * MPI_BOTTOM. The answer is exact, or ST_UNDECIDED with the reason in effort->doubt: a layout that
 * is not known or does not fit in 64 bits, too many steps, or an interrupt. For two regular types
 * the cost does not depend on their counts; for irregular ones it depends on the number of blocks
 * where both are.
 *
 * Reading layouts from several threads is safe.
 */
#ifndef ST_CORE_OVERLAP_OVERLAP_H
#define ST_CORE_OVERLAP_OVERLAP_H

#include "core/layout/layout.h"

struct st_buffer {
    uint64_t first;      /* address of the first byte */
    uint64_t span;       /* from there to after the last byte; 0: there are no bytes */
    struct st_item item; /* the copies of the layout, which is not owned */
    enum st_doubt doubt; /* if not NONE, nothing of the above is known */
    bool disjoint;       /* true: it names no byte twice for sure, see st_overlap_bytes() */
};

/* Fills a buffer. `layout` must be that of `type`, and live as long as the buffer is used. */
void st_buffer_init(struct st_buffer *buffer, const struct st_layout *layout,
                    const struct st_type *type, int64_t count, uint64_t address);

/* Does the same with an extent that the caller knows. `known` is false if it does not fit in 64
 * bits. */
void st_buffer_repeat(struct st_buffer *buffer, const struct st_layout *layout, bool known,
                      int64_t extent, int64_t count, uint64_t address);

/* A contiguous piece that two buffers share: it is in one block of each. */
struct st_shared {
    uint64_t address, length;
};

/* Returns ST_YES if the buffers share a byte; *shared (may be NULL) is then one such piece. */
enum st_verdict st_overlap(const struct st_buffer *a, const struct st_buffer *b,
                           struct st_effort *effort, struct st_shared *shared);

/* Counts the bytes that two buffers share. Returns false if they are not counted: this takes more
 * than the effort, or a buffer may name bytes twice and is too large to be unfolded. The caller may
 * set `disjoint` of a buffer if it knows the answer (self_overlap.h); st_buffer_init() sets it if
 * the answer is obvious. */
bool st_overlap_bytes(const struct st_buffer *a, const struct st_buffer *b,
                      struct st_effort *effort, uint64_t *bytes);

#endif
