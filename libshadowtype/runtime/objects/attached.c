/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/attached.h"

#include <string.h>

#include "runtime/objects/records.h"

/* In the order in which the memory was attached. */
enum { MOST_ATTACHED = 1024 };
static struct st_attached_memory list[MOST_ATTACHED];
static uint32_t count;
static bool is_full;   /* there was more memory: nothing is known of any */
static bool is_forgot; /* detached memory is no longer remembered */

static void remove_at(uint32_t i)
{
    memmove(&list[i], &list[i + 1], (--count - i) * sizeof list[0]);
}

/* Returns the place of the first memory in this state; `count` if there is none. */
static uint32_t first_of(enum st_attached_state state)
{
    uint32_t i = 0;
    while (i < count && list[i].state != state) {
        i++;
    }
    return i;
}

/* Removes the memory that is least needed. */
static void make_room(void)
{
    uint32_t i = first_of(ST_ATTACHED_TO_FREED);
    if (i == count) {
        i = first_of(ST_ATTACHED_BEFORE);
        is_forgot |= i < count;
    }
    if (i < count) {
        remove_at(i);
    }
}

void st_attached_add(const struct st_attached_memory *memory)
{
    if (count == MOST_ATTACHED) {
        make_room();
    }
    if (count < MOST_ATTACHED) {
        list[count++] = *memory;
    } else {
        is_full = true;
    }
}

bool st_attached_remove(uint64_t win, uint64_t from)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].win == win && list[i].from == from && list[i].state == ST_ATTACHED_NOW) {
            list[i].state = ST_ATTACHED_BEFORE;
            return true;
        }
    }
    return false;
}

void st_attached_free(uint64_t win)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].win == win && list[i].state == ST_ATTACHED_NOW) {
            list[i].state = ST_ATTACHED_TO_FREED;
        }
    }
}

bool st_attached_are_all(uint64_t win)
{
    return !is_full && st_records_find(ST_KIND_WIN, win, 0) != NULL;
}

const struct st_attached_memory *st_attached_find(uint64_t win, uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct st_attached_memory *one = &list[i];
        if (one->win == win && one->state == ST_ATTACHED_NOW && one->from < to && from < one->to) {
            return one;
        }
    }
    return NULL;
}

/* Returns the end of the memory of the window that contains this byte; 0: none does. */
static uint64_t end_of_memory(uint64_t win, uint64_t at, bool *was_there)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct st_attached_memory *one = &list[i];
        if (one->win != win || at < one->from || at >= one->to) {
            continue;
        }
        *was_there = true;
        if (one->state != ST_ATTACHED_BEFORE && one->to > end) {
            end = one->to;
        }
    }
    return end;
}

static uint64_t distance_to(const struct st_attached_memory *one, uint64_t first, uint64_t last)
{
    return one->from > last ? one->from - last : one->to <= first ? first - one->to + 1 : 0;
}

static const struct st_attached_memory *find_nearest(uint64_t win, uint64_t first, uint64_t last)
{
    const struct st_attached_memory *nearest = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].win == win &&
            (!nearest || distance_to(&list[i], first, last) <= distance_to(nearest, first, last))) {
            nearest = &list[i];
        }
    }
    return nearest;
}

/* Returns true if all bytes from..last are in memory that is attached side by side. */
static bool is_covered(uint64_t win, uint64_t from, uint64_t last, bool *was_there)
{
    while (from <= last) {
        *was_there = false;
        const uint64_t end = end_of_memory(win, from, was_there);
        if (!end) {
            return false;
        }
        from = end;
    }
    return true;
}

enum st_attachment st_attached_judge(uint64_t win, uint64_t first, uint64_t last, bool is_dense,
                                     const struct st_attached_memory **nearest)
{
    bool was_there = false;
    *nearest = NULL;
    if (!st_attached_are_all(win) || is_forgot) {
        return ST_ATTACHMENT_FITS;
    }
    if (last < first) { /* it begins at the end of the address space: in no memory */
        return ST_ATTACHMENT_NEVER;
    }
    if (is_dense ? is_covered(win, first, last, &was_there)
                 : is_covered(win, first, first, &was_there) &&
                       is_covered(win, last, last, &was_there)) {
        return ST_ATTACHMENT_FITS;
    }
    *nearest = find_nearest(win, first, last);
    return was_there ? ST_ATTACHMENT_ENDED : ST_ATTACHMENT_NEVER;
}
