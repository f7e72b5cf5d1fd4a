/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what boxes of digits cover: a sweep over the first digit, and, in each interval of it
 * that meets the same boxes throughout, a sweep over the next digit. Adjacent intervals with the
 * same result are merged. */
#include "core/compare/boxes.h"

#include <stdlib.h>
#include <string.h>

struct open_box {
    struct st_index_span span; /* the box in this digit */
    uint32_t box;
};

/* The memory for the sweep over one digit; reused by the next one. */
struct line {
    struct open_box *sorted, *open;
    uint32_t *boxes;
    size_t capacity;
};

struct sweep {
    const struct st_boxes *boxes;
    struct st_parts *parts;
    struct line line[ST_DIGITS + 1];
};

static int by_first(const void *a, const void *b)
{
    const struct open_box *one = a, *two = b;
    return (one->span.first > two->span.first) - (one->span.first < two->span.first);
}

/* Sorts by the first digit. Boxes mostly come in this order. */
static void sort_boxes(struct open_box *boxes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (boxes[i].span.first < boxes[i - 1].span.first) {
            qsort(boxes, count, sizeof(*boxes), by_first);
            return;
        }
    }
}

static bool line_room(struct line *line, size_t count)
{
    if (count <= line->capacity) {
        return true;
    }
    free(line->sorted);
    free(line->open);
    free(line->boxes);
    line->capacity = count;
    line->sorted = malloc(count * sizeof(*line->sorted));
    line->open = malloc(count * sizeof(*line->open));
    line->boxes = malloc(count * sizeof(*line->boxes));
    return line->sorted && line->open && line->boxes;
}

/* Adds a part whose digits from `level` on are full; those before are added later. */
static enum st_error add_part(struct sweep *sweep, uint32_t level, bool in)
{
    struct st_parts *parts = sweep->parts;
    uint32_t digits = sweep->boxes->digits;
    if (parts->count == parts->capacity) {
        size_t capacity = parts->capacity ? parts->capacity * 2 : 16;
        struct st_index_span *spans =
            realloc(parts->spans, capacity * (digits + 1) * sizeof(*parts->spans));
        parts->spans = spans ? spans : parts->spans;
        bool *ins = realloc(parts->in, capacity * sizeof(*parts->in));
        parts->in = ins ? ins : parts->in;
        if (!spans || !ins) {
            return ST_NO_MEMORY;
        }
        parts->capacity = capacity;
    }
    for (uint32_t d = level; d < digits; d++) {
        parts->spans[parts->count * digits + d] =
            (struct st_index_span){0, sweep->boxes->digit[d].radix};
    }
    parts->in[parts->count++] = in;
    return ST_OK;
}

/* Handles the last digit: what the boxes that are left make of these `volume` elements. */
static enum st_error add_point(struct sweep *sweep, const uint32_t *boxes, size_t count,
                               int64_t volume)
{
    for (size_t i = 0; i < count; i++) {
        if (boxes[i] < sweep->boxes->void_count) {
            return ST_OK;
        }
    }
    sweep->parts->more += count > 1 ? volume : 0;
    return add_part(sweep, sweep->boxes->digits, count > 0);
}

/* Returns true if the parts from..middle and middle..count are equal in all digits after `level`. */
static bool same_strides(const struct sweep *sweep, uint32_t level, size_t from, size_t middle)
{
    const struct st_parts *parts = sweep->parts;
    uint32_t digits = sweep->boxes->digits;
    size_t count = middle - from;
    if (parts->count - middle != count ||
        memcmp(parts->in + from, parts->in + middle, count) != 0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct st_index_span *one = parts->spans + (from + i) * digits;
        const struct st_index_span *two = parts->spans + (middle + i) * digits;
        for (uint32_t d = level + 1; d < digits; d++) {
            if (one[d].first != two[d].first || one[d].end != two[d].end) {
                return false;
            }
        }
    }
    return true;
}

static enum st_error sweep_level(struct sweep *sweep, uint32_t level, const uint32_t *boxes,
                                 size_t count, int64_t volume);

/* Handles the interval from..to of the digit, in which the boxes of `line` are open. */
static enum st_error sweep_interval(struct sweep *sweep, uint32_t level, struct line *line,
                                    size_t open, struct st_index_span interval, int64_t volume,
                                    size_t *before)
{
    struct st_parts *parts = sweep->parts;
    uint32_t digits = sweep->boxes->digits;
    size_t begin = parts->count;
    enum st_error error;
    for (size_t i = 0; i < open; i++) {
        line->boxes[i] = line->open[i].box;
    }
    error = open ? sweep_level(sweep, level + 1, line->boxes, open,
                               volume * (interval.end - interval.first))
                 : add_part(sweep, level + 1, false);
    if (error || !st_spend(sweep->boxes->work, open + parts->count - begin + 1)) {
        return error ? error : ST_OUT_OF_RANGE;
    }
    for (size_t i = begin; i < parts->count; i++) {
        parts->spans[i * digits + level] = interval;
    }
    if (*before < begin && same_strides(sweep, level, *before, begin)) {
        for (size_t i = *before; i < begin; i++) {
            parts->spans[i * digits + level].end = interval.end;
        }
        parts->count = begin;
    } else {
        *before = begin;
    }
    return ST_OK;
}

/* Recursive: at most ST_DIGITS deep. */
static enum st_error sweep_level(struct sweep *sweep, uint32_t level, const uint32_t *boxes,
                                 size_t count, int64_t volume)
{
    uint32_t digits = sweep->boxes->digits;
    struct line *line = &sweep->line[level];
    if (level == digits) {
        return add_point(sweep, boxes, count, volume);
    }
    if (!line_room(line, count)) {
        return ST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        line->sorted[i] =
            (struct open_box){sweep->boxes->spans[boxes[i] * digits + level], boxes[i]};
    }
    sort_boxes(line->sorted, count);
    int64_t radix = sweep->boxes->digit[level].radix, at = 0;
    size_t next = 0, open = 0, before = SIZE_MAX;
    while (at < radix) {
        while (next < count && line->sorted[next].span.first <= at) {
            line->open[open++] = line->sorted[next++];
        }
        int64_t end = next < count ? line->sorted[next].span.first : radix;
        size_t still = 0;
        for (size_t i = 0; i < open; i++) {
            if (line->open[i].span.end > at) {
                end = end < line->open[i].span.end ? end : line->open[i].span.end;
                line->open[still++] = line->open[i];
            }
        }
        open = still;
        enum st_error error = sweep_interval(sweep, level, line, open,
                                             (struct st_index_span){at, end}, volume, &before);
        if (error) {
            return error;
        }
        at = end;
    }
    return ST_OK;
}

enum st_error st_boxes_sweep(const struct st_boxes *boxes, struct st_parts *parts)
{
    struct sweep sweep = {.boxes = boxes, .parts = parts};
    uint32_t *all = malloc((boxes->count + 1) * sizeof(*all));
    enum st_error error = all ? ST_OK : ST_NO_MEMORY;
    *parts = (struct st_parts){0};
    for (size_t i = 0; all && i < boxes->count; i++) {
        all[i] = (uint32_t)i;
    }
    if (!error) {
        error = boxes->count ? sweep_level(&sweep, 0, all, boxes->count, 1)
                             : add_part(&sweep, 0, false);
    }
    for (uint32_t d = 0; d <= boxes->digits; d++) {
        free(sweep.line[d].sorted);
        free(sweep.line[d].open);
        free(sweep.line[d].boxes);
    }
    free(all);
    return error;
}

void st_parts_deinit(struct st_parts *parts)
{
    free(parts->spans);
    free(parts->in);
}
