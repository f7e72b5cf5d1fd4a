/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/digits.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/overlap/euclid.h"

enum { FEW_LEVELS = 12, FEW_STEPS = 16 };

struct st_local_level {
    uint64_t stride, count;
    size_t id; /* which digit; after merging, the one with the smaller stride */
};

/* A simplification of the problem, recorded so that the digits of the whole can be computed from
 * those of the rest. */
struct st_local_step {
    enum {
        CLIPPED, /* digits below `digit` are impossible: the level now counts from there */
        SCALED,  /* all strides were divided by their common divisor, `stride` */
        MELTED,  /* a stride not wider than the range was removed: the range now begins at low -
                   (count - 1) * stride */
        MERGED,  /* `other` steps by `digit` digits of `level`, which has at least as many */
        FIXED    /* the digit is `digit` */
    } what;
    size_t level, other;
    uint64_t stride, count, digit;
    st_wide low;
};

struct st_problem {
    struct st_local_level *levels;
    size_t count;
    st_wide low, high;
};

struct st_digit_search {
    struct st_local_step *steps;
    size_t count, capacity;
    const struct st_local_step *few; /* the first array, which is not allocated */
    struct st_effort *effort;
    bool no_memory;
};

static void note_step(struct st_digit_search *search, struct st_local_step step)
{
    if (search->count == search->capacity) {
        size_t capacity = search->capacity * 2;
        struct st_local_step *more = malloc(capacity * sizeof(*more));
        if (!more) {
            search->no_memory = true;
            return;
        }
        memcpy(more, search->steps, search->count * sizeof(*more));
        if (search->steps != search->few) {
            free(search->steps);
        }
        search->steps = more;
        search->capacity = capacity;
    }
    search->steps[search->count++] = step;
}

static st_wide divided_up(st_wide value, uint64_t by)
{
    return value <= 0 ? -(-value / by) : (value - 1) / by + 1;
}

static st_wide divided_down(st_wide value, uint64_t by)
{
    return value >= 0 ? value / by : -((-value - 1) / by) - 1;
}

static void drop_level(struct st_problem *problem, size_t k)
{
    problem->levels[k] = problem->levels[--problem->count];
}

static st_wide reach_of(const struct st_problem *problem)
{
    st_wide reach = 0;
    for (size_t k = 0; k < problem->count; k++) {
        reach += (st_wide)(problem->levels[k].count - 1) * problem->levels[k].stride;
    }
    return reach;
}

/* Removes digits that the other levels cannot compensate. Returns true if a level has one digit left. */
static bool clip_levels(struct st_digit_search *search, struct st_problem *problem, st_wide reach)
{
    bool changed = false;
    for (size_t k = problem->count; k-- > 0;) {
        struct st_local_level *level = &problem->levels[k];
        st_wide others = reach - (st_wide)(level->count - 1) * level->stride;
        if (problem->high < 0) {
            return false;
        }
        st_wide last = problem->high / level->stride;
        if (last < level->count - 1) {
            level->count = (uint64_t)last + 1;
        }
        st_wide first = divided_up(problem->low - others, level->stride);
        if (first > level->count - 1) {
            problem->high = -1;
            return false;
        }
        if (first > 0) {
            note_step(search, (struct st_local_step){.what = CLIPPED,
                                                     .level = level->id,
                                                     .stride = level->stride,
                                                     .digit = (uint64_t)first});
            level->count -= (uint64_t)first;
            problem->low -= first * level->stride;
            problem->high -= first * level->stride;
        }
        reach = others + (st_wide)(level->count - 1) * level->stride;
        if (level->count == 1) {
            drop_level(problem, k);
            changed = true;
        }
    }
    return changed;
}

