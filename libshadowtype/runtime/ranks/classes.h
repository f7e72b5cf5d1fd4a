/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks that have come to a collective call, in classes: those of one class agree with each
 * other.
 */
#ifndef ST_RUNTIME_RANKS_CLASSES_H
#define ST_RUNTIME_RANKS_CLASSES_H

#include "core/agree/segment.h"
#include "report/writer.h"

enum { ST_MOST_CLASSES = 8 };

struct st_rank_class {
    struct st_collective call;             /* the call of the rank that was added first */
    uint8_t members[ST_SEGMENT_RANKS / 8]; /* bit set by index in the table of ranks (node.h) */
    int32_t first;                         /* the lowest rank in its MPI_COMM_WORLD */
    uint32_t count;
};

/* Too large for a stack. */
struct st_rank_classes {
    struct st_rank_class list[ST_MOST_CLASSES];
    size_t count;
};

/* Adds the rank of a call to the class that it agrees with, or to a new class. */
void st_classes_add(struct st_rank_classes *classes, const struct st_collective *call);
/* Does the same for all ranks that have come to the call so far. */
void st_classes_add_all(struct st_rank_classes *classes, const struct st_collective *call);
/* Adds a class of this rank alone, even if it agrees with another. */
void st_classes_add_alone(struct st_rank_classes *classes, const struct st_collective *call);

/* Puts the class first with which the others are compared: the largest, or of equal ones that of
 * the lowest rank. The last class is the odd one. */
void st_classes_sort(struct st_rank_classes *classes);

/* Lists the ranks in MPI_COMM_WORLD, world by world. Returns how many there are. `ranks` has room
 * for ST_SEGMENT_RANKS. */
size_t st_class_list(const struct st_rank_class *class, int32_t *ranks);
/* Writes "rank 3", "ranks 0-2,5", "ranks 0-1 and rank 0 of world 2". `room` has room for
 * ST_SEGMENT_RANKS ranks. */
void st_put_class(struct st_writer *writer, const struct st_rank_class *class, int32_t *room);

#endif
