/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of strides as boxes of digits. */
#include "core/compare/boxes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 32 };

/* --- digits ----------------------------------------------------------------------------------- */

/* The distinct strides, ascending. */
struct steps {
    int64_t step[MOST_STEPS];
    uint32_t count;
};

static void add_step(struct steps *steps, int64_t step)
{
    uint32_t at = 0;
    while (at < steps->count && steps->step[at] < step) {
        at++;
    }
    if ((at < steps->count && steps->step[at] == step) || steps->count == MOST_STEPS) {
        return;
    }
    memmove(steps->step + at + 1, steps->step + at, (steps->count - at) * sizeof(*steps->step));
    steps->step[at] = step;
    steps->count++;
}

static void collect_steps(struct steps *steps, const struct st_strides *set)
{
    struct st_nest nest;
    for (size_t at = 0; st_strides_next(set, &at, &nest);) {
        for (uint32_t i = 0; i < nest.levels; i++) {
            add_step(steps, nest.level[i].stride);
        }
    }
}

/* Splits a dimension into digits, as many as there are strides that divide one another. Other
 * strides are enumerated later. */
static void split_dimension(struct st_boxes *boxes, uint32_t dim, int64_t length, int64_t stride,
                            const struct steps *steps, uint32_t most)
{
    int64_t units[ST_DIGITS] = {1};
    uint32_t count = 1;
    for (uint32_t i = 0; i < steps->count && count < most; i++) {
        int64_t unit = steps->step[i] / stride;
        if (steps->step[i] % stride == 0 && unit < length && unit > units[count - 1] &&
            unit % units[count - 1] == 0) {
            units[count++] = unit;
        }
    }
    for (uint32_t i = count; i-- > 0;) {
        int64_t radix =
            i + 1 == count ? length / units[i] + (length % units[i] != 0) : units[i + 1] / units[i];
        boxes->digit[boxes->digits++] =
            (struct st_index_digit){dim, length, stride, units[i], radix};
    }
}

static void choose_digits(struct st_boxes *boxes, const int64_t *shape, uint32_t dims,
                          const struct steps *steps)
{
    int64_t stride = 1;
    for (uint32_t d = 0; d < dims; d++) {
        stride *= shape[d];
    }
    for (uint32_t d = 0; d < dims; d++) {
        stride /= shape[d];
        split_dimension(boxes, d, shape[d], stride, steps,
                        ST_DIGITS - boxes->digits - (dims - 1 - d));
    }
}

/* Returns the index of an element in a digit's dimension, and that digit of the index. */
static int64_t index_in(const struct st_index_digit *digit, int64_t element)
{
    return element / digit->stride % digit->length;
}

static int64_t digit_of(const struct st_index_digit *digit, int64_t element)
{
    return index_in(digit, element) / digit->unit % digit->radix;
}

/* --- boxes ------------------------------------------------------------------------------------ */

static struct st_index_span *add_box(struct st_boxes *boxes)
{
    if (boxes->count == boxes->capacity) {
        size_t capacity = boxes->capacity ? boxes->capacity * 2 : 16;
        size_t bytes = capacity * (boxes->digits + 1) * sizeof(*boxes->spans);
        struct st_index_span *wider = realloc(boxes->spans, bytes);
        if (!wider) {
            return NULL;
        }
        boxes->spans = wider;
        boxes->capacity = capacity;
    }
    return boxes->spans + boxes->count++ * boxes->digits;
}

/* Adds boxes for the values of the digits first..last of dimension `dim` that are not an index:
 * those from its length on, if the length is not a multiple of the digit's unit. */
static bool add_voids(struct st_boxes *boxes, uint32_t first, uint32_t last)
{
    const struct st_index_digit *digit = boxes->digit;
    int64_t length = digit[first].length;
    for (uint32_t d = first + 1; d <= last; d++) {
        int64_t from = length / digit[d].unit % digit[d].radix + (d < last);
        if (from == digit[d].radix) {
            continue;
        }
        struct st_index_span *box = add_box(boxes);
        if (!box) {
            return false;
        }
        for (uint32_t i = 0; i < boxes->digits; i++) {
            int64_t at = length / digit[i].unit % digit[i].radix;
            box[i] = i < first || i > d ? (struct st_index_span){0, digit[i].radix}
                     : i < d            ? (struct st_index_span){at, at + 1}
                                        : (struct st_index_span){from, digit[i].radix};
        }
    }
    return true;
}

