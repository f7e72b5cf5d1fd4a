/*
 * The memory of one datatype as pieces of basic types side by side, for a small picture of it.
 *
 *     struct st_typed_piece pieces[64];
 *     struct st_pieces found = {.list = pieces, .most = 64};
 *     struct st_effort effort = st_effort_of(1 << 16);
 *     if (st_pieces_of(&found, &layouts, type, &effort)) {
 *         ... found.count pieces, ascending; found.left_out bytes more ...
 *     }
 *
 * Where the type has more than `most`, they are its first ones in memory (of blocks that stand
 * between one another: some that are near to them). What it costs does not depend on how large the
 * type is.
 */
#ifndef ST_CORE_ADDRESS_PIECES_H
#define ST_CORE_ADDRESS_PIECES_H

#include "core/layout/layout.h"
#include "core/model/type.h"

struct st_typed_piece {
    int64_t from, length;       /* bytes, `from` counted from displacement 0 */
    const struct st_type *leaf; /* NULL: several basic types, or not known which */
};

struct st_pieces {
    struct st_typed_piece *list;
    size_t most;
    size_t count;
    int64_t left_out; /* bytes of data that are in no piece */
};

/* False: the pieces are not known (a type is OPAQUE, steps or memory are used up). */
bool st_pieces_of(struct st_pieces *pieces, struct st_layouts *layouts, const struct st_type *type,
                  struct st_effort *effort);

#endif
