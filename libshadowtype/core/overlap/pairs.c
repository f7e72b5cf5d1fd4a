/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/pairs.h"

#include <stdlib.h>
#include <string.h>

/* A pair whose parts are visited one after the other: the members of one side, or the digits of a
 * level. Its levels are in the arena. */
struct st_pair_frame {
    struct st_pair pair; /* without `levels` */
    size_t first;
    enum { DIGITS, MEMBERS_OF_X, MEMBERS_OF_Y } into;
    size_t level;
    uint64_t next, stop; /* digits or members to visit */
    uint64_t low;        /* only members that end after it can meet the other side */
};

struct st_local_run {
    struct st_pairs *pairs;
    struct st_pair_frame *frames;
    size_t depth, frame_capacity;
    struct st_joint *arena;
    size_t arena_capacity;
    bool doubtful;
};

uint64_t st_joint_x(const struct st_joint *level, uint64_t z)
{
    if (!level->nx) {
        return 0;
    }
    return z < level->nx ? z : level->nx - 1;
}

uint64_t st_joint_pairs(const struct st_joint *level, uint64_t z)
{
    if (!level->nx) {
        return 1;
    }
    uint64_t most = st_joint_x(level, z), least = z < level->ny ? 0 : z - (level->ny - 1);
    return most - least + 1;
}

static st_wide reach_of(const struct st_pair *pair)
{
    st_wide reach = 0;
    for (size_t k = 0; k < pair->count; k++) {
        reach += (st_wide)(pair->levels[k].count - 1) * pair->levels[k].stride;
    }
    return reach;
}

/* --- a pair under construction ------------------------------------------------------------------
 */

/* Makes room for `more` levels after those of the pair, which begin at `first` in the arena.
 * Returns false if there is no memory. */
static bool room(struct st_local_run *run, struct st_pair *pair, size_t first, size_t more)
{
    size_t needed = first + pair->count + more;
    if (needed > run->arena_capacity) {
        size_t capacity = run->arena_capacity;
        while (capacity < needed) {
            capacity *= 2;
        }
        struct st_joint *arena = realloc(run->arena, capacity * sizeof(*arena));
        if (!arena) {
            return false;
        }
        run->arena = arena;
        run->arena_capacity = capacity;
    }
    pair->levels = run->arena + first;
    return true;
}

static void add_level(struct st_pair *pair, uint64_t count, uint64_t stride, bool of_x)
{
    if (count == 1 || stride == 0) {
        return;
    }
    if (!of_x) {
        pair->shift -= (st_wide)(count - 1) * stride;
    }
    for (size_t k = 0; k < pair->count; k++) {
        struct st_joint *level = &pair->levels[k];
        if (level->stride == stride && level->nx && level->count == level->nx + level->ny - 1) {
            *(of_x ? &level->nx : &level->ny) += count - 1;
            level->count += count - 1;
            return;
        }
    }
    pair->levels[pair->count++] = (struct st_joint){
        .stride = stride, .count = count, .nx = of_x ? count : 1, .ny = of_x ? 1 : count};
}

/* Stores one side of the pair: its levels, and the block or list that they repeat. */
static bool put_side(struct st_local_run *run, struct st_pair *pair, size_t first,
                     const struct st_item *item, bool of_x)
{
    struct st_core *core = of_x ? &pair->x : &pair->y;
    const struct st_layout *of = item->of;
    if (!of) {
        *core = (struct st_core){.length = item->count};
        return true;
    }
    if (!room(run, pair, first, (size_t)of->level_count + 1)) {
        return false;
    }
    *core = (struct st_core){of->list, of->length};
    for (uint32_t k = 0; k < of->level_count; k++) {
        add_level(pair, of->levels[k].count, of->levels[k].stride, of_x);
    }
    add_level(pair, item->count, item->stride, of_x);
    return true;
}

static bool put_member(struct st_local_run *run, struct st_pair *pair, size_t first, bool of_x,
                       size_t index)
{
    const struct st_list *list = of_x ? pair->x.list : pair->y.list;
    struct st_item item;
    if (list->runs) {
        const struct st_run *member = &list->runs[index];
        item = (struct st_item){.at = member->from, .count = member->to - member->from};
    } else {
        item = list->items[index];
    }
    pair->shift += of_x ? (st_wide)item.at : -(st_wide)item.at;
    pair->x_at += of_x ? item.at : 0;
    return put_side(run, pair, first, &item, of_x);
}

