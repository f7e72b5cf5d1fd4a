/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stacks of running processes as a tree, in which equal stacks of several processes occur once.
 *
 *     const struct stacks_process ranks[] = {{.pid = 4711, .rank = 0}, {.pid = 4712, .rank = 1}};
 *     struct stacks *stacks = stacks_take(ranks, 2, &(struct stacks_options){0});
 *     stacks_print(stacks, stderr, "  ");
 *     json_t *json = stacks_json(stacks);
 *     for (size_t i = 0; i < stacks_missing(stacks); i++)
 *         warn("%s", stacks_why_missing(stacks, i));
 *
 * A process is stopped for a few milliseconds while its stack is read, and then goes on, even if
 * mpipp ends meanwhile. A process is left out, with a sentence, if it is in a debugger, has ended,
 * belongs to another user, or does not stop within two seconds.
 *
 * No other thread may wait for any child (waitpid(-1)) meanwhile. Results live until mpipp ends.
 */
#ifndef MPIPP_STACKS_STACKS_H
#define MPIPP_STACKS_STACKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct stacks_process {
    pid_t pid;
    int rank; /* -1 if it is no rank: then the tree names all processes by their PIDs */
};

struct stacks_options {
    bool all_threads; /* also the MPI library's own threads */
    bool whole;       /* also the frames inside MPI and Python, and before main */
    double seconds;   /* of processor time, or twice as much time: after that no further process is
                       stopped, and the rest is left out; 0: no limit */
};

struct stacks;

/* Takes the stacks of COUNT processes, one after the other. */
struct stacks *stacks_take(const struct stacks_process *processes, size_t count,
                           const struct stacks_options *options);

/* Writes the tree, each line with INDENT before it; nothing if no stack could be taken. */
void stacks_print(const struct stacks *stacks, FILE *file, const char *indent);

/* Returns an array with a line for each different stack: "ranks 0-1: main > step > exchange >
 * MPI_Recv". */
json_t *stacks_lines(const struct stacks *stacks);

/* {"ranks": [0, 1], "pids": [4711, 4712], "threads": 2,
 *  "frames": [{"function": "main", "file": "halo.c", "line": 19, "module": null, "call": null}, ...],
 *  "branches": [the same, ...]}
 *
 * "frames": from the outermost on, what all of "ranks" have in common; then "branches" tells where
 * they differ. "ranks" is null where processes are not ranks. Of an MPI call, "call" is
 * {"function": "MPI_Recv", "arguments": {"source": ["1", "0"], ...}}: each argument that is known,
 * with the different values that it has. A new object. */
json_t *stacks_json(const struct stacks *stacks);

/* Returns the number of sentences: one for each process that was left out, or could be read only in
 * part. */
size_t stacks_missing(const struct stacks *stacks);
const char *stacks_why_missing(const struct stacks *stacks, size_t index);

/* Returns the number of processes whose stacks are in the tree. */
size_t stacks_taken(const struct stacks *stacks);

#endif
