/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/window.h"

#include <stdlib.h>

/* Copies next..end-1 of a layout, or members of a list. */
struct st_window_frame {
    const struct st_layout *of;
    const struct st_list *list; /* NULL: copies of `of` without its levels from `below` on */
    uint64_t at;                /* of copy 0, or of the list */
    uint64_t stride, next, end;
    uint32_t below;
};

void st_window_init(struct st_window *window, const struct st_buffer *buffer, uint64_t low,
                    uint64_t high)
{
    *window = (struct st_window){.item = buffer->item, .low = low, .high = high};
    window->item.at = 0;
    if (high > buffer->span) {
        window->high = buffer->span;
    }
    if (window->low >= window->high) {
        window->begun = true; /* begun, and at the end */
    }
}

void st_window_deinit(struct st_window *window)
{
    free(window->frames);
    window->frames = NULL;
}

static bool push_frame(struct st_window *window, struct st_window_frame frame)
{
    if (frame.next >= frame.end) {
        return true;
    }
    if (window->depth == window->capacity) {
        size_t capacity = window->capacity ? 2 * window->capacity : 16;
        struct st_window_frame *frames =
            realloc(window->frames, capacity * sizeof(*window->frames));
        if (!frames) {
            return false;
        }
        window->frames = frames;
        window->capacity = capacity;
    }
    window->frames[window->depth++] = frame;
    return true;
}

/* Returns those of `count` copies, of so many bytes each, that meet the window. */
static struct st_window_frame copies(const struct st_window *window, uint64_t at, uint64_t count,
                                     uint64_t stride, uint64_t span)
{
    struct st_window_frame frame = {.at = at, .stride = stride, .end = count};
    if (at >= window->high) {
        frame.end = 0;
    } else if (count > 1 && stride) {
        uint64_t before_high = (window->high - 1 - at) / stride + 1;
        frame.end = count < before_high ? count : before_high;
    }
    if (at + span <= window->low) {
        frame.next = count > 1 && stride ? (window->low - at - span) / stride + 1 : 1;
    }
    return frame;
}

/* Returns the span of the innermost levels of a layout. */
static uint64_t span_of(const struct st_layout *of, uint32_t levels)
{
    uint64_t span = of->length;
    for (uint32_t k = 0; k < levels; k++) {
        span += (of->levels[k].count - 1) * of->levels[k].stride;
    }
    return span;
}

static bool cut_run(const struct st_window *window, uint64_t from, uint64_t to, struct st_run *run)
{
    run->from = from < window->low ? window->low : from;
    run->to = to > window->high ? window->high : to;
    return run->from < run->to;
}

/* Enters a layout on its innermost `levels` levels. Returns ST_YES if it is a block, which is then
 * in *run. */
static enum st_verdict enter_layout(struct st_window *window, const struct st_layout *of,
                                    uint32_t levels, uint64_t at, struct st_effort *effort,
                                    struct st_run *run)
{
    struct st_window_frame frame;
    if (levels) {
        const struct st_level *level = &of->levels[levels - 1];
        frame = copies(window, at, level->count, level->stride, span_of(of, levels - 1));
        frame.of = of;
        frame.below = levels - 1;
    } else if (of->list) {
        uint64_t high = window->high > at ? window->high - at : 0;
        frame = (struct st_window_frame){
            .list = of->list, .at = at, .end = st_list_before(of->list, high)};
    } else {
        return cut_run(window, at, at + of->length, run) ? ST_YES : ST_NO;
    }
    return push_frame(window, frame) ? ST_NO : st_undecided(effort, ST_DOUBT_MEMORY);
}

static enum st_verdict enter_item(struct st_window *window, const struct st_item *item, uint64_t at,
                                  struct st_effort *effort, struct st_run *run)
{
    if (!item->of) {
        return cut_run(window, at, at + item->count, run) ? ST_YES : ST_NO;
    }
    if (item->count == 1) {
        return enter_layout(window, item->of, item->of->level_count, at, effort, run);
    }
    struct st_window_frame frame = copies(window, at, item->count, item->stride, item->of->span);
    frame.of = item->of;
    frame.below = item->of->level_count;
    return push_frame(window, frame) ? ST_NO : st_undecided(effort, ST_DOUBT_MEMORY);
}

/* Enters the next member of a list that meets the window. */
static enum st_verdict next_member(struct st_window *window, struct st_effort *effort,
                                   struct st_run *run)
{
    struct st_window_frame *top = &window->frames[window->depth - 1];
    const struct st_list *list = top->list;
    uint64_t at = top->at, low = window->low > at ? window->low - at : 0;
    size_t index = st_list_next(list, (size_t)top->next, low);
    top->next = index + 1;
    if (index >= top->end) {
        top->next = top->end;
        return ST_NO;
    }
    if (list->runs) {
        return cut_run(window, at + list->runs[index].from, at + list->runs[index].to, run) ? ST_YES
                                                                                            : ST_NO;
    }
    const struct st_item *item = &list->items[index];
    return enter_item(window, item, at + item->at, effort, run);
}

enum st_verdict st_window_next(struct st_window *window, struct st_effort *effort,
                               struct st_run *run)
{
    enum st_verdict found = ST_NO;
    if (!window->begun) {
        window->begun = true;
        found = enter_item(window, &window->item, 0, effort, run);
    }
    while (found == ST_NO && window->depth) {
        struct st_window_frame *top = &window->frames[window->depth - 1];
        if (top->next == top->end) {
            window->depth--;
        } else if (!st_effort_spend(effort, 1)) {
            return ST_UNDECIDED;
        } else if (top->list) {
            found = next_member(window, effort, run);
        } else {
            uint64_t at = top->at + top->next++ * top->stride;
            found = enter_layout(window, top->of, top->below, at, effort, run);
        }
    }
    return found;
}
