/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether a number can be a handle of the MPI library at all. For a wrong one MPI crashes
 * (Open MPI reads the memory that it points to), or refuses the call.
 */
#ifndef ST_RUNTIME_OBJECTS_OBJECTS_H
#define ST_RUNTIME_OBJECTS_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/registry.h"

/* Returns true if the number is certainly no handle of this kind: in MPICH its bits are those of
 * another kind, in Open MPI there is no object of the kind at this address. Returns false if the
 * MPI library's own constants do not have the expected form. */
bool st_is_no_object(enum st_kind kind, uint64_t handle);

#endif
