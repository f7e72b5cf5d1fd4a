/*
 * At which addresses all basic elements of a buffer are aligned, each as its size asks for.
 *
 *     struct st_alignment alignment;
 *     if (st_alignment_of(layout, type, count, &alignment)) {
 *         ... where address % alignment.modulus == alignment.remainder, and nowhere else ...
 *     }
 */
#ifndef ST_CORE_LAYOUT_ALIGNMENT_H
#define ST_CORE_LAYOUT_ALIGNMENT_H

#include "core/layout/layout.h"

/* Bytes; modulus 1: at every address. */
struct st_alignment {
    uint32_t modulus; /* a power of two, 32 at the most */
    uint32_t remainder;
};

/* `layout`, without a doubt, is that of `type`. False: at no address, or (count > 1) the type's
 * extent is not known. Which elements stand wrong at one: elements.h. */
bool st_alignment_of(const struct st_layout *layout, const struct st_type *type, int64_t count,
                     struct st_alignment *alignment);

#endif
