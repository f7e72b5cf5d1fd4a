/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs another program to its end, and keeps its output.
 */
#ifndef MPIPP_CHILD_H
#define MPIPP_CHILD_H

#include <stdbool.h>

/* Runs ARGUMENTS (argv[0] is a path, or a name to be found in PATH) with an empty standard input
 * and without the user's preloaded libraries, and stores both its output streams in *OUTPUT (new
 * memory). Returns its exit status; -1 if it could not be run or was killed. */
int child_output(char *const arguments[], char **output);

/* Waits until a child has called exec(). RESULT is the read end of a pipe; exec() closes the write
 * end, and if it fails the child writes errno there. Closes RESULT. Returns true if exec() has
 * failed, with the child's errno in *ERROR. */
bool child_has_failed(int result, int *error);

#endif