static bool scale_problem(struct st_digit_search *search, struct st_problem *problem)
{
    uint64_t by = 0;
    for (size_t k = 0; k < problem->count && by != 1; k++) {
        by = st_gcd(problem->levels[k].stride, by);
    }
    if (by <= 1) {
        return false;
    }
    note_step(search, (struct st_local_step){.what = SCALED, .stride = by});
    for (size_t k = 0; k < problem->count; k++) {
        problem->levels[k].stride /= by;
    }
    problem->low = divided_up(problem->low, by);
    problem->high = divided_down(problem->high, by);
    return true;
}

/* Removes a level whose stride is not wider than the range: it fills the range, so that only the
 * sum of the others matters. */
static bool melt_digits(struct st_digit_search *search, struct st_problem *problem)
{
    bool changed = false;
    for (size_t k = problem->count; k-- > 0;) {
        struct st_local_level *level = &problem->levels[k];
        if (level->stride > problem->high - problem->low + 1) {
            continue;
        }
        note_step(search, (struct st_local_step){.what = MELTED,
                                                 .level = level->id,
                                                 .stride = level->stride,
                                                 .low = problem->low});
        problem->low -= (st_wide)(level->count - 1) * level->stride;
        drop_level(problem, k);
        changed = true;
        k = problem->count; /* start again: the range is wider now */
    }
    return changed;
}

/* Merges two levels: x * u + y * v, with v a multiple of u and at least v / u digits x, takes all
 * multiples of u in a row. */
static bool merge_digits(struct st_digit_search *search, struct st_problem *problem)
{
    for (size_t j = 0; j < problem->count; j++) {
        for (size_t i = 0; i < problem->count; i++) {
            struct st_local_level *one = &problem->levels[i], *other = &problem->levels[j];
            uint64_t more;
            if (i == j || other->stride < one->stride || other->stride % one->stride ||
                other->stride / one->stride > one->count ||
                __builtin_mul_overflow(other->stride / one->stride, other->count - 1, &more) ||
                __builtin_add_overflow(one->count, more, &more)) {
                continue;
            }
            note_step(search, (struct st_local_step){.what = MERGED,
                                                     .level = one->id,
                                                     .other = other->id,
                                                     .count = other->count,
                                                     .digit = other->stride / one->stride});
            one->count = more;
            drop_level(problem, j);
            return true;
        }
    }
    return false;
}

/* Applies all exact simplifications. Returns ST_UNDECIDED if two or more levels are left, whose
 * strides do not divide one another. */
static enum st_verdict reduce_problem(struct st_digit_search *search, struct st_problem *problem)
{
    bool changed = true;
    while (changed) {
        st_wide reach = reach_of(problem);
        if (problem->low > problem->high || problem->high < 0 || problem->low > reach) {
            return ST_NO;
        }
        if (problem->count == 0) {
            return ST_YES;
        }
        problem->low = problem->low < 0 ? 0 : problem->low;
        problem->high = problem->high > reach ? reach : problem->high;
        changed = clip_levels(search, problem, reach);
        if (problem->high < problem->low) {
            return ST_NO;
        }
        changed |= scale_problem(search, problem);
        changed |= melt_digits(search, problem);
        changed |= merge_digits(search, problem);
    }
    return ST_UNDECIDED;
}

/* Solves two levels with Euclid's algorithm. Either few multiples of the smaller stride are in
 * question, or few of the other; the first that fits is computed directly. */
static bool find_two(struct st_digit_search *search, const struct st_problem *problem)
{
    size_t a = problem->levels[0].stride < problem->levels[1].stride ? 0 : 1;
    const struct st_local_level *small = &problem->levels[a], *large = &problem->levels[1 - a];
    uint64_t width = (uint64_t)(problem->high - problem->low); /* is less than small->stride */
    st_wide first =
        divided_up(problem->low - (st_wide)(small->count - 1) * small->stride, large->stride);
    st_wide last = problem->high / large->stride;
    first = first < 0 ? 0 : first;
    last = last < large->count - 1 ? last : (st_wide)(large->count - 1);
    if (first > last) {
        return false;
    }
    uint64_t m = small->stride, y;
    uint64_t rest = (uint64_t)((problem->high - first * large->stride) % m);
    if (!st_first_hit(m - large->stride % m, rest, m, 0, width, (uint64_t)(last - first), &y)) {
        return false;
    }
    y += (uint64_t)first;
    uint64_t x = (uint64_t)((problem->high - (st_wide)y * large->stride) / m);
    note_step(search, (struct st_local_step){FIXED, .level = large->id, .stride = large->stride,
                                             .digit = y});
    note_step(search, (struct st_local_step){FIXED, .level = small->id, .stride = small->stride,
                                             .digit = x});
    return true;
}

