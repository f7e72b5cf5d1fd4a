/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A byte for each node of a registry that is referred to. Memory is limited by what was read: the
 * nodes that were read in one row have an array. The few beyond them, whose number may be damaged,
 * have a hash table.
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

/* Makes an array of marks, zero at first, for the nodes below `reach`, which were read. To be
 * called before any of them is referred to. Returns false if there is no memory. */
bool st_marks_reach(struct st_marks *marks, uint32_t reach);

/* Returns the mark of a node, 0 at first; valid until the next call. Returns NULL if there is no
 * memory, but never for a node that has a mark. */
unsigned char *st_mark_of(struct st_marks *marks, uint32_t ordinal);

/* Returns the nodes beyond the row that have a mark, ascending: *count of them, which the caller
 * must free(). NULL if there is no memory. */
uint32_t *st_marks_strays(const struct st_marks *marks, size_t *count);

#endif
