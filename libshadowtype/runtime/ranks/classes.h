/*
 * The ranks that have come to a collective call, in classes: those of one agree with each other.
 */
#ifndef ST_RUNTIME_RANKS_CLASSES_H
#define ST_RUNTIME_RANKS_CLASSES_H

#include "core/agree/segment.h"
#include "report/writer.h"

enum { ST_MOST_CLASSES = 8 };

struct st_rank_class {
    struct st_collective call;             /* that of the rank that was added first */
    uint8_t members[ST_SEGMENT_RANKS / 8]; /* bits: places in the table of ranks (node.h) */
    int32_t first;                         /* the lowest one in its MPI_COMM_WORLD */
    uint32_t count;
};

/* Large: no place for it is on a stack. */
struct st_rank_classes {
    struct st_rank_class list[ST_MOST_CLASSES];
    size_t count;
};

/* Puts the rank of a call into the class that it agrees with, or into one of its own. */
void st_classes_add(struct st_rank_classes *classes, const struct st_collective *call);
/* The same for all ranks that have come to the call so far. */
void st_classes_add_all(struct st_rank_classes *classes, const struct st_collective *call);
/* A class of this rank alone, whatever it agrees with. */
void st_classes_add_alone(struct st_rank_classes *classes, const struct st_collective *call);

/* Puts the class first that the others are held against: the largest, or of equal ones that of the lowest rank. The odd
 * one is the last. */
void st_classes_sort(struct st_rank_classes *classes);

/* Lists their ranks of MPI_COMM_WORLD, world by world. Returns how many there are; `ranks` has room for
 * ST_SEGMENT_RANKS. */
size_t st_class_list(const struct st_rank_class *class, int32_t *ranks);
/* "rank 3", "ranks 0-2,5", "ranks 0-1 and rank 0 of world 2". `room` is for ST_SEGMENT_RANKS ranks. */
void st_put_class(struct st_writer *writer, const struct st_rank_class *class, int32_t *room);

#endif
