/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/races/footprint.h"

#include <stdlib.h>

#include "core/layout/layout_make.h"
#include "core/overlap/window.h"

/* The most work for finding the blocks of a list. */
enum { STEPS = 1 << 12 };

/* --- writing a record ---------------------------------------------------------------------- */

static bool put_level(struct st_access_record *access, uint64_t count, uint64_t stride)
{
    if (count < 2) {
        return true;
    }
    if (access->levels == ST_ACCESS_LEVELS || count > UINT32_MAX) {
        return false;
    }
    access->counts[access->levels] = (uint32_t)count;
    access->strides[access->levels++] = stride;
    return true;
}

/* Stores the copies of a layout without lists. */
static bool put_levels(struct st_access_record *access, const struct st_item *item)
{
    access->levels = 0;
    if (!item->of) {
        access->block = item->count;
        return true;
    }
    if (item->of->list) {
        return false;
    }
    access->block = item->of->length;
    for (uint32_t i = 0; i < item->of->level_count; i++) {
        if (!put_level(access, item->of->levels[i].count, item->of->levels[i].stride)) {
            return false;
        }
    }
    return put_level(access, item->count, item->stride);
}

static bool put_runs(struct st_access_record *access, struct st_access_runs *runs,
                     const struct st_buffer *buffer)
{
    struct st_window window;
    struct st_effort effort = st_effort_of(STEPS);
    struct st_run run;
    enum st_verdict more;
    uint32_t count = 0;
    access->levels = 0;
    access->block = 0;
    st_window_init(&window, buffer, 0, buffer->span);
    while ((more = st_window_next(&window, &effort, &run)) == ST_YES &&
           count < ST_ACCESS_MOST_RUNS) {
        runs[count / ST_ACCESS_RUNS_EACH].mark = ST_ACCESS_RUNS;
        runs[count / ST_ACCESS_RUNS_EACH].runs[count % ST_ACCESS_RUNS_EACH].from = run.from;
        runs[count / ST_ACCESS_RUNS_EACH].runs[count % ST_ACCESS_RUNS_EACH].to = run.to;
        count++;
    }
    st_window_deinit(&window);
    access->runs = (uint8_t)count;
    return more == ST_NO && count > 0;
}

bool st_footprint_put(struct st_access_record *access, struct st_access_runs *runs,
                      const struct st_buffer *buffer)
{
    _Static_assert(ST_ACCESS_MOST_RUNS <= UINT8_MAX, "st_access_record.runs");
    access->runs = 0;
    access->low = (int64_t)buffer->first;
    if (buffer->doubt || !buffer->span) {
        return false;
    }
    return put_levels(access, &buffer->item) || put_runs(access, runs, buffer);
}

/* --- reading a record ---------------------------------------------------------------------- */

static struct st_layout *get_levels(const struct st_access_record *access)
{
    struct st_layout *layout = access->block ? st_layout_block(access->block) : NULL;
    for (uint32_t i = 0; layout && i < access->levels && i < ST_ACCESS_LEVELS; i++) {
        struct st_layout *repeated =
            st_layout_repeat(layout, access->counts[i], (int64_t)access->strides[i]);
        st_layout_release(layout);
        layout = repeated;
    }
    return layout;
}

static struct st_layout *get_runs(const struct st_access_record *access,
                                  const struct st_access_runs *runs)
{
    struct st_run *list = malloc(access->runs * sizeof(*list));
    if (!list) {
        return NULL;
    }
    for (uint32_t i = 0; i < access->runs; i++) {
        list[i].from = runs[i / ST_ACCESS_RUNS_EACH].runs[i % ST_ACCESS_RUNS_EACH].from;
        list[i].to = runs[i / ST_ACCESS_RUNS_EACH].runs[i % ST_ACCESS_RUNS_EACH].to;
        if (list[i].from >= list[i].to || list[i].to > INT64_MAX) {
            free(list);
            return NULL;
        }
    }
    return st_layout_of_runs(list, access->runs, 0);
}

/* Returns a new layout; NULL if there is no memory, or if the record is invalid. */
static struct st_layout *get_layout(const struct st_access_record *access,
                                    const struct st_access_runs *runs)
{
    struct st_layout *at_zero = access->runs > ST_ACCESS_MOST_RUNS ? NULL
                                : access->runs                     ? get_runs(access, runs)
                                                                   : get_levels(access);
    if (!at_zero) {
        return NULL;
    }
    struct st_layout *layout = st_layout_shift(at_zero, access->low);
    st_layout_release(at_zero);
    return layout;
}

/* One block, as most accesses are. */
static bool get_block(const struct st_access_record *access, uint64_t at, struct st_buffer *bytes)
{
    int64_t end;
    if (access->levels || access->runs || !access->block || access->block > INT64_MAX ||
        __builtin_add_overflow(access->low, (int64_t)access->block, &end)) {
        return false;
    }
    *bytes = (struct st_buffer){.first = at + (uint64_t)access->low,
                                .span = access->block,
                                .item = {.count = access->block, .stride = 1},
                                .disjoint = true};
    return true;
}

bool st_footprint_bytes(const struct st_access_record *access, const struct st_access_runs *runs,
                        uint64_t at, struct st_buffer *bytes, struct st_layout **layout)
{
    *layout = NULL;
    if (get_block(access, at, bytes)) {
        return true;
    }
    *layout = get_layout(access, runs);
    if (!*layout) {
        return false;
    }
    st_buffer_repeat(bytes, *layout, true, 0, 1, at);
    return true;
}

static bool are_runs_even(const struct st_access_record *access, const struct st_access_runs *runs,
                          uint64_t size)
{
    for (uint32_t i = 0; runs && i < access->runs; i++) {
        const uint64_t from = runs[i / ST_ACCESS_RUNS_EACH].runs[i % ST_ACCESS_RUNS_EACH].from;
        const uint64_t to = runs[i / ST_ACCESS_RUNS_EACH].runs[i % ST_ACCESS_RUNS_EACH].to;
        if ((from - runs[0].runs[0].from) % size || (to - from) % size) {
            return false;
        }
    }
    return runs;
}

bool st_footprint_is_even(const struct st_access_record *access, const struct st_access_runs *runs,
                          uint64_t size)
{
    if (size && access->runs) {
        return are_runs_even(access, runs, size);
    }
    if (size == 0 || access->block % size) {
        return false;
    }
    for (uint32_t i = 0; i < access->levels && i < ST_ACCESS_LEVELS; i++) {
        if (access->strides[i] % size) {
            return false;
        }
    }
    return true;
}
