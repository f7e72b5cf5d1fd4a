/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stacks that were taken: shared by the files that take them and those that write them.
 */
#ifndef MPIPP_STACKS_TAKEN_H
#define MPIPP_STACKS_TAKEN_H

#include "stacks.h"
#include "tree.h"

struct stacks {
    const struct stacks_process *processes; /* sorted by rank */
    size_t count;
    bool are_ranks; /* if false, they are named by PIDs */
    struct tree_node root;
    const char **missing;
    size_t missing_count;
};

#endif
