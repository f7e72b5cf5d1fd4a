/*
 * Asking another program a question: run it to its end and keep what it printed.
 */
#ifndef MPIPP_CHILD_H
#define MPIPP_CHILD_H

#include <stdbool.h>

/* Runs ARGUMENTS (argv[0] a path, or a name to be found in PATH) with an empty standard input and
 * without what a user preloads, and stores both its output streams in *OUTPUT (new memory).
 * Returns its exit status; -1 if it could not be run or was killed. */
int child_output(char *const arguments[], char **output);

/* Waits until a child has replaced itself by exec(), or has failed to. RESULT: the read end of a pipe to which the child
 * writes errno where exec() fails, and whose write end is closed by exec(); it is closed. Returns true if exec() has
 * failed, with the child's errno in *ERROR. */
bool child_has_failed(int result, int *error);

#endif
