/*
 * Whether two buffers share memory (the paper's VII and VIII).
 *
 *     struct st_buffer face, column;
 *     st_buffer_init(&face, face_layout, face_type, 1, 0x7f0000001000);
 *     st_buffer_init(&column, column_layout, column_type, 1, 0x7f0000002000);
 *     struct st_shared shared;
 *     if (st_overlap(&face, &column, &effort, &shared) == ST_YES) {
 *         ... bytes shared.address .. shared.address + shared.length - 1 are in both ...
 *     }
 *
 * A buffer is address, count and datatype (the paper's VII.A); its layout is layout.h's. Addresses
 * are modulo 2^64: a buffer may lie at the upper end, around 0, or have absolute displacements from
 * MPI_BOTTOM. The answer is exact, or ST_UNDECIDED with the reason in effort->doubt: a layout that
 * is not known or leaves 64 bits, too many steps, or an interrupt. What two regular types cost does
 * not depend on their counts; irregular ones cost the blocks that lie where both are.
 *
 * Reading layouts from several threads is safe.
 */
#ifndef ST_CORE_OVERLAP_OVERLAP_H
#define ST_CORE_OVERLAP_OVERLAP_H

#include "core/layout/layout.h"

struct st_buffer {
    uint64_t first;      /* address of the first byte */
    uint64_t span;       /* from there to behind the last byte; 0: no bytes */
    struct st_item item; /* the copies of the layout, which is not owned */
    enum st_doubt doubt; /* not NONE: nothing of the above is known */
    bool disjoint;       /* it is known to name no byte twice, see st_overlap_bytes() */
};

/* `layout` is that of `type`, and must live as long as the buffer is used. */
void st_buffer_init(struct st_buffer *buffer, const struct st_layout *layout,
                    const struct st_type *type, int64_t count, uint64_t address);

/* The same where the type's extent is at hand; `known` false: it leaves 64 bits. */
void st_buffer_repeat(struct st_buffer *buffer, const struct st_layout *layout, bool known,
                      int64_t extent, int64_t count, uint64_t address);

/* Bytes that two buffers share: a piece that lies in one block of each. */
struct st_shared {
    uint64_t address, length;
};

/* ST_YES: *shared (may be NULL) is one such piece. */
enum st_verdict st_overlap(const struct st_buffer *a, const struct st_buffer *b,
                           struct st_effort *effort, struct st_shared *shared);

/* How many bytes they share. False: that takes more than the effort, or a buffer may name bytes
 * twice and is too large to be unfolded: they are not counted. `disjoint` of a buffer may be set
 * by who knows (self_overlap.h); st_buffer_init() sets it where that is plain. */
bool st_overlap_bytes(const struct st_buffer *a, const struct st_buffer *b,
                      struct st_effort *effort, uint64_t *bytes);

#endif
