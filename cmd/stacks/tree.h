/*
 * Stacks merged into a tree: what several threads have in common from the outermost frame on is once
 * there.
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
    struct level level;              /* of all threads; the root's means nothing */
    struct tree_argument *arguments; /* of an MPI call */
    size_t argument_count;
    size_t *processes; /* indices into the list of processes, ascending */
    size_t process_count;
    size_t threads;
    struct tree_node **children; /* in the order in which they came */
    size_t child_count;
};

/* Adds a thread of process number PROCESS; they come in ascending order. */
void tree_add(struct tree_node *root, const struct levels *levels, size_t process);

/* Whether all threads of NODE are in its only child, too. */
bool tree_goes_on(const struct tree_node *node);

/* Whether two nodes are the same place. */
bool tree_is_same(const struct tree_node *a, const struct tree_node *b);

#endif