static enum st_error add_all_voids(struct st_boxes *boxes)
{
    for (uint32_t first = 0, last; first < boxes->digits; first = last + 1) {
        last = first;
        while (last + 1 < boxes->digits && boxes->digit[last + 1].dim == boxes->digit[first].dim) {
            last++;
        }
        if (boxes->digit[first].length % boxes->digit[first].unit &&
            !add_voids(boxes, first, last)) {
            return ST_NO_MEMORY;
        }
    }
    boxes->void_count = boxes->count;
    return ST_OK;
}

/* --- strides ---------------------------------------------------------------------------------- */

struct pieces {
    struct st_nest *stack;
    size_t count, capacity;
};

static bool push_piece(struct pieces *pieces, const struct st_nest *piece)
{
    if (pieces->count == pieces->capacity) {
        size_t capacity = pieces->capacity ? pieces->capacity * 2 : 16;
        struct st_nest *wider = realloc(pieces->stack, capacity * sizeof(*wider));
        if (!wider) {
            return false;
        }
        pieces->stack = wider;
        pieces->capacity = capacity;
    }
    st_nest_copy(&pieces->stack[pieces->count++], piece);
    return true;
}

/* Splits a level after its first `head` elements. */
static bool split_head(struct pieces *pieces, const struct st_nest *piece, uint32_t level,
                       int64_t head)
{
    struct st_nest first = *piece, rest = *piece;
    st_nest_set(&first, level, head);
    st_nest_behead(&rest, level, head);
    return push_piece(pieces, &rest) && push_piece(pieces, &first);
}

/* Splits a level into whole groups of `each`, and the rest. */
static bool split_groups(struct pieces *pieces, const struct st_nest *piece, uint32_t level,
                         int64_t each)
{
    struct st_nest_level whole = piece->level[level];
    int64_t groups = whole.count / each;
    if (whole.count % each) {
        return split_head(pieces, piece, level, groups * each);
    }
    struct st_nest grouped = *piece;
    if (grouped.levels == ST_NEST_LEVELS) {
        return split_head(pieces, piece, level, 1);
    }
    if (groups > 1) {
        grouped.level[grouped.levels++] = (struct st_nest_level){groups, each * whole.stride};
    }
    st_nest_set(&grouped, level, each);
    return push_piece(pieces, &grouped);
}

/* Returns the digit that counts in steps of this stride; ST_DIGITS if there is none. */
static uint32_t digit_for(const struct st_boxes *boxes, int64_t stride)
{
    for (uint32_t d = 0; d < boxes->digits; d++) {
        const struct st_index_digit *digit = &boxes->digit[d];
        if (digit->stride * digit->unit == stride && digit->radix > 1) {
            return d;
        }
    }
    return ST_DIGITS;
}

