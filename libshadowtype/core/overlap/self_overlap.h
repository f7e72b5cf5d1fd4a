/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether a datatype, or repetitions of it, name a byte twice (the paper's VII.C, 1 and
 * 2).
 *
 *     struct st_self_overlap self;
 *     switch (st_self_overlap(&layouts, type, INT64_MAX, &effort, &self)) {
 *     case ST_YES: ... self.count copies of it do, no fewer; for one, byte self.at ...
 *     case ST_NO:  ... no count does ...
 *
 * The smallest count is a property of the type: it is computed once, whatever count is asked for,
 * and cached. Copies overlap if and only if some d apart do, d < true extent / |extent| rounded up
 * (the paper rounds down); with extent 0 they overlap at once. The layouts tell which d: two nested
 * strided blocks by arithmetic, a list of runs by their remainders modulo the extent, in O(n log
 * n).
 *
 * The gap of a pair type is not part of it. Distances are those of the type map, not modulo 2^64.
 * Not thread-safe: the cache is written.
 */
#ifndef ST_CORE_OVERLAP_SELF_OVERLAP_H
#define ST_CORE_OVERLAP_SELF_OVERLAP_H

#include "core/layout/layout.h"

struct st_self_overlap {
    int64_t count; /* the smallest count that names a byte twice; 1: the type itself does */
    int64_t at;    /* displacement of such a byte (elements.h finds its elements) */
};

/* Returns ST_YES if a count of at most `most` names a byte twice. Returns ST_UNDECIDED if
 * effort->doubt says why: a layout that does not fit in 64 bits or is not known, too many steps, an
 * interrupt, no memory. */
enum st_verdict st_self_overlap(struct st_layouts *layouts, const struct st_type *type,
                                int64_t most, struct st_effort *effort,
                                struct st_self_overlap *self);

#endif
