/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/self_overlap.h"

#include <stdlib.h>

#include "core/layout/bottom_up.h"
#include "core/overlap/copies.h"
#include "core/layout/layout_make.h"

/* Watches how the layout of a type is made of bases that name no byte twice. */
struct st_local_check {
    struct st_watch watch;
    const struct st_layouts *layouts;
    const struct st_type *type;
    struct st_effort *effort;
    bool found, doubtful;
    int64_t at;
};

static void found(struct st_local_check *check, int64_t at)
{
    if (!check->found) {
        check->found = true;
        check->at = at;
    }
}

/* Returns ST_OK to continue. A doubt is one of the whole type, unless an overlap is found. */
static enum st_error weigh_verdict(struct st_local_check *check, enum st_verdict verdict,
                                   int64_t at)
{
    if (verdict == ST_YES) {
        found(check, at);
    } else if (verdict == ST_UNDECIDED) {
        check->doubtful = true;
        return check->effort->doubt == ST_DOUBT_INTERRUPTED ? ST_INTERRUPTED
               : check->effort->doubt == ST_DOUBT_MEMORY    ? ST_NO_MEMORY
                                                            : ST_OK;
    }
    return ST_OK;
}

static enum st_error watch_repeated(struct st_watch *watch, const struct st_layout *of,
                                    int64_t count, int64_t stride)
{
    struct st_local_check *check = (struct st_local_check *)watch;
    struct st_copies copies = {0};
    if (check->found || of->doubt) {
        return ST_OK;
    }
    enum st_verdict verdict =
        st_copies_overlap(of, (uint64_t)count, stride, check->effort, &copies);
    return weigh_verdict(check, verdict, copies.at);
}

static void watch_shifted(struct st_watch *watch, int64_t by)
{
    struct st_local_check *check = (struct st_local_check *)watch;
    if (check->found) {
        check->at = (int64_t)((uint64_t)check->at + (uint64_t)by);
    }
}

/* --- unions ------------------------------------------------------------------------------------
 */

/* The result for the last copies of one layout. */
struct st_last_copies {
    const struct st_layout *of;
    int64_t stride;
    uint64_t apart; /* 0: no copies share a byte */
    int64_t at;
};

/* Checks the copies within each entry. There are many entries, but few layouts. */
static enum st_error within_placed(struct st_local_check *check, const struct st_placed *placed,
                                   size_t count)
{
    struct st_last_copies last = {0};
    for (size_t i = 0; i < count && !check->found; i++) {
        const struct st_placed *entry = &placed[i];
        if (entry->count < 2 || entry->of->doubt || st_layout_empty(entry->of)) {
            continue;
        }
        if (last.of != entry->of || last.stride != entry->stride) {
            struct st_copies copies = {0};
            enum st_verdict verdict =
                st_copies_overlap(entry->of, INT64_MAX, entry->stride, check->effort, &copies);
            enum st_error error =
                verdict == ST_UNDECIDED ? weigh_verdict(check, verdict, 0) : ST_OK;
            if (error) {
                return error;
            }
            last = (struct st_last_copies){entry->of, entry->stride,
                                           verdict == ST_YES ? copies.apart : 0, copies.at};
        }
        if (last.apart && last.apart < (uint64_t)entry->count) {
            found(check, entry->at + last.at);
        }
    }
    return ST_OK;
}

/* Finds an entry whose base itself names a byte twice. */
static void from_bases(struct st_local_check *check, const struct st_placed *placed, size_t count)
{
    const struct st_type *type = check->type;
    for (size_t i = 0; i < count && !check->found && type->offsets; i++) {
        const struct st_known *base =
            st_layouts_known(check->layouts, type->types ? type->types[i] : type->base);
        if (placed[i].count > 0 && base->own == ST_KNOWN_YES) {
            found(check, placed[i].at + base->own_at);
        }
    }
}

static enum st_error watch_united(struct st_watch *watch, const struct st_placed *placed,
                                  size_t count)
{
    struct st_local_check *check = (struct st_local_check *)watch;
    from_bases(check, placed, count);
    enum st_error error = within_placed(check, placed, count);
    if (error || check->found) {
        return error;
    }
    int64_t at = 0;
    enum st_verdict verdict = st_union_overlaps(placed, count, check->effort, &at);
    return weigh_verdict(check, verdict, at);
}

/* --- one type, all types below it --------------------------------------------------------------
 */