/* Fixes the digit of a level. */
static void settle_digit(struct st_pair *pair, size_t k, uint64_t z)
{
    struct st_joint *level = &pair->levels[k];
    pair->shift += (st_wide)(z - level->from) * level->stride;
    if (level->nx) {
        pair->x_at += (st_wide)st_joint_x(level, z) * level->stride;
        pair->weight *= st_joint_pairs(level, z);
    } else {
        pair->between = z;
    }
    *level = pair->levels[--pair->count];
}

static st_wide divided_up(st_wide value, uint64_t by)
{
    return value <= 0 ? 0 : (value - 1) / by + 1;
}

/* Removes the digits by which x cannot reach y. Returns false if no digit is left. */
static bool clip_digits(struct st_pair *pair)
{
    st_wide reach = reach_of(pair);
    st_wide low = 1 - (st_wide)pair->x.length - pair->shift;
    st_wide high = (st_wide)pair->y.length - 1 - pair->shift;
    for (size_t k = pair->count; k-- > 0;) {
        struct st_joint *level = &pair->levels[k];
        if (high < 0 || low > reach) {
            return false;
        }
        st_wide others = reach - (st_wide)(level->count - 1) * level->stride;
        st_wide first = divided_up(low - others, level->stride);
        st_wide last = high / level->stride;
        last = last < level->count - 1 ? last : (st_wide)level->count - 1;
        if (first > last) {
            return false;
        }
        level->from += (uint64_t)first;
        level->count = (uint64_t)(last - first) + 1;
        pair->shift += first * level->stride;
        low -= first * level->stride;
        high -= first * level->stride;
        reach = others + (last - first) * level->stride;
        if (level->count == 1) {
            settle_digit(pair, k, level->from);
        }
    }
    return high >= 0 && low <= reach;
}

/* --- the parts of a pair ------------------------------------------------------------------------ */

