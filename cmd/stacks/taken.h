/*
 * Stacks that were taken, as the files that take them and write them share them.
 */
#ifndef MPIPP_STACKS_TAKEN_H
#define MPIPP_STACKS_TAKEN_H

#include "stacks.h"
#include "tree.h"

struct stacks {
    const struct stacks_process *processes; /* by rank */
    size_t count;
    bool are_ranks; /* else PIDs name them */
    struct tree_node root;
    const char **missing;
    size_t missing_count;
};

#endif
