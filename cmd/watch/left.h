/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the collective calls in the memory that the ranks share
 * (libshadowtype/core/agree/segment.h) which no rank has compared. A rank writes its call there,
 * then compares it with those of the others, and may be killed in between. The last one that a rank
 * writes is MPI_Finalize: if ranks have made different numbers of calls on MPI_COMM_WORLD, and no call
 * has waited, nobody else finds it.
 */
#ifndef CMD_WATCH_LEFT_H
#define CMD_WATCH_LEFT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* MPI_Finalize as the last collective call of a world: different numbers mean that its ranks have made
 * different numbers of calls. */
struct left_end {
    uint64_t comm, number; /* struct st_collective */
};
enum { LEFT_MOST_ENDS = 64 };
struct left_ends {
    bool is_unfinished;                   /* a rank has not reached MPI_Finalize */
    struct left_end list[LEFT_MOST_ENDS]; /* each different one once */
    size_t count;
};

/* Adds those of the ranks of this node. */
void left_find_ends(struct left_ends *ends);
void left_add_end(struct left_ends *ends, uint64_t comm, uint64_t number);

/* Call it when the job has ended, with the calls of other nodes (nodes/nodes.h). Returns the findings as records of rank "pid": for each
 * communicator the first call in which the ranks disagree, unless a rank has reported it. The array
 * is empty if all ranks have reached MPI_Finalize after equal numbers of calls on MPI_COMM_WORLD. */
json_t *left_compare(void);

#endif
