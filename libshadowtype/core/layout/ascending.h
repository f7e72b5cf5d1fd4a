/*
 * Whether the displacements of a type map never decrease, as those of etypes and filetypes must not
 * (MPI-4.0, 14.1.1).
 *
 *     int64_t element;
 *     switch (st_ascending(type, &element)) {
 *     case ST_NO: ... number `element` of what is sent stands before number `element` - 1 ...
 *
 * Asked of each type below once, and of each block of a list; nothing is unrolled, nothing recurs.
 */
#ifndef ST_CORE_LAYOUT_ASCENDING_H
#define ST_CORE_LAYOUT_ASCENDING_H

#include <stdint.h>

#include "core/layout/effort.h"
#include "core/model/type.h"

/* ST_NO: *element is the first basic element, counted from 0, whose displacement is below that of
 * the one before it. ST_UNDECIDED: a type is OPAQUE, a displacement leaves 64 bits, or no memory. */
enum st_verdict st_ascending(const struct st_type *type, int64_t *element);

#endif
