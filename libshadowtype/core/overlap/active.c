/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/active.h"

#include "core/overlap/active_tree.h"

void st_actives_init(struct st_actives *actives)
{
    *actives = (struct st_actives){0};
}

void st_actives_deinit(struct st_actives *actives)
{
    st_active_tree_free(&actives->tree);
    for (size_t i = 0; i < ST_ACTIVE_STRIDES; i++) {
        st_active_tree_free(&actives->rows[i]);
    }
    st_actives_init(actives);
}

/* --- in which tree a buffer is
 * -------------------------------------------------------------------- */

/* Returns true if the bounds of a buffer are not known, or wrap at the end of the address space. */
static inline bool has_no_order(const struct st_buffer *buffer)
{
    return buffer->doubt || (buffer->span && buffer->first + (buffer->span - 1) < buffer->first);
}

static void widen_range(uint64_t *low, uint64_t *high, bool empty, uint64_t first, uint64_t last)
{
    *low = empty || first < *low ? first : *low;
    *high = empty || last > *high ? last : *high;
}

/* A buffer that consists of rows, `stride` bytes apart and at most `width` bytes wide. */
struct st_rows {
    uint64_t stride, width;
};

/* Stores the rows of a buffer. Returns false if it does not obviously consist of rows with gaps
 * between them. */
static bool rows_of(const struct st_buffer *buffer, struct st_rows *rows)
{
    const struct st_item *item = &buffer->item;
    uint64_t count = item->count;
    if (!item->of) {
        return false;
    }
    rows->stride = item->stride;
    if (count == 1) {
        if (!item->of->level_count) {
            return false;
        }
        const struct st_level *top = &item->of->levels[item->of->level_count - 1];
        count = top->count;
        rows->stride = top->stride;
    }
    uint64_t gaps = (count - 1) * rows->stride;
    rows->width = buffer->span - gaps;
    return count > 1 && gaps < buffer->span && rows->width < rows->stride;
}

/* Returns address % stride. Strides are often powers of two, and a division would cost as much as
 * all the rest. */
static inline uint64_t place_in_row(uint64_t address, uint64_t stride)
{
    return stride & (stride - 1) ? address % stride : address & (stride - 1);
}

/* Returns the tree for rows of a stride; NULL if all trees are used for other strides. */
static struct st_active_tree *tree_of_rows(struct st_actives *actives, uint64_t stride)
{
    struct st_active_tree *unused = NULL;
    for (size_t i = 0; i < ST_ACTIVE_STRIDES; i++) {
        struct st_active_tree *tree = &actives->rows[i];
        if (tree->count && tree->modulus == stride) {
            return tree;
        }
        unused = tree->count || unused ? unused : tree;
    }
    if (unused) {
        unused->modulus = stride;
    }
    return unused;
}

struct st_row_place {
    uint64_t stride, first, last;
};

/* Stores where the buffer's rows are within the rows of an array. Returns false if it has no rows,
 * or if they extend from one row of the array into the next. */
static bool row_place_of(const struct st_buffer *buffer, struct st_row_place *place)
{
    struct st_rows rows;
    if (!buffer->item.of || !rows_of(buffer, &rows)) {
        return false;
    }
    place->stride = rows.stride;
    place->first = place_in_row(buffer->first, rows.stride);
    place->last = place->first + (rows.width - 1);
    return place->last < rows.stride;
}

/* Adds the buffer to a tree of rows. Returns false if there is no memory. */
static bool put_rows(struct st_active_tree *rows, struct st_active *active,
                     const struct st_row_place *place)
{
    const struct st_buffer *buffer = &active->buffer;
    bool is_first = rows->count == 0;
    if (!st_active_tree_put(rows, active, place->first, place->last)) {
        return false;
    }
    widen_range(&rows->first, &rows->last, is_first, buffer->first,
                buffer->first + (buffer->span - 1));
    return true;
}

