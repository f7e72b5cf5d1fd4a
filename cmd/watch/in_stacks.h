/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds one rank in a tree of stacks (stacks_json() of stacks/stacks.h).
 */
#ifndef MPIPP_WATCH_IN_STACKS_H
#define MPIPP_WATCH_IN_STACKS_H

#include <jansson.h>

/* Finds the innermost frame of RANK that has a source file. The frame belongs to the tree. Returns
 * NULL if no frame has one, or if the tree is NULL. */
const json_t *in_stacks_innermost(const json_t *tree, json_int_t rank);

/* Corrects the place where a rank called MPI. Replaces FRAMES, which are those of a record, if the
 * innermost frame is in the MPI library: Fortran programs call MPI through the bindings of the
 * library. If the rank has several stacks, FRAMES do not change: it is not known which stack made
 * the call. */
void in_stacks_correct(json_t *frames, const json_t *tree, json_int_t rank);

#endif
