/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the addresses of a buffer at which all basic elements are aligned, each as its size
 * requires.
 *
 *     struct st_alignment alignment;
 *     if (st_alignment_of(layout, type, count, &alignment)) {
 *         ... aligned if and only if address % alignment.modulus == alignment.remainder ...
 *     }
 */
#ifndef ST_CORE_LAYOUT_ALIGNMENT_H
#define ST_CORE_LAYOUT_ALIGNMENT_H

#include "core/layout/layout.h"

/* Both in bytes. Modulus 1: aligned at every address. */
struct st_alignment {
    uint32_t modulus; /* a power of two, at most 32 */
    uint32_t remainder;
};

/* `layout` must be that of `type`, and have no doubt. Returns false if no address aligns all
 * elements, or if count > 1 and the extent of the type is not known. elements.h finds the elements
 * that are not aligned at an address. */
bool st_alignment_of(const struct st_layout *layout, const struct st_type *type, int64_t count,
                     struct st_alignment *alignment);

#endif