/* Moves a buffer from the tree of bounds to the tree of its stride, if it consists of rows. */
static void move_to_rows(struct st_active *active, struct st_active_tree *tree)
{
    struct st_active_node *leaf = active->where.leaf;
    struct st_active_tree *from = active->in.tree;
    struct st_row_place place;
    if (row_place_of(&active->buffer, &place) && place.stride == tree->modulus &&
        put_rows(tree, active, &place)) {
        st_active_tree_take(from, leaf, active, active->buffer.first);
    }
}

/* How many buffers may be at one place of a row on average: that many arrays have this stride. With
 * more, the places distinguish buffers less well than the bounds. */
enum { MOST_AT_A_PLACE = 16 };

static bool has_room(const struct st_active_tree *rows, const struct st_row_place *place)
{
    return (rows->count + 1) * (place->last - place->first + 1) / MOST_AT_A_PLACE <= place->stride;
}

/* Returns true if both buffers begin in the same row, as planes of one array do. If not, they only
 * have overlapping bounds, and most other buffers have other bounds. */
static bool begin_together(const struct st_buffer *a, const struct st_buffer *b, uint64_t stride)
{
    return (a->first < b->first ? b->first - a->first : a->first - b->first) < stride;
}

/* Inserts a buffer into a tree by its bounds; if many buffers have the same bounds, by the place of its rows. */
static bool plant_active(struct st_actives *actives, struct st_active *active)
{
    const struct st_buffer *buffer = &active->buffer;
    const uint64_t first = buffer->first, last = first + (buffer->span - 1);
    struct st_row_place place;
    struct st_active_tree *rows =
        row_place_of(buffer, &place) ? tree_of_rows(actives, place.stride) : NULL;
    if (rows && !has_room(rows, &place)) {
        rows = NULL;
    }
    bool is_crowded = rows && rows->count && first <= rows->last && last >= rows->first;
    if (rows && !is_crowded) {
        struct st_active *nearest = st_active_tree_nearest(&actives->tree, first, last);
        is_crowded = nearest && begin_together(&nearest->buffer, buffer, place.stride);
        if (is_crowded) {
            move_to_rows(nearest, rows);
        }
    }
    return is_crowded ? put_rows(rows, active, &place)
                      : st_active_tree_put(&actives->tree, active, first, last);
}

/* Moves all that wait to the trees. Those for which there is no memory go on waiting. */
static void plant_waiting(struct st_actives *actives)
{
    size_t kept = 0;
    for (size_t i = 0; i < actives->waiting_count; i++) {
        struct st_active *active = actives->waiting[i];
        if (!plant_active(actives, active)) {
            actives->waiting[kept++] = active;
            active->in.tree = NULL;
            active->where.place = kept;
        }
    }
    actives->waiting_count = kept;
}

static bool add_waiting(struct st_actives *actives, struct st_active *active)
{
    const uint64_t first = active->buffer.first, last = first + (active->buffer.span - 1);
    if (actives->waiting_count == ST_ACTIVE_WAITING) {
        plant_waiting(actives);
        if (actives->waiting_count == ST_ACTIVE_WAITING) {
            return false;
        }
    }
    actives->waiting[actives->waiting_count++] = active;
    active->where.place = actives->waiting_count;
    widen_range(&actives->first, &actives->last, actives->count == 0, first, last);
    return true;
}

static void drop_waiting(struct st_actives *actives, const struct st_active *active)
{
    struct st_active *last = actives->waiting[--actives->waiting_count];
    last->where.place = active->where.place;
    actives->waiting[active->where.place - 1] = last;
}

enum st_error st_actives_insert(struct st_actives *actives, struct st_active *active)
{
    if (has_no_order(&active->buffer)) {
        active->in.next = actives->others;
        active->where.link = &actives->others;
        if (active->in.next) {
            active->in.next->where.link = &active->in.next;
        }
        actives->others = active;
        actives->count++;
        return ST_OK;
    }
    active->in.tree = NULL;
    active->where.place = 0;
    if (active->buffer.span && !add_waiting(actives, active)) {
        return ST_NO_MEMORY;
    }
    actives->count++;
    return ST_OK;
}

static void take_from_tree(const struct st_active *active)
{
    struct st_active_tree *tree = active->in.tree;
    const uint64_t first = active->buffer.first;
    st_active_tree_take(tree, active->where.leaf, active,
                        tree->modulus ? place_in_row(first, tree->modulus) : first);
}

