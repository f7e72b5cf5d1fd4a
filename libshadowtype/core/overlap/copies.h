/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether copies of a layout, some strides apart, share a byte, and whether different
 * layouts do. Internal to the core: self_overlap.h uses it for each step of a type.
 */
#ifndef ST_CORE_OVERLAP_COPIES_H
#define ST_CORE_OVERLAP_COPIES_H

#include "core/layout/layout_make.h"

struct st_copies {
    uint64_t apart; /* copies i and i + apart share a byte; no nearer copies do */
    int64_t at;     /* displacement of such a byte, in copies 0 and `apart` */
};

/* Compares copies 0..count-1 of `of`, `stride` bytes apart. */
enum st_verdict st_copies_overlap(const struct st_layout *of, uint64_t count, int64_t stride,
                                  struct st_effort *effort, struct st_copies *copies);

/* Compares placed layouts, each of which names no byte twice. *at is a displacement that two of
 * them name. */
enum st_verdict st_union_overlaps(const struct st_placed *placed, size_t count,
                                  struct st_effort *effort, int64_t *at);

#endif
