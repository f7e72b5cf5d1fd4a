/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts as objects: references, blocks, and copies at another displacement. */
#include "core/layout/layout_make.h"

#include <stdlib.h>
#include <string.h>

struct st_layout *st_layout_new(size_t levels)
{
    struct st_layout *layout = calloc(1, sizeof(*layout) + levels * sizeof(layout->levels[0]));
    if (layout) {
        layout->references = 1;
        layout->level_count = (uint32_t)levels;
    }
    return layout;
}

const struct st_layout *st_layout_ref(const struct st_layout *layout)
{
    ((struct st_layout *)layout)->references++;
    return layout;
}

/* Frees without recursion, because lists hold layouts with lists, as deep as types are nested. A
 * list to be freed is kept until its layouts are freed; its `ends` then links to the next such
 * list. */
void st_layout_release(const struct st_layout *layout)
{
    struct st_list *doomed = NULL;
    struct st_layout *one = (struct st_layout *)layout;
    for (;;) {
        if (one && --one->references == 0) {
            struct st_list *list = one->list;
            free(one);
            if (list && --list->references == 0) {
                free(list->runs);
                free(list->ends);
                list->ends = (uint64_t *)doomed;
                doomed = list;
            }
        }
        while (doomed && (!doomed->items || !doomed->count)) {
            struct st_list *next = (struct st_list *)doomed->ends;
            free(doomed->items);
            free(doomed);
            doomed = next;
        }
        if (!doomed) {
            return;
        }
        one = (struct st_layout *)doomed->items[--doomed->count].of;
    }
}

struct st_layout *st_layout_nothing(enum st_doubt doubt)
{
    struct st_layout *layout = st_layout_new(0);
    if (layout) {
        layout->doubt = doubt;
    }
    return layout;
}

struct st_layout *st_layout_block(uint64_t length)
{
    struct st_layout *layout = st_layout_new(0);
    if (layout) {
        layout->span = layout->length = length;
        layout->parts = length != 0;
    }
    return layout;
}

/* --- remainders --------------------------------------------------------------------------------
 */

uint32_t st_residues_turned(uint32_t residues, uint64_t by)
{
    by %= 32;
    return by ? residues << by | residues >> (32 - by) : residues;
}

static void turn_residues(struct st_layout *layout, uint64_t by)
{
    for (int i = 0; i < ST_ALIGNMENTS; i++) {
        layout->residues[i] = st_residues_turned(layout->residues[i], by);
    }
}

struct st_layout *st_layout_moved(const struct st_layout *of, int64_t low)
{
    struct st_layout *layout = st_layout_new(of->level_count);
    if (layout) {
        memcpy(layout, of, sizeof(*of) + of->level_count * sizeof(of->levels[0]));
        layout->references = 1;
        layout->low = low;
        if (layout->list) {
            layout->list->references++;
        }
        turn_residues(layout, (uint64_t)low - (uint64_t)of->low);
    }
    return layout;
}

struct st_layout *st_layout_shift(const struct st_layout *of, int64_t by)
{
    int64_t low, high;
    if (of->doubt || st_layout_empty(of) || by == 0) {
        return (struct st_layout *)st_layout_ref(of);
    }
    if (__builtin_add_overflow(of->low, by, &low) ||
        __builtin_add_overflow(low, (int64_t)of->span, &high)) {
        return st_layout_nothing(ST_DOUBT_OVERFLOW);
    }
    return st_layout_moved(of, low);
}
