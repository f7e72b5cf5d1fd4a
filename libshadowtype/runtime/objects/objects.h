/*
 * Whether a number can be a handle of the MPI library at all. MPI answers a wrong one by a crash
 * (Open MPI reads the memory behind it), or refuses it.
 */
#ifndef ST_RUNTIME_OBJECTS_OBJECTS_H
#define ST_RUNTIME_OBJECTS_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/registry.h"

/* Returns true if the number is certainly no handle of this kind: in MPICH its bits are those of
 * another kind, in Open MPI no object of the kind lies there. An MPI library that lays out its own
 * constants otherwise makes it false. */
bool st_is_no_object(enum st_kind kind, uint64_t handle);

#endif
