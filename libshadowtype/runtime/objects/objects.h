/*
 * Whether a number can be a handle of the MPI library at all. Given a wrong one, MPI crashes (Open
 * MPI reads the memory that it points to), or refuses the call.
 */
#ifndef ST_RUNTIME_OBJECTS_OBJECTS_H
#define ST_RUNTIME_OBJECTS_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/registry.h"

/* Returns true if the number is certainly no handle of this kind: in MPICH its bits are those of
 * another kind, in Open MPI no object of the kind lies there. Returns false for an MPI library whose own
 * constants do not look so. */
bool st_is_no_object(enum st_kind kind, uint64_t handle);

#endif
