/*
 * Whether a datatype, or repetitions of it, name a byte twice (the paper's VII.C, 1 and 2).
 *
 *     struct st_self_overlap self;
 *     switch (st_self_overlap(&layouts, type, INT64_MAX, &effort, &self)) {
 *     case ST_YES: ... self.count copies of it do, no fewer; for one, byte self.at ...
 *     case ST_NO:  ... no count does ...
 *
 * The smallest count is a property of the type: it is found once, whatever count is asked for, and
 * kept in the cache. Copies d apart overlap for some d < true extent / |extent| rounded up (the
 * paper rounds down), or for extent 0 at once; which d, is asked of the layouts: of two nested
 * strided blocks by arithmetic, of a list of runs by their remainders modulo the extent, in
 * O(n log n).
 *
 * A pair type's gap is no byte of it. Distances are those of the type map, not modulo 2^64.
 * Not thread-safe: the cache is written.
 */
#ifndef ST_CORE_OVERLAP_SELF_OVERLAP_H
#define ST_CORE_OVERLAP_SELF_OVERLAP_H

#include "core/layout/layout.h"

struct st_self_overlap {
    int64_t count; /* the smallest that names a byte twice; 1: the type by itself does */
    int64_t at;    /* displacement of a byte that `count` copies name twice (elements.h: by what) */
};

/* Whether a count of `most` or less does. ST_UNDECIDED: see effort->doubt; a layout that leaves 64
 * bits or is not known, too many steps, an interrupt, no memory. */
enum st_verdict st_self_overlap(struct st_layouts *layouts, const struct st_type *type,
                                int64_t most, struct st_effort *effort,
                                struct st_self_overlap *self);

#endif
