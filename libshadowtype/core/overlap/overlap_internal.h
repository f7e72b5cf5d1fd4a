/* What the parts of overlap.h share. */
#ifndef ST_CORE_OVERLAP_OVERLAP_INTERNAL_H
#define ST_CORE_OVERLAP_OVERLAP_INTERNAL_H

#include "core/overlap/digits.h"
#include "core/overlap/overlap.h"

/* From the first byte of y to that of x, on the circle of 2^64 addresses: both span less than half
 * of it. False: neither begins in what the other spans. */
bool st_buffer_shift(const struct st_buffer *x, const struct st_buffer *y, st_wide *shift);

/* A buffer of the same bytes over runs, if it unfolds to few blocks. `*layout` is to be released.
 * False: too many for the effort, interrupted, or no memory. */
bool st_buffer_unfold(const struct st_buffer *buffer, struct st_buffer *unfolded,
                      const struct st_layout **layout, struct st_effort *effort);

#endif