static uint64_t at_least_0(st_wide value)
{
    return value < 0 ? 0 : value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

/* Returns how many members of a side can reach the other side, at most. */
static uint64_t members(const struct st_pair *pair, bool of_x, st_wide reach,
                        struct st_pair_frame *frame)
{
    const struct st_list *list = of_x ? pair->x.list : pair->y.list;
    st_wide low = of_x ? -pair->shift - reach : pair->shift;
    st_wide high = of_x ? (st_wide)pair->y.length - pair->shift
                        : (st_wide)pair->x.length + pair->shift + reach;
    frame->low = at_least_0(low);
    frame->next = st_list_next(list, 0, frame->low);
    frame->stop = st_list_before(list, at_least_0(high));
    frame->into = of_x ? MEMBERS_OF_X : MEMBERS_OF_Y;
    return frame->next < frame->stop ? frame->stop - frame->next : 0;
}

static bool push_pair(struct st_local_run *run, const struct st_pair *pair, size_t first)
{
    if (run->depth == run->frame_capacity) {
        size_t capacity = run->frame_capacity * 2;
        struct st_pair_frame *frames = realloc(run->frames, capacity * sizeof(*frames));
        if (!frames) {
            return false;
        }
        run->frames = frames;
        run->frame_capacity = capacity;
    }
    struct st_pair_frame *frame = &run->frames[run->depth++], option;
    st_wide reach = reach_of(pair);
    uint64_t least = UINT64_MAX;
    *frame = (struct st_pair_frame){.pair = *pair, .first = first};
    for (size_t k = 0; k < pair->count; k++) {
        if (pair->levels[k].count < least) {
            least = pair->levels[k].count;
            frame->into = DIGITS;
            frame->level = k;
            frame->next = pair->levels[k].from;
            frame->stop = frame->next + least;
        }
    }
    for (int of_x = 0; of_x < 2; of_x++) {
        option = *frame;
        if ((of_x ? pair->x.list : pair->y.list) && least) {
            uint64_t count = members(pair, of_x, reach, &option);
            if (count < least) {
                least = count;
                *frame = option;
            }
        }
    }
    return true;
}

/* Stores the next pair of a frame, with its levels after those of the frame. Returns false if
 * there is none. */
static bool next_pair(struct st_local_run *run, struct st_pair *pair, size_t *first,
                      bool *no_memory)
{
    struct st_pair_frame *frame = &run->frames[run->depth - 1];
    if (frame->next >= frame->stop) {
        return false;
    }
    uint64_t member = frame->next;
    *pair = frame->pair;
    *first = frame->first + pair->count;
    if (!room(run, pair, *first, 0)) {
        *no_memory = true;
        return false;
    }
    memcpy(pair->levels, run->arena + frame->first, pair->count * sizeof(*pair->levels));
    if (frame->into == DIGITS) {
        frame->next++;
        settle_digit(pair, frame->level, member);
        return true;
    }
    bool of_x = frame->into == MEMBERS_OF_X;
    frame->next = st_list_next(of_x ? pair->x.list : pair->y.list, member + 1, frame->low);
    *no_memory = !put_member(run, pair, *first, of_x, member);
    return !*no_memory;
}

/* --- deciding -----------------------------------------------------------------------------------
 */

/* Returns true if the search is over. Remembers a doubt. */
static bool over(struct st_local_run *run, enum st_verdict verdict)
{
    if (verdict == ST_UNDECIDED) {
        run->doubtful = true;
        return run->pairs->effort->steps == 0 || run->pairs->effort->doubt != ST_DOUBT_STEPS;
    }
    return verdict == ST_YES;
}

/* Compares two lists of runs with no level left, side by side. */
static enum st_verdict sweep_run(struct st_local_run *run, const struct st_pair *pair)
{
    const struct st_list *x = pair->x.list, *y = pair->y.list;
    uint64_t dx = at_least_0(pair->shift), dy = at_least_0(-pair->shift);
    size_t i = st_list_next(x, 0, dy), j = st_list_next(y, 0, dx);
    while (i < x->count && j < y->count) {
        uint64_t x_from = x->runs[i].from + dx, x_to = x->runs[i].to + dx;
        uint64_t y_from = y->runs[j].from + dy, y_to = y->runs[j].to + dy;
        if (!st_effort_spend(run->pairs->effort, 1)) {
            return ST_UNDECIDED;
        }
        if (x_to <= y_from) {
            bool near = i + 1 == x->count || x->runs[i + 1].to + dx > y_from;
            i = near ? i + 1 : st_list_next(x, i + 1, y_from - dx);
        } else if (y_to <= x_from) {
            bool near = j + 1 == y->count || y->runs[j + 1].to + dy > x_from;
            j = near ? j + 1 : st_list_next(y, j + 1, x_from - dy);
        } else {
            struct st_pair two = *pair;
            two.x = (struct st_core){.length = x_to - x_from};
            two.y = (struct st_core){.length = y_to - y_from};
            two.shift = (st_wide)x_from - y_from;
            two.x_at += x->runs[i].from;
            enum st_verdict verdict = run->pairs->visit(run->pairs, &two);
            if (over(run, verdict)) {
                return verdict;
            }
            if (x_to < y_to) {
                i++;
            } else {
                j++;
            }
        }
    }
    return ST_NO;
}

/* Returns what can be decided without a search; ST_UNDECIDED with *into set if the pair must be searched. */
static enum st_verdict look_at_pair(struct st_local_run *run, struct st_pair *pair, bool *into)
{
    *into = false;
    if (!st_effort_spend(run->pairs->effort, 1)) {
        return ST_UNDECIDED;
    }
    if (!clip_digits(pair)) {
        return ST_NO;
    }
    if (!pair->x.list && !pair->y.list && (pair->count <= 1 || !run->pairs->one_level)) {
        return run->pairs->visit(run->pairs, pair);
    }
    if (!pair->count && pair->x.list && pair->y.list && pair->x.list->runs && pair->y.list->runs) {
        return sweep_run(run, pair);
    }
    *into = true;
    return ST_UNDECIDED;
}

/* Goes back to the last frame that has a pair left, and takes it. Returns false if no frame has one,
 * or there is no memory. */
static bool onward(struct st_local_run *run, struct st_pair *pair, size_t *first, bool *no_memory)
{
    while (run->depth) {
        if (next_pair(run, pair, first, no_memory)) {
            return true;
        }
        if (*no_memory) {
            return false;
        }
        run->depth--;
    }
    return false;
}

static enum st_verdict search_pairs(struct st_local_run *run, struct st_pair *pair)
{
    size_t first = 0;
    bool no_memory = false;
    do {
        bool into;
        enum st_verdict verdict = look_at_pair(run, pair, &into);
        if (into) {
            no_memory = !push_pair(run, pair, first);
        } else if (over(run, verdict)) {
            return verdict;
        }
    } while (!no_memory && onward(run, pair, &first, &no_memory));
    if (no_memory) {
        return st_undecided(run->pairs->effort, ST_DOUBT_MEMORY);
    }
    return run->doubtful ? ST_UNDECIDED : ST_NO;
}

/* Starts with the pair x and y. The arena has room for the levels of both. */
static void begin_pair(struct st_local_run *run, struct st_pair *pair, const struct st_item *x,
                       const struct st_item *y, st_wide shift, const struct st_level *between)
{
    *pair = (struct st_pair){.shift = shift, .weight = 1, .levels = run->arena};
    if (between) {
        pair->levels[pair->count++] =
            (struct st_joint){.stride = between->stride, .count = between->count};
    }
    put_side(run, pair, 0, x, true);
    put_side(run, pair, 0, y, false);
}

static enum st_verdict run_in_memory(struct st_local_run *run, const struct st_item *x,
                                     const struct st_item *y, st_wide shift,
                                     const struct st_level *between)
{
    enum st_verdict verdict = st_undecided(run->pairs->effort, ST_DOUBT_MEMORY);
    run->arena_capacity = 64 + 2 * ST_MOST_LEVELS + 3;
    run->frame_capacity = 8;
    run->arena = malloc(run->arena_capacity * sizeof(*run->arena));
    run->frames = malloc(run->frame_capacity * sizeof(*run->frames));
    if (run->arena && run->frames) {
        struct st_pair pair;
        begin_pair(run, &pair, x, y, shift, between);
        verdict = search_pairs(run, &pair);
    }
    free(run->arena);
    free(run->frames);
    return verdict;
}

/* Two items with few levels, the usual case, are compared without allocating memory. */
enum { FEW_LEVELS = 8, FEW_JOINTS = 2 * (FEW_LEVELS + 1) + 1 };

static bool is_flat(const struct st_item *item)
{
    return !item->of || (!item->of->list && item->of->level_count <= FEW_LEVELS);
}

enum st_verdict st_pairs_run(struct st_pairs *pairs, const struct st_item *x,
                             const struct st_item *y, st_wide shift, const struct st_level *between)
{
    struct st_local_run run = {.pairs = pairs};
    if (!is_flat(x) || !is_flat(y) || pairs->one_level) {
        return run_in_memory(&run, x, y, shift, between);
    }
    struct st_joint few[FEW_JOINTS];
    struct st_pair pair;
    bool into;
    run.arena = few;
    run.arena_capacity = FEW_JOINTS;
    begin_pair(&run, &pair, x, y, shift, between);
    return look_at_pair(&run, &pair, &into);
}

enum st_verdict st_pairs_first(struct st_pairs *pairs, struct st_pair *pair)
{
    struct st_digit few[8], *digits = few;
    if (pair->count > sizeof few / sizeof *few) {
        digits = malloc(pair->count * sizeof(*digits));
        if (!digits) {
            return st_undecided(pairs->effort, ST_DOUBT_MEMORY);
        }
    }
    for (size_t k = 0; k < pair->count; k++) {
        digits[k] =
            (struct st_digit){.count = pair->levels[k].count, .stride = pair->levels[k].stride};
    }
    enum st_verdict verdict =
        st_digits_find(digits, pair->count, 1 - (st_wide)pair->x.length - pair->shift,
                       (st_wide)pair->y.length - 1 - pair->shift, pairs->effort);
    if (verdict == ST_YES) {
        while (pair->count) {
            size_t k = pair->count - 1;
            settle_digit(pair, k, pair->levels[k].from + digits[k].digit);
        }
        uint64_t skip = at_least_0(-pair->shift);
        uint64_t end = at_least_0((st_wide)pair->y.length - pair->shift);
        end = end < pair->x.length ? end : pair->x.length;
        pairs->at = (uint64_t)pair->x_at + skip;
        pairs->length = end - skip;
        pairs->between = pair->between;
    }
    if (digits != few) {
        free(digits);
    }
    return verdict;
}
