/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/strided.h"

#include <stdlib.h>
#include <string.h>

#include "core/overlap/overlap_internal.h"

/* A list whose members are visited. Its levels are in the walk's array. */
struct st_list_frame {
    const struct st_list *list;
    uint64_t at;
    size_t next, levels;
};

struct st_list_walk {
    struct st_list_frame *frames;
    size_t depth, frame_capacity;
    struct st_level *levels;
    size_t level_capacity;
};

static bool enough(struct st_list_walk *walk, size_t levels)
{
    if (walk->depth == walk->frame_capacity) {
        size_t capacity = walk->frame_capacity ? 2 * walk->frame_capacity : 8;
        struct st_list_frame *frames = realloc(walk->frames, capacity * sizeof(*frames));
        if (!frames) {
            return false;
        }
        walk->frames = frames;
        walk->frame_capacity = capacity;
    }
    if (levels > walk->level_capacity) {
        size_t capacity = 2 * levels + 8;
        struct st_level *more = realloc(walk->levels, capacity * sizeof(*more));
        if (!more) {
            return false;
        }
        walk->levels = more;
        walk->level_capacity = capacity;
    }
    return true;
}

/* Adds the levels of an item after the `outer` ones. */
static size_t add_levels(struct st_list_walk *walk, size_t outer, const struct st_item *item)
{
    if (item->count > 1) {
        walk->levels[outer++] = (struct st_level){item->count, item->stride};
    }
    for (uint32_t k = item->of->level_count; k-- > 0;) {
        walk->levels[outer++] = item->of->levels[k];
    }
    return outer;
}

/* Calls `each` for a block, or enters a list. */
static enum st_error enter_item(struct st_list_walk *walk, const struct st_item *item, uint64_t at,
                                size_t levels, bool *more,
                                bool (*each)(void *context, const struct st_strided *block),
                                void *context)
{
    struct st_strided block = {.at = at, .length = item->count, .level_count = levels};
    if (item->of) {
        if (!enough(walk, levels + item->of->level_count + 1)) {
            return ST_NO_MEMORY;
        }
        block.length = item->of->length;
        block.level_count = add_levels(walk, levels, item);
        if (item->of->list) {
            walk->frames[walk->depth++] =
                (struct st_list_frame){item->of->list, at, 0, block.level_count};
            return ST_OK;
        }
    }
    block.levels = walk->levels;
    *more = each(context, &block);
    return ST_OK;
}

static struct st_item member(const struct st_list *list, size_t i)
{
    return list->runs ? (struct st_item){.at = list->runs[i].from,
                                         .count = list->runs[i].to - list->runs[i].from}
                      : list->items[i];
}

enum st_error st_strided_each(const struct st_buffer *buffer, struct st_effort *effort,
                              bool (*each)(void *context, const struct st_strided *block),
                              void *context)
{
    struct st_list_walk walk = {0};
    bool more = buffer->span != 0;
    enum st_error error =
        more ? enter_item(&walk, &buffer->item, 0, 0, &more, each, context) : ST_OK;
    while (!error && more && walk.depth) {
        struct st_list_frame *top = &walk.frames[walk.depth - 1];
        if (!st_effort_goes_on(effort, 1)) {
            error = ST_INTERRUPTED;
        } else if (top->next == top->list->count) {
            walk.depth--;
        } else {
            struct st_item item = member(top->list, top->next++);
            error = enter_item(&walk, &item, top->at + item.at, top->levels, &more, each, context);
        }
    }
    free(walk.frames);
    free(walk.levels);
    return error;
}

/* Returns true if the blocks obviously have gaps between them. */
static bool with_gaps(const struct st_item *item)
{
    const struct st_layout *of = item->of;
    uint64_t span = of ? of->length : 0;
    for (uint32_t k = 0; of && k < of->level_count; k++) {
        if (of->levels[k].stride <= span) {
            return false;
        }
        span += (of->levels[k].count - 1) * of->levels[k].stride;
    }
    return !of || ((!of->list || of->list->runs) && (item->count == 1 || item->stride > span));
}

bool st_strided_pieces(const struct st_buffer *buffer, struct st_effort *effort, uint64_t *pieces)
{
    struct st_buffer unfolded;
    const struct st_layout *runs;
    *pieces = 0;
    if (buffer->doubt) {
        return false;
    }
    if (!buffer->span) {
        return true;
    }
    if (with_gaps(&buffer->item)) {
        *pieces = st_item_parts(&buffer->item);
        return *pieces != UINT64_MAX;
    }
    if (!st_buffer_unfold(buffer, &unfolded, &runs, effort)) {
        return false;
    }
    *pieces = runs->parts;
    st_layout_release(runs);
    return true;
}
