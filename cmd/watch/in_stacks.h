/*
 * What a tree of stacks (stacks/stacks.h, stacks_json()) says of one rank.
 */
#ifndef MPIPP_WATCH_IN_STACKS_H
#define MPIPP_WATCH_IN_STACKS_H

#include <jansson.h>

/* Finds in a tree of stacks where RANK is in the program: its innermost frame with a source file. The frame belongs
 * to the tree. Returns NULL where no frame has one, or the tree is NULL. */
const json_t *in_stacks_innermost(const json_t *tree, json_int_t rank);

/* Where a rank called MPI: replaces FRAMES, a record's, if the innermost one is in the MPI library, as where Fortran
 * calls MPI through its bindings. Of a rank with several stacks nobody knows which is the call's: FRAMES stay. */
void in_stacks_correct(json_t *frames, const json_t *tree, json_int_t rank);

#endif