/* A level whose digits are tried one after the other. The other levels are in the arena. */
struct st_digit_frame {
    struct st_problem problem;
    size_t k, steps;
    uint64_t divisor; /* common divisor of the other levels' strides */
    uint64_t next;    /* the digit to try next */
};

static uint64_t divisor_without(const struct st_problem *problem, size_t k)
{
    uint64_t divisor = 0;
    for (size_t i = 0; i < problem->count && divisor != 1; i++) {
        divisor = i == k ? divisor : st_gcd(problem->levels[i].stride, divisor);
    }
    return divisor;
}

/* Chooses the level with the fewest digits to try. */
static void choose_digit(struct st_digit_frame *frame)
{
    const struct st_problem *problem = &frame->problem;
    st_wide width = problem->high - problem->low + 1, least = -1;
    for (size_t k = 0; k < problem->count; k++) {
        uint64_t divisor = divisor_without(problem, k);
        st_wide tries = problem->levels[k].count;
        if (divisor > width) {
            tries = tries * width / divisor;
        }
        if (least < 0 || tries < least) {
            least = tries;
            frame->k = k;
            frame->divisor = divisor;
        }
    }
    frame->next = 0;
}

/* Finds the next digit of the frame's level whose remainder can fit. Returns false if there is
 * none. */
static bool next_digit(struct st_digit_frame *frame)
{
    const struct st_problem *problem = &frame->problem;
    const struct st_local_level *level = &problem->levels[frame->k];
    st_wide width = problem->high - problem->low + 1;
    if (frame->next >= level->count) {
        return false;
    }
    if (width >= frame->divisor) {
        return true;
    }
    st_wide left = (problem->high - (st_wide)frame->next * level->stride) % frame->divisor;
    uint64_t rest = (uint64_t)(left < 0 ? left + frame->divisor : left), skip;
    if (!st_first_hit(frame->divisor - level->stride % frame->divisor, rest, frame->divisor, 0,
                      (uint64_t)width - 1, level->count - 1 - frame->next, &skip)) {
        return false;
    }
    frame->next += skip;
    return true;
}

/* Fixes the next digit: makes a new problem of the other levels. */
static struct st_problem fixed(struct st_digit_search *search, struct st_digit_frame *frame,
                               struct st_local_level *room)
{
    const struct st_problem *problem = &frame->problem;
    const struct st_local_level *level = &problem->levels[frame->k];
    st_wide part = (st_wide)frame->next * level->stride;
    struct st_problem below = {room, problem->count - 1, problem->low - part, problem->high - part};
    memcpy(room, problem->levels, frame->k * sizeof(*room));
    memcpy(room + frame->k, problem->levels + frame->k + 1,
           (problem->count - frame->k - 1) * sizeof(*room));
    search->count = frame->steps;
    note_step(search, (struct st_local_step){FIXED, .level = level->id, .stride = level->stride,
                                             .digit = frame->next});
    frame->next++;
    return below;
}

