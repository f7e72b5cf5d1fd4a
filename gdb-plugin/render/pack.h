/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packs a buffer like MPI_Pack: its basic elements side by side in the order of the type map,
 * without the gaps between them, and without the gap in a pair. It works portion by portion,
 * because a buffer may be larger than memory.
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

/* Any basic element fits in so many bytes. */
#define ST_PACK_LEAST 4096

struct st_pack {
    struct st_route route; /* a leaf, or a run of leaves of which the first `at` are done */
    struct st_indexes *indexes;
    struct st_memory *memory;
    int64_t at;
    bool begun, over, run;
};

void st_pack_init(struct st_pack *pack, struct st_indexes *indexes, struct st_memory *memory,
                  const struct st_place *root);
void st_pack_deinit(struct st_pack *pack);

/* Elements of one basic type that are neighbours in the type map. */
struct st_pack_part {
    const struct st_basic *basic;
    int64_t count; /* 0: there is no room for another element, or this is the end (pack->over) */
    size_t length; /* bytes of all of them */
};

/* Packs the next elements of one basic type, as many as fit into `room`; if some cannot be read,
 * only those before. Returns the errors of st_pack_next(). */
enum st_error st_pack_part(struct st_pack *pack, void *portion, size_t room,
                           struct st_pack_part *part, struct st_fault *fault);

/* Packs the next bytes, as many whole elements as fit into `room` (at least ST_PACK_LEAST). *length
 * is 0 at the end. Returns ST_UNREADABLE if memory cannot be read: *fault says which bytes, and
 * pack->route is at the element. Other errors: ST_INSIDE_UNKNOWN, ST_OVERFLOW, ST_NO_MEMORY,
 * ST_INTERRUPTED. */
enum st_error st_pack_next(struct st_pack *pack, void *portion, size_t room, size_t *length,
                           struct st_fault *fault);

#endif
