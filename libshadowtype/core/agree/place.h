/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call site in the area of a rank (segment.h), which any process can read: struct st_rank_place, the addresses of its
 * frames, and for each of these
 *
 *     uint64_t offset, symbol_offset; uint8_t is_return; char text[], module[], build[], symbol[]
 *
 * Each text ends with a 0 byte, and is empty if it is not known. Place 0 means that no site is known. The bytes are not
 * trusted.
 *
 *     struct st_place_reader reader = st_place_open(area, call.place);
 *     struct st_place_frame frame;
 *     while (st_place_next(&reader, &frame)) { ... frame.module, frame.offset ... }
 */
#ifndef ST_CORE_AGREE_PLACE_H
#define ST_CORE_AGREE_PLACE_H

#include <stddef.h>

#include "core/agree/segment.h"

/* The same as struct st_frame (report/report.h); the texts are in the area. */
struct st_place_frame {
    const char *text, *module, *build, *symbol; /* NULL: not known */
    uint64_t offset, symbol_offset;
    bool is_return;
};

struct st_place_reader {
    const uint8_t *bytes;
    size_t left;
    uint32_t frames; /* not read yet */
    bool is_bad;
};

/* For no area, or place 0, there are no frames. */
struct st_place_reader st_place_open(const struct st_rank_area *area, uint32_t place);

/* Stores the next frame, the innermost first. Returns false if there is none. */
bool st_place_next(struct st_place_reader *reader, struct st_place_frame *frame);

#endif