static enum st_verdict search_frames(struct st_digit_search *search, struct st_digit_frame *frames)
{
    size_t depth = 1;
    while (depth) {
        struct st_digit_frame *frame = &frames[depth - 1];
        if (!next_digit(frame)) {
            depth--;
            continue;
        }
        if (!st_effort_spend(search->effort, 1)) {
            return ST_UNDECIDED;
        }
        struct st_local_level *room = frame->problem.levels + frame->problem.count;
        struct st_problem below = fixed(search, frame, room);
        enum st_verdict verdict = reduce_problem(search, &below);
        if (verdict == ST_UNDECIDED && below.count == 2) {
            verdict = find_two(search, &below) ? ST_YES : ST_NO;
        }
        if (search->no_memory) {
            return st_undecided(search->effort, ST_DOUBT_MEMORY);
        }
        if (verdict == ST_YES) {
            return ST_YES;
        }
        if (verdict == ST_UNDECIDED) {
            frames[depth] = (struct st_digit_frame){.problem = below, .steps = search->count};
            choose_digit(&frames[depth++]);
        }
    }
    return ST_NO;
}

static enum st_verdict try_digits(struct st_digit_search *search, const struct st_problem *problem)
{
    size_t count = problem->count;
    struct st_digit_frame *frames = malloc(count * sizeof(*frames));
    struct st_local_level *room = malloc((count + 1) * count / 2 * sizeof(*room));
    enum st_verdict verdict = st_undecided(search->effort, ST_DOUBT_MEMORY);
    if (frames && room) {
        memcpy(room, problem->levels, count * sizeof(*room));
        frames[0] = (struct st_digit_frame){.problem = *problem, .steps = search->count};
        frames[0].problem.levels = room;
        choose_digit(&frames[0]);
        verdict = search_frames(search, frames);
    }
    free(frames);
    free(room);
    return verdict;
}

/* Computes the digits of the whole from those of the rest, by going through the steps backwards.
 * `sum` is what the digits so far add up to. */
static void read_back(const struct st_digit_search *search, struct st_digit *digits)
{
    st_wide sum = 0;
    for (size_t i = search->count; i-- > 0;) {
        const struct st_local_step *step = &search->steps[i];
        uint64_t *digit = &digits[step->level].digit;
        uint64_t whole;
        switch (step->what) {
        case SCALED:
            sum *= step->stride;
            break;
        case CLIPPED:
        case FIXED:
            *digit += step->digit;
            sum += (st_wide)step->digit * step->stride;
            break;
        case MELTED:
            if (sum < step->low) {
                *digit = (uint64_t)divided_up(step->low - sum, step->stride);
                sum += (st_wide)*digit * step->stride;
            }
            break;
        case MERGED:
            whole = *digit / step->digit;
            whole = whole < step->count ? whole : step->count - 1;
            digits[step->other].digit = whole;
            *digit -= whole * step->digit;
            break;
        }
    }
}

enum st_verdict st_digits_find(struct st_digit *digits, size_t count, st_wide low, st_wide high,
                               struct st_effort *effort)
{
    struct st_local_step few_steps[FEW_STEPS];
    struct st_digit_search search = {few_steps, 0, FEW_STEPS, few_steps, effort, false};
    struct st_local_level few[FEW_LEVELS];
    struct st_problem problem = {few, 0, low, high};
    if (count > FEW_LEVELS) {
        problem.levels = malloc(count * sizeof(*problem.levels));
        if (!problem.levels) {
            return st_undecided(effort, ST_DOUBT_MEMORY);
        }
    }
    for (size_t k = 0; k < count; k++) {
        digits[k].digit = 0;
        if (digits[k].count > 1) {
            problem.levels[problem.count++] =
                (struct st_local_level){digits[k].stride, digits[k].count, k};
        }
    }
    struct st_local_level *levels = problem.levels;
    enum st_verdict verdict = reduce_problem(&search, &problem);
    if (verdict == ST_UNDECIDED) {
        if (problem.count == 2) {
            verdict = find_two(&search, &problem) ? ST_YES : ST_NO;
        } else {
            verdict = try_digits(&search, &problem);
        }
    }
    if (search.no_memory) {
        verdict = st_undecided(effort, ST_DOUBT_MEMORY);
    }
    if (verdict == ST_YES) {
        read_back(&search, digits);
    }
    if (search.steps != few_steps) {
        free(search.steps);
    }
    if (levels != few) {
        free(levels);
    }
    return verdict;
}
