/*
 * Whether copies of a layout, some strides apart, share a byte, and whether unlike layouts do.
 * Internal to the core: what self_overlap.h asks at each step of a type.
 */
#ifndef ST_CORE_OVERLAP_COPIES_H
#define ST_CORE_OVERLAP_COPIES_H

#include "core/layout/layout_make.h"

struct st_copies {
    uint64_t apart; /* copies i and i + apart share a byte, and none that are nearer */
    int64_t at;     /* displacement of one, in copies 0 and `apart` */
};

/* Copies 0..count-1 of `of`, `stride` apart. */
enum st_verdict st_copies_overlap(const struct st_layout *of, uint64_t count, int64_t stride,
                                  struct st_effort *effort, struct st_copies *copies);

/* Any two of those that are placed, each of which names no byte twice; `*at` is a displacement that
 * two name. */
enum st_verdict st_union_overlaps(const struct st_placed *placed, size_t count,
                                  struct st_effort *effort, int64_t *at);

#endif
