/*
 * What MPI_Pack would make of a buffer: its basic elements side by side in the order of the type
 * map, without the gaps between them and without the gap in a pair; portion by portion, so that a
 * buffer may be larger than memory.
 *
 *     struct st_pack pack;
 *     st_pack_init(&pack, &indexes, &memory, &root);
 *     while (!(error = st_pack_next(&pack, portion, sizeof portion, &length, &fault)) && length) {
 *         ... the next `length` bytes ...
 *     }
 *     ... error: at the element pack.route ...
 *     st_pack_deinit(&pack);
 */
#ifndef ST_RENDER_PACK_H
#define ST_RENDER_PACK_H

#include "core/address/route.h"
#include "core/model/memory.h"

/* Room that any basic element fits into. */
#define ST_PACK_LEAST 4096

struct st_pack {
    struct st_route route; /* a leaf, or a run of leaves, of which the first `at` are done */
    struct st_indexes *indexes;
    struct st_memory *memory;
    int64_t at;
    bool begun, over, run;
};

void st_pack_init(struct st_pack *pack, struct st_indexes *indexes, struct st_memory *memory,
                  const struct st_place *root);
void st_pack_deinit(struct st_pack *pack);

/* Elements of one basic type that stand side by side in the type map. */
struct st_pack_part {
    const struct st_basic *basic;
    int64_t count; /* 0: there is no room for another one, or that were all (pack->over) */
    size_t length; /* bytes of all of them */
};

/* The next elements of one basic type, as many as fit into `room`; before what cannot be read, those
 * that can. The same errors as below. */
enum st_error st_pack_part(struct st_pack *pack, void *portion, size_t room,
                           struct st_pack_part *part, struct st_fault *fault);

/* The next bytes, as many as fit into `room` (ST_PACK_LEAST or more) and a few less; *length 0: that
 * were all. ST_UNREADABLE: *fault says which bytes, and pack->route stands at the element.
 * ST_INSIDE_UNKNOWN, ST_OVERFLOW, ST_NO_MEMORY, ST_INTERRUPTED. */
enum st_error st_pack_next(struct st_pack *pack, void *portion, size_t room, size_t *length,
                           struct st_fault *fault);

#endif
