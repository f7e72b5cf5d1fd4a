/* Runs as layouts: sorted, joined, and made levels where they are regular in truth. */
#include "core/layout/layout_make.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number_of(const struct st_number_column *column, size_t i)
{
    uint64_t number;
    memcpy(&number, column->first + i * column->width, sizeof number);
    return number;
}

/* Progressions within progressions: each round looks at the first numbers of the groups that the
 * last one found. */
size_t st_progressions(struct st_number_column column, size_t count, struct st_level *levels)
{
    size_t found = 0;
    while (count > 1) {
        uint64_t step = number_of(&column, 1) - number_of(&column, 0);
        size_t group = 2;
        while (group < count && number_of(&column, group) - number_of(&column, group - 1) == step) {
            group++;
        }
        if (step == 0 || count % group || found == ST_MOST_LEVELS) {
            return 0;
        }
        for (size_t i = group; i < count; i++) {
            if (i % group && number_of(&column, i) - number_of(&column, i - 1) != step) {
                return 0;
            }
        }
        levels[found++] = (struct st_level){group, step};
        column.width *= group;
        count /= group;
    }
    return found;
}

struct st_layout *st_layout_on_levels(struct st_layout *of, const struct st_level *levels,
                                      size_t count, int64_t low)
{
    for (size_t k = 0; of && k < count; k++) {
        struct st_layout *more =
            st_layout_repeat(of, (int64_t)levels[k].count, (int64_t)levels[k].stride);
        st_layout_release(of);
        of = more;
    }
    struct st_layout *moved = of ? st_layout_moved(of, low) : NULL;
    st_layout_release(of);
    return moved;
}

static int by_begin(const void *a, const void *b)
{
    const struct st_run *one = a, *other = b;
    return (one->from > other->from) - (one->from < other->from);
}

void st_runs_sort(struct st_run *runs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (runs[i].from < runs[i - 1].from) {
            qsort(runs, count, sizeof(*runs), by_begin);
            return;
        }
    }
}

/* Sorted runs into disjoint ones with gaps between them; how many. */
static size_t join_runs(struct st_run *runs, size_t count)
{
    size_t last = 0;
    for (size_t i = 1; i < count; i++) {
        if (runs[i].from > runs[last].to) {
            runs[++last] = runs[i];
        } else if (runs[i].to > runs[last].to) {
            runs[last].to = runs[i].to;
        }
    }
    return last + 1;
}

static bool equally_long(const struct st_run *runs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (runs[i].to - runs[i].from != runs[0].to - runs[0].from) {
            return false;
        }
    }
    return true;
}

static struct st_layout *over_runs(struct st_run *runs, size_t count, int64_t low)
{
    struct st_layout *layout = st_layout_block(runs[count - 1].to);
    struct st_list *list = calloc(1, sizeof(*list));
    if (!layout || !list) {
        free(runs);
        free(list);
        st_layout_release(layout);
        return NULL;
    }
    struct st_run *less = realloc(runs, count * sizeof(*runs));
    *list = (struct st_list){.references = 1,
                             .count = count,
                             .runs = less ? less : runs,
                             .span = layout->span,
                             .parts = count};
    layout->low = low;
    layout->list = list;
    layout->parts = count;
    return layout;
}

struct st_layout *st_layout_of_runs(struct st_run *runs, size_t count, int64_t low)
{
    struct st_level levels[ST_MOST_LEVELS];
    st_runs_sort(runs, count);
    count = join_runs(runs, count);
    uint64_t first = runs[0].from, length = runs[0].to - first;
    low += (int64_t)first;
    struct st_number_column begins = {(const char *)&runs[0].from, sizeof(*runs)};
    size_t found = 0;
    if (count == 1 ||
        (equally_long(runs, count) && (found = st_progressions(begins, count, levels)) != 0)) {
        free(runs);
        return st_layout_on_levels(st_layout_block(length), levels, found, low);
    }
    for (size_t i = 0; i < count; i++) {
        runs[i].from -= first;
        runs[i].to -= first;
    }
    return over_runs(runs, count, low);
}
