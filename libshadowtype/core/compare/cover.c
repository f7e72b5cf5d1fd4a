/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/compare/cover.h"

#include <stdlib.h>

#include "core/compare/boxes.h"

/* --- from digits back to indices -------------------------------------------------------------- */

/* Returns the digits first..last, those of one dimension, as a range of indices. */
static struct st_index_range range_of(const struct st_index_digit *digit,
                                      const struct st_index_span *span, uint32_t first,
                                      uint32_t last)
{
    struct st_index_range range = {.count = 1, .step = 1, .run = 1};
    struct st_nest_level levels[ST_DIGITS]; /* innermost first; two that form one are merged */
    uint32_t count = 0;
    for (uint32_t d = last + 1; d-- > first;) {
        int64_t length = span[d].end - span[d].first;
        range.first += span[d].first * digit[d].unit;
        range.last += (span[d].end - 1) * digit[d].unit;
        if (length == 1) {
            continue;
        }
        struct st_nest_level *below = count ? &levels[count - 1] : NULL;
        if (below && below->count * below->stride == digit[d].unit) {
            below->count *= length;
        } else {
            levels[count++] = (struct st_nest_level){length, digit[d].unit};
        }
    }
    uint32_t at = 0;
    if (at < count && levels[at].stride == 1) {
        range.run = levels[at++].count;
    }
    if (at < count) {
        range.count = levels[at].count;
        range.step = levels[at++].stride;
    }
    if (at < count) {
        range.count = 0;
    }
    return range;
}

struct shown {
    struct st_cover_part *part;
    struct st_index_range dim[ST_FIELD_DIMS]; /* the last range; may still grow */
    bool any;
};

static void show_range(struct shown *shown, uint32_t dims)
{
    if (shown->any) {
        if (shown->part->boxes < ST_COVER_BOXES) {
            for (uint32_t d = 0; d < dims; d++) {
                shown->part->box[shown->part->boxes].dim[d] = shown->dim[d];
            }
        }
        shown->part->boxes++;
    }
    shown->any = false;
}

static bool same_range(const struct st_index_range *a, const struct st_index_range *b)
{
    return a->first == b->first && a->last == b->last && a->count == b->count &&
           a->step == b->step && a->run == b->run;
}

/* Returns true if `next` continues the last box: all dimensions but one are equal, and in that one
 * the next run follows the last, or is one step after it. */
static bool continues_range(struct shown *shown, const struct st_index_range *next, uint32_t dims)
{
    uint32_t differs = dims;
    for (uint32_t d = 0; d < dims; d++) {
        if (!same_range(&shown->dim[d], &next[d])) {
            if (differs != dims) {
                return false;
            }
            differs = d;
        }
    }
    if (differs == dims) {
        return false;
    }
    struct st_index_range *one = &shown->dim[differs];
    const struct st_index_range *two = &next[differs];
    if (one->count == 1 && two->count == 1 && one->last + 1 == two->first) {
        one->run += two->run;
    } else if (one->count > 1 && two->count && one->run == two->run &&
               two->first == one->first + one->count * one->step &&
               (two->count == 1 || two->step == one->step)) {
        one->count += two->count;
    } else {
        return false;
    }
    one->last = two->last;
    return true;
}

static void add_shown(struct shown *shown, const struct st_boxes *boxes, uint32_t dims,
                      const struct st_index_span *span)
{
    struct st_index_range ranges[ST_FIELD_DIMS];
    int64_t elements = 1;
    for (uint32_t first = 0, last; first < boxes->digits; first = last + 1) {
        for (last = first;
             last + 1 < boxes->digits && boxes->digit[last + 1].dim == boxes->digit[first].dim;
             last++) {
        }
        ranges[boxes->digit[first].dim] = range_of(boxes->digit, span, first, last);
    }
    for (uint32_t d = 0; d < boxes->digits; d++) {
        elements *= span[d].end - span[d].first;
    }
    shown->part->elements += elements;
    if (shown->any && continues_range(shown, ranges, dims)) {
        return;
    }
    show_range(shown, dims);
    for (uint32_t d = 0; d < dims; d++) {
        shown->dim[d] = ranges[d];
    }
    shown->any = true;
}

enum st_error st_cover(const int64_t *shape, uint32_t dims, const struct st_strides *sets,
                       size_t count, uint64_t *work, struct st_cover *cover)
{
    struct st_boxes boxes;
    struct st_parts parts = {0};
    *cover = (struct st_cover){0};
    enum st_error error = st_boxes_init(&boxes, shape, dims, sets, count, work);
    error = error ? error : st_boxes_sweep(&boxes, &parts);
    if (!error) {
        struct shown in = {.part = &cover->in}, out = {.part = &cover->out};
        for (size_t i = 0; i < parts.count; i++) {
            add_shown(parts.in[i] ? &in : &out, &boxes, dims, parts.spans + i * boxes.digits);
        }
        show_range(&in, dims);
        show_range(&out, dims);
        cover->more = parts.more;
    }
    st_parts_deinit(&parts);
    st_boxes_deinit(&boxes);
    return error;
}
