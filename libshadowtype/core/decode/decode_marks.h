/*
 * A byte for each node of a registry that somebody names, paid for by what was read: the nodes that
 * were read in one row have an array, the few beyond them, whose number may be a lie, a hash table.
 *
 *     struct st_marks marks = {0};
 *     st_marks_reach(&marks, 40);               // nodes 0 to 39 were read
 *     unsigned char *mark = st_mark_of(&marks, 4000000000);
 *     *mark |= 1;
 *     st_marks_deinit(&marks);
 */
#ifndef ST_CORE_DECODE_DECODE_MARKS_H
#define ST_CORE_DECODE_DECODE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct st_stray {
    uint32_t ordinal;
    unsigned char mark;
    bool used;
};

struct st_marks {
    unsigned char *row; /* of the nodes from 0 on */
    uint32_t reach;
    size_t room;
    struct st_stray *strays; /* open addressing */
    size_t slot_count, stray_count;
};

void st_marks_deinit(struct st_marks *marks);

/* The nodes below `reach` were read: their marks are an array, zero for new ones. To be called before
 * any of them is named. False: no memory. */
bool st_marks_reach(struct st_marks *marks, uint32_t reach);

/* The mark of a node, 0 at first; valid until the next call. NULL: no memory, never for one that was
 * named before. */
unsigned char *st_mark_of(struct st_marks *marks, uint32_t ordinal);

/* The nodes beyond the row that have been named, ascending: *count of them, the caller's to free().
 * NULL: no memory. */
uint32_t *st_marks_strays(const struct st_marks *marks, size_t *count);

#endif