void st_actives_remove(struct st_actives *actives, struct st_active *active)
{
    actives->count--;
    if (has_no_order(&active->buffer)) {
        *active->where.link = active->in.next;
        if (active->in.next) {
            active->in.next->where.link = active->where.link;
        }
    } else if (active->in.tree) {
        take_from_tree(active);
    } else if (active->where.place) {
        drop_waiting(actives, active);
    }
}

/* --- comparing -----------------------------------------------------------------------------------
 */

/* A search for the buffers that overlap a new one. */
struct st_question {
    const struct st_buffer *buffer;
    struct st_effort *effort;
    st_actives_met met;
    void *context;
};

/* Returns false to end the search. */
static bool compare_active(void *context, struct st_active *active)
{
    const struct st_question *question = context;
    struct st_shared shared = {0};
    enum st_verdict verdict =
        st_overlap(&active->buffer, question->buffer, question->effort, &shared);
    return verdict == ST_NO || question->met(question->context, active, verdict, &shared);
}

static bool within_range(const struct st_active_tree *tree, uint64_t low, uint64_t high,
                         const struct st_question *question)
{
    return st_active_tree_within(tree, low, high, compare_active, (void *)question);
}

/* Visits the buffers in a tree of rows whose bounds meet first..last. */
static bool in_rows(const struct st_active_tree *tree, uint64_t first, uint64_t last,
                    const struct st_question *question)
{
    const struct st_buffer *buffer = question->buffer;
    struct st_rows rows;
    if (!tree->count || first > tree->last || last < tree->first) {
        return true;
    }
    uint64_t width = buffer->span;
    if (width > tree->modulus) {
        if (!rows_of(buffer, &rows) || place_in_row(rows.stride, tree->modulus) ||
            rows.width > tree->modulus) {
            return within_range(tree, 0, UINT64_MAX, question);
        }
        width = rows.width;
    }
    uint64_t low = place_in_row(first, tree->modulus), high = low + (width - 1);
    bool is_whole =
        high >= tree->modulus; /* it ends in the next row: only a search of the whole tree finds
                                  each buffer once */
    return within_range(tree, is_whole ? 0 : low, is_whole ? UINT64_MAX : high, question);
}

static bool in_all_rows(const struct st_actives *actives, uint64_t first, uint64_t last,
                        const struct st_question *question)
{
    for (size_t i = 0; i < ST_ACTIVE_STRIDES; i++) {
        if (!in_rows(&actives->rows[i], first, last, question)) {
            return false;
        }
    }
    return true;
}

/* Compares those that still wait, because there was no memory. */
static bool among_waiting(const struct st_actives *actives, const struct st_question *question)
{
    for (size_t i = 0; i < actives->waiting_count; i++) {
        if (!compare_active((void *)question, actives->waiting[i])) {
            return false;
        }
    }
    return true;
}

static bool everything(const struct st_actives *actives, const struct st_question *question)
{
    bool more = within_range(&actives->tree, 0, UINT64_MAX, question);
    for (size_t i = 0; more && i < ST_ACTIVE_STRIDES; i++) {
        more = within_range(&actives->rows[i], 0, UINT64_MAX, question);
    }
    return more;
}

void st_actives_overlapping(struct st_actives *actives, const struct st_buffer *buffer,
                            struct st_effort *effort, st_actives_met met, void *context)
{
    const struct st_question question = {buffer, effort, met, context};
    uint64_t first = buffer->first, last = first + (buffer->span - 1);
    bool more;
    if (!buffer->doubt && !buffer->span) {
        return;
    }
    if (has_no_order(buffer)) {
        plant_waiting(actives);
        more = everything(actives, &question) && among_waiting(actives, &question);
    } else if (first > actives->last || last < actives->first) {
        more = true;
    } else {
        plant_waiting(actives);
        more = within_range(&actives->tree, first, last, &question) &&
               in_all_rows(actives, first, last, &question) && among_waiting(actives, &question);
    }
    for (struct st_active *other = actives->others; more && other; other = other->in.next) {
        more = compare_active((void *)&question, other);
    }
}