/* Splits the piece if it is not yet a box. */
static enum st_error fit_piece(const struct st_boxes *boxes, struct pieces *pieces,
                               const struct st_nest *piece, bool *fits)
{
    uint32_t of[ST_NEST_LEVELS], level_of[ST_DIGITS], longest[ST_FIELD_DIMS];
    int64_t last[ST_FIELD_DIMS];
    bool done = true;
    memset(level_of, -1, sizeof level_of);
    *fits = false;
    for (uint32_t i = 0; i < piece->levels; i++) {
        const struct st_nest_level *level = &piece->level[i];
        of[i] = digit_for(boxes, level->stride);
        if (of[i] == ST_DIGITS) {
            continue;
        }
        const struct st_index_digit *digit = &boxes->digit[of[i]];
        int64_t index = index_in(digit, piece->start), at = digit_of(digit, piece->start);
        int64_t left = (digit->length - index - 1) / digit->unit + 1;
        bool even = digit->length % digit->unit == 0;
        if (level->count > left) { /* beyond the end of this dimension */
            done = even && index < digit->unit
                       ? split_groups(pieces, piece, i, digit->length / digit->unit)
                       : split_head(pieces, piece, i, left);
            return done ? ST_OK : ST_NO_MEMORY;
        }
        if (level->count > digit->radix - at) { /* carries to the next digit */
            done = at == 0 ? split_groups(pieces, piece, i, digit->radix)
                           : split_head(pieces, piece, i, digit->radix - at);
            return done ? ST_OK : ST_NO_MEMORY;
        }
    }
    for (uint32_t d = 0; d < boxes->digits; d++) {
        last[boxes->digit[d].dim] = index_in(&boxes->digit[d], piece->start);
        longest[boxes->digit[d].dim] = ST_NEST_LEVELS;
    }
    for (uint32_t i = 0; i < piece->levels; i++) {
        if (of[i] == ST_DIGITS ||
            level_of[of[i]] != UINT32_MAX) { /* no digit for it, or used by another level: split
                                                into single elements */
            return split_head(pieces, piece, i, 1) ? ST_OK : ST_NO_MEMORY;
        }
        const struct st_index_digit *digit = &boxes->digit[of[i]];
        uint32_t *most = &longest[digit->dim];
        level_of[of[i]] = i;
        last[digit->dim] += (piece->level[i].count - 1) * digit->unit;
        if (*most == ST_NEST_LEVELS || piece->level[*most].stride < piece->level[i].stride) {
            *most = i;
        }
    }
    for (uint32_t d = 0; d < boxes->digits; d++) {
        uint32_t dim = boxes->digit[d].dim;
        if (last[dim] >= boxes->digit[d].length) { /* all levels together go beyond the end */
            return split_head(pieces, piece, longest[dim], 1) ? ST_OK : ST_NO_MEMORY;
        }
    }
    *fits = true;
    return ST_OK;
}

static enum st_error add_fitting(struct st_boxes *boxes, const struct st_nest *piece)
{
    struct st_index_span *box = add_box(boxes);
    if (!box) {
        return ST_NO_MEMORY;
    }
    for (uint32_t d = 0; d < boxes->digits; d++) {
        int64_t at = digit_of(&boxes->digit[d], piece->start);
        box[d] = (struct st_index_span){at, at + 1};
    }
    for (uint32_t i = 0; i < piece->levels; i++) {
        box[digit_for(boxes, piece->level[i].stride)].end += piece->level[i].count - 1;
    }
    return ST_OK;
}

static enum st_error add_strides(struct st_boxes *boxes, const struct st_strides *set)
{
    struct pieces pieces = {0};
    struct st_nest piece;
    enum st_error error = ST_OK;
    for (size_t at = 0; !error && st_strides_next(set, &at, &piece);) {
        error = push_piece(&pieces, &piece) ? ST_OK : ST_NO_MEMORY;
        while (!error && pieces.count) {
            bool fits;
            st_nest_copy(&piece, &pieces.stack[--pieces.count]);
            error = st_spend(boxes->work, 1) ? fit_piece(boxes, &pieces, &piece, &fits)
                                             : ST_OUT_OF_RANGE;
            if (!error && fits) {
                error = add_fitting(boxes, &piece);
            }
        }
    }
    free(pieces.stack);
    return error;
}

enum st_error st_boxes_init(struct st_boxes *boxes, const int64_t *shape, uint32_t dims,
                            const struct st_strides *sets, size_t count, uint64_t *work)
{
    struct steps steps = {0};
    *boxes = (struct st_boxes){.work = work};
    for (size_t i = 0; i < count; i++) {
        collect_steps(&steps, &sets[i]);
    }
    choose_digits(boxes, shape, dims, &steps);
    enum st_error error = add_all_voids(boxes);
    for (size_t i = 0; !error && i < count; i++) {
        error = add_strides(boxes, &sets[i]);
    }
    return error;
}

void st_boxes_deinit(struct st_boxes *boxes)
{
    free(boxes->spans);
}
