/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether the displacements of a type map never decrease. Those of etypes and filetypes
 * must not (MPI-4.0, 14.1.1).
 *
 *     int64_t element;
 *     switch (st_ascending(type, &element)) {
 *     case ST_NO: ... element `element` of what is sent has a lower displacement than `element` - 1 ...
 *
 * Each type below is visited once, and so is each block of a list. Nothing is unrolled, and there
 * is no recursion.
 */
#ifndef ST_CORE_LAYOUT_ASCENDING_H
#define ST_CORE_LAYOUT_ASCENDING_H

#include <stdint.h>

#include "core/layout/effort.h"
#include "core/model/type.h"

/* Returns ST_NO if a basic element has a lower displacement than the one before it; *element is the
 * first such element, counted from 0. Returns ST_UNDECIDED if a type is OPAQUE, if a displacement
 * does not fit in 64 bits, or if there is no memory. */
enum st_verdict st_ascending(const struct st_type *type, int64_t *element);

#endif
