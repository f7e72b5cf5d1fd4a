/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/decode/decode_marks.h"

#include <stdlib.h>
#include <string.h>

void st_marks_deinit(struct st_marks *marks)
{
    free(marks->row);
    free(marks->strays);
    *marks = (struct st_marks){0};
}

bool st_marks_reach(struct st_marks *marks, uint32_t reach)
{
    if (reach > marks->room) {
        size_t room = reach > marks->room * 2 ? reach : marks->room * 2;
        unsigned char *row = realloc(marks->row, room);
        if (!row) {
            return false;
        }
        marks->row = row;
        marks->room = room;
    }
    if (reach > marks->reach) {
        memset(marks->row + marks->reach, 0, reach - marks->reach);
        marks->reach = reach;
    }
    return true;
}

/* Returns the slot of the node, or the empty slot for it. */
static struct st_stray *slot_of(const struct st_marks *marks, uint32_t ordinal)
{
    size_t i = (size_t)((ordinal * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (marks->slot_count - 1);
    while (marks->strays[i].used && marks->strays[i].ordinal != ordinal) {
        i = (i + 1) & (marks->slot_count - 1);
    }
    return &marks->strays[i];
}

static bool widen_marks(struct st_marks *marks)
{
    struct st_marks wider = *marks;
    wider.slot_count = marks->slot_count ? marks->slot_count * 2 : 64;
    wider.strays = calloc(wider.slot_count, sizeof(*wider.strays));
    if (!wider.strays) {
        return false;
    }
    for (size_t i = 0; i < marks->slot_count; i++) {
        if (marks->strays[i].used) {
            *slot_of(&wider, marks->strays[i].ordinal) = marks->strays[i];
        }
    }
    free(marks->strays);
    *marks = wider;
    return true;
}

unsigned char *st_mark_of(struct st_marks *marks, uint32_t ordinal)
{
    if (ordinal < marks->reach) {
        return &marks->row[ordinal];
    }
    struct st_stray *stray = marks->slot_count ? slot_of(marks, ordinal) : NULL;
    if (!stray || (!stray->used && (marks->stray_count + 1) * 2 > marks->slot_count)) {
        if (!widen_marks(marks)) {
            return NULL;
        }
        stray = slot_of(marks, ordinal);
    }
    marks->stray_count += !stray->used;
    stray->used = true;
    stray->ordinal = ordinal;
    return &stray->mark;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t *st_marks_strays(const struct st_marks *marks, size_t *count)
{
    uint32_t *ordinals = malloc((marks->stray_count + 1) * sizeof(*ordinals));
    *count = 0;
    for (size_t i = 0; ordinals && i < marks->slot_count; i++) {
        if (marks->strays[i].used) {
            ordinals[(*count)++] = marks->strays[i].ordinal;
        }
    }
    if (ordinals) {
        qsort(ordinals, *count, sizeof(*ordinals), ascending);
    }
    return ordinals;
}
