/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of overlap.h. */
#ifndef ST_CORE_OVERLAP_OVERLAP_INTERNAL_H
#define ST_CORE_OVERLAP_OVERLAP_INTERNAL_H

#include "core/overlap/digits.h"
#include "core/overlap/overlap.h"

/* Stores the distance from the first byte of y to that of x, on the circle of 2^64 addresses; both
 * span less than half of it. Returns false if neither begins within the span of the other. */
bool st_buffer_shift(const struct st_buffer *x, const struct st_buffer *y, st_wide *shift);

/* Makes a buffer of the same bytes as runs, if it unfolds to few blocks. The caller must release
 * *layout. Returns false if there are too many blocks for the effort, if interrupted, or if there
 * is no memory. */
bool st_buffer_unfold(const struct st_buffer *buffer, struct st_buffer *unfolded,
                      const struct st_layout **layout, struct st_effort *effort);

#endif
