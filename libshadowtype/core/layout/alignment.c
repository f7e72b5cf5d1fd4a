/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/layout/alignment.h"

#include "core/layout/layout_make.h"

/* Returns the remainders of `count` copies. They repeat after 32 copies at the latest. */
static uint32_t of_all(uint32_t residues, int64_t count, int64_t extent)
{
    uint32_t all = count > 0 ? residues : 0;
    for (int64_t z = 1; all && z < count && z < 32; z++) {
        all |= st_residues_turned(residues, (uint64_t)z * (uint64_t)extent);
    }
    return all;
}

bool st_alignment_of(const struct st_layout *layout, const struct st_type *type, int64_t count,
                     struct st_alignment *alignment)
{
    int64_t extent = 0;
    *alignment = (struct st_alignment){1, 0};
    if (count > 1 && !st_extent(type, &extent)) {
        return false;
    }
    for (int i = 0; i < ST_ALIGNMENTS; i++) {
        uint32_t residues = of_all(layout->residues[i], count, extent), modulus = 2U << i;
        if (!residues) {
            continue;
        }
        /* All displacements must be equal modulo the alignment, and agree with the smaller
         * alignments before. */
        uint32_t first = (uint32_t)__builtin_ctz(residues), remainder = (0U - first) % modulus;
        for (uint32_t r = first; r < 32; r++) {
            if ((residues >> r & 1) && (r - first) % modulus != 0) {
                return false;
            }
        }
        if (remainder % alignment->modulus != alignment->remainder) {
            return false;
        }
        *alignment = (struct st_alignment){modulus, remainder};
    }
    return true;
}
