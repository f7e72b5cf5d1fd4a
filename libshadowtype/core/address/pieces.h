/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of one datatype as contiguous pieces of one basic type each, for a small picture of
 * it.
 *
 *     struct st_typed_piece pieces[64];
 *     struct st_pieces found = {.list = pieces, .most = 64};
 *     struct st_effort effort = st_effort_of(1 << 16);
 *     if (st_pieces_of(&found, &layouts, type, &effort)) {
 *         ... found.count pieces, ascending; found.left_out bytes more ...
 *     }
 *
 * If the type has more than `most` pieces, they are the first ones in memory (for interleaving
 * blocks: some near the first). The cost does not depend on the size of the type.
 */
#ifndef ST_CORE_ADDRESS_PIECES_H
#define ST_CORE_ADDRESS_PIECES_H

#include "core/layout/layout.h"
#include "core/model/type.h"

struct st_typed_piece {
    int64_t from, length;       /* bytes; `from` is a displacement */
    const struct st_type *leaf; /* NULL: several basic types, or unknown */
};

struct st_pieces {
    struct st_typed_piece *list;
    size_t most;
    size_t count;
    int64_t left_out; /* bytes of data that are in no piece */
};

/* Returns false if the pieces are not known: a type is OPAQUE, or steps or memory have run out. */
bool st_pieces_of(struct st_pieces *pieces, struct st_layouts *layouts, const struct st_type *type,
                  struct st_effort *effort);

#endif
