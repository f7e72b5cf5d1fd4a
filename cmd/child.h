/*
 * Asking another program a question: run it to its end and keep what it printed.
 */
#ifndef MPIPP_CHILD_H
#define MPIPP_CHILD_H

/* Runs ARGUMENTS (argv[0] a path, or a name to be found in PATH) with an empty standard input and
 * without what a user preloads, and stores both its output streams in *OUTPUT (new memory).
 * Returns its exit status; -1 if it could not be run or was killed. */
int child_output(char *const arguments[], char **output);

#endif