static enum st_verdict own_of(struct st_layouts *layouts, const struct st_type *type,
                              struct st_effort *effort)
{
    struct st_known *known = st_layouts_known(layouts, type);
    struct st_local_check check = {.watch = {watch_repeated, watch_united, watch_shifted},
                                   .layouts = layouts,
                                   .type = type,
                                   .effort = effort};
    struct st_layout *layout = NULL;
    if (known->layout->doubt) {
        return st_undecided(effort, known->layout->doubt);
    }
    if (type->base && !type->offsets && !st_elided(type)) {
        const struct st_known *base = st_layouts_known(layouts, type->base);
        check.found = base->own == ST_KNOWN_YES;
        check.at = base->own_at;
    }
    enum st_error error = st_layout_make(layouts, type, &check.watch, effort, &layout);
    bool any = layout && !st_layout_empty(layout);
    st_layout_release(layout);
    if (error) {
        return st_undecided(effort,
                            error == ST_INTERRUPTED ? ST_DOUBT_INTERRUPTED : ST_DOUBT_MEMORY);
    }
    if (check.found && any) {
        known->own = ST_KNOWN_YES;
        known->own_at = check.at;
        return ST_YES;
    }
    if (check.doubtful) {
        return ST_UNDECIDED;
    }
    known->own = ST_KNOWN_NO;
    return ST_NO;
}

struct st_overlap_walk {
    struct st_layouts *layouts;
    struct st_effort *effort;
};

/* Nothing can be found out about types without a known layout. */
static bool own_known(const void *context, const struct st_type *type)
{
    const struct st_overlap_walk *walk = context;
    const struct st_known *known = st_layouts_known(walk->layouts, type);
    return known->own != ST_NOT_KNOWN || known->layout->doubt;
}

/* If a type below is undecided, the types above do not get the steps that were missing. */
static enum st_error visit_type(void *context, const struct st_type *type)
{
    struct st_overlap_walk *walk = context;
    return own_of(walk->layouts, type, walk->effort) == ST_UNDECIDED ? ST_INTERRUPTED : ST_OK;
}

static enum st_verdict own(struct st_layouts *layouts, const struct st_type *type,
                           struct st_effort *effort)
{
    const struct st_known *known = st_layouts_known(layouts, type);
    if (known->layout->doubt) {
        return st_undecided(effort, known->layout->doubt);
    }
    struct st_overlap_walk walk = {layouts, effort};
    struct st_bottom_up below = {own_known, visit_type, &walk};
    enum st_error error = own_known(&walk, type) ? ST_OK : st_bottom_up(&below, type);
    if (error) {
        return error == ST_NO_MEMORY ? st_undecided(effort, ST_DOUBT_MEMORY) : ST_UNDECIDED;
    }
    return known->own == ST_KNOWN_YES ? ST_YES : ST_NO;
}

/* Checks copies of a type that itself names no byte twice. */
static enum st_verdict copies_of(struct st_known *known, int64_t most, struct st_effort *effort,
                                 struct st_self_overlap *self)
{
    int64_t extent;
    struct st_copies copies;
    if (st_layout_empty(known->layout)) {
        return ST_NO;
    }
    if (!st_extent(known->type, &extent)) {
        return most > 1 ? st_undecided(effort, ST_DOUBT_OVERFLOW) : ST_NO;
    }
    enum st_verdict verdict =
        st_copies_overlap(known->layout, (uint64_t)most, extent, effort, &copies);
    if (verdict == ST_YES) {
        self->count = (int64_t)copies.apart + 1;
        self->at = copies.at;
    }
    return verdict;
}

/* Finds the smallest count of all, for the cache; if that is too expensive, checks up to `most`. */
static enum st_verdict many(struct st_known *known, int64_t most, struct st_effort *effort,
                            struct st_self_overlap *self)
{
    uint64_t kept = effort->steps / 2;
    effort->steps -= kept;
    enum st_verdict verdict = copies_of(known, INT64_MAX, effort, self);
    effort->steps += kept;
    if (verdict == ST_UNDECIDED) {
        return effort->doubt == ST_DOUBT_INTERRUPTED ? verdict
                                                     : copies_of(known, most, effort, self);
    }
    known->many = verdict == ST_YES ? ST_KNOWN_YES : ST_KNOWN_NO;
    known->many_count = self->count;
    known->many_at = self->at;
    return verdict;
}

enum st_verdict st_self_overlap(struct st_layouts *layouts, const struct st_type *type,
                                int64_t most, struct st_effort *effort,
                                struct st_self_overlap *self)
{
    const struct st_layout *layout;
    if (most < 1) {
        return ST_NO;
    }
    enum st_error error = st_layout_of(layouts, type, effort, &layout);
    if (error) {
        return st_undecided(effort,
                            error == ST_INTERRUPTED ? ST_DOUBT_INTERRUPTED : ST_DOUBT_MEMORY);
    }
    struct st_known *known = st_layouts_known(layouts, type);
    enum st_verdict verdict = own(layouts, type, effort);
    if (verdict == ST_YES) {
        *self = (struct st_self_overlap){1, known->own_at};
    } else if (verdict == ST_NO && known->many != ST_NOT_KNOWN) {
        verdict = known->many == ST_KNOWN_YES ? ST_YES : ST_NO;
        *self = (struct st_self_overlap){known->many_count, known->many_at};
    } else if (verdict == ST_NO) {
        *self = (struct st_self_overlap){0};
        verdict = many(known, most, effort, self);
    }
    return verdict == ST_YES && self->count > most ? ST_NO : verdict;
}
