/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stacks merged into a tree: frames that several threads have in common, from the outermost one on,
 * occur once.
 */
#ifndef MPIPP_STACKS_TREE_H
#define MPIPP_STACKS_TREE_H

#include <stddef.h>

#include "levels.h"

/* The different values of an argument of an MPI call. */
struct tree_argument {
    const char *name;
    const char **values;
    size_t count;
};

struct tree_node {
    struct level level;              /* the same for all threads; not used in the root */
    struct tree_argument *arguments; /* of an MPI call */
    size_t argument_count;
    size_t *processes; /* indices into the list of processes, ascending */
    size_t process_count;
    size_t threads;
    struct tree_node **children; /* in the order of their arrival */
    size_t child_count;
};

/* Adds a thread of process number PROCESS. These numbers must ascend. */
void tree_add(struct tree_node *root, const struct levels *levels, size_t process);

/* Returns true if all threads of NODE are also in its only child. */
bool tree_goes_on(const struct tree_node *node);

/* Returns true if two nodes are the same place. */
bool tree_is_same(const struct tree_node *a, const struct tree_node *b);

#endif
