/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of Fortran that MPI could not convert. Open MPI's Fortran bindings pass 0 to MPI's C
 * functions for each handle that was freed or never given out; MPICH's do so for files. This file
 * keeps which number the program has passed, and which object had that number before.
 */
#ifndef ST_RUNTIME_OBJECTS_CONVERTED_H
#define ST_RUNTIME_OBJECTS_CONVERTED_H

#include "runtime/wrap/facts.h"

/* Notes that this thread has converted handle `number` of Fortran.
 *   handle  the result; 0: MPI has no such object */
void st_converted(enum st_kind kind, int32_t number, uint64_t handle);

struct st_conversion {
    int32_t number; /* the handle in Fortran */
    uint64_t last;  /* the object that had this number; 0: none, or it is not known */
};

/* Returns true if a call of a Fortran binding passes 0 because a handle of this kind could not be
 * converted. If several handles of one kind could not, *conversion is that of the last one. */
bool st_conversion_failed(const struct st_facts *facts, enum st_kind kind,
                          struct st_conversion *conversion);

#endif
