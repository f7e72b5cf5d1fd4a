/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/compare/match_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/compare/work.h"

/* Unions that are nested deeper are not tried: their first member is taken. */
enum { MOST_UNIONS = 8 };
/* The cost of a piece in a union, mostly of memory. */
enum { UNION_WORK = 64 };

enum st_error st_match_init(struct st_matching *m, const struct st_fields *tree, uint64_t work)
{
    size_t places = (size_t)tree->node_count + ST_OUTSIDES;
    *m = (struct st_matching){.tree = tree, .work = work};
    m->first = malloc(places * sizeof(*m->first));
    m->touched = calloc(places, sizeof(*m->touched));
    if (!m->first || !m->touched) {
        st_match_deinit(m);
        return ST_NO_MEMORY;
    }
    memset(m->first, 0xff, places * sizeof(*m->first));
    return ST_OK;
}

void st_match_deinit(struct st_matching *m)
{
    for (uint32_t i = 0; i < m->label_count; i++) {
        st_strides_free(&m->labels[i].at);
    }
    free(m->labels);
    free(m->first);
    free(m->touched);
    free(m->sent);
    free(m->stack);
    free(m->unions);
    *m = (struct st_matching){0};
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Returns the number of a node that represents the outermost group: its children are the object,
 * and what is before and after it. */
static uint32_t outermost(const struct st_matching *m)
{
    return m->tree->node_count + ST_OUTSIDES;
}

/* Returns the part of a group that contains an offset in it. */
static uint32_t part_at(const struct st_matching *m, const struct st_comb_piece *item,
                        int64_t *start, int64_t *end)
{
    const struct st_fields *tree = m->tree;
    if (item->node == outermost(m)) {
        int64_t at = item->at.start;
        *start = 0;
        *end = at < 0 ? 0 : at < tree->size ? tree->size : INT64_MAX;
        return at >= 0 && at < tree->size ? tree->root
                                          : tree->node_count + (at < 0 ? ST_BEFORE : ST_BEYOND);
    }
    uint32_t child = st_fields_child(tree, st_piece_node(m, item), item->at.start);
    *start = tree->nodes[child].offset;
    *end = *start + tree->nodes[child].size * tree->nodes[child].count;
    return child;
}

/* Adds a piece outside of the object: counts bytes for MPI_BYTE and the like, and elements for
 * other types. */
static enum st_error add_outside(struct st_matching *m, struct st_match_way *way,
                                 struct st_comb_piece *item, uint32_t side)
{
    if (way->trial) {
        way->faults++;
        return ST_OK;
    }
    struct st_label label = {
        .node = side,
        .sent = m->sent[item->sent],
        .finding = side == m->tree->node_count + ST_BEFORE ? ST_FOUND_BEFORE : ST_FOUND_BEYOND,
        .from = item->at.start,
        .to = item->at.start + st_piece_length(item),
        .lowest = item->at.start,
        .shift = -item->before,
    };
    item->index = item->at;
    if (st_bytes(&label.sent) && item->size > 1 && item->index.levels < ST_NEST_LEVELS) {
        item->index.level[item->index.levels++] = (struct st_nest_level){item->size, 1};
    }
    return st_label_add(m, item, &label);
}

static enum st_error step_group(struct st_matching *m, struct st_match_way *way,
                                struct st_comb_piece *item)
{
    int64_t start, end, length = st_piece_length(item);
    uint32_t part = part_at(m, item, &start, &end);
    if (item->at.start + length <= end) {
        if (part >= m->tree->node_count) {
            return add_outside(m, way, item, part);
        }
        item->at.start -= start;
        item->node = part;
        item->inside = false;
        return st_piece_push(m, item);
    }
    if (!item->at.levels) {
        return st_piece_split(m, item, end - item->at.start);
    }
    uint32_t widest = st_nest_widest(&item->at);
    struct st_nest_level level = item->at.level[widest];
    int64_t others = length - (level.count - 1) * level.stride;
    int64_t room = end - (item->at.start + others);
    return st_piece_split_level(m, item, widest, room < 0 ? 1 : room / level.stride + 1);
}

/* --- unions ----------------------------------------------------------------------------------- */

static enum st_error walk_items(struct st_matching *m, struct st_match_way *way, size_t base);

static enum st_error try_item(struct st_matching *m, const struct st_comb_piece *item,
                              uint32_t depth, uint64_t *faults)
{
    struct st_match_way way = {.trial = true, .depth = depth};
    enum st_error error = st_piece_push(m, item);
    error = error ? error : walk_items(m, &way, m->depth - 1);
    *faults = way.faults;
    return error;
}

static uint32_t member_of(const struct st_matching *m, const struct st_field_node *node, uint32_t i)
{
    return m->tree->children[node->first + i];
}

/* Handles a piece in a union: keeps it until all pieces are known; a trial takes the best member. */
static enum st_error step_union(struct st_matching *m, struct st_match_way *way,
                                struct st_comb_piece *item)
{
    const struct st_field_node *node = st_piece_node(m, item);
    if (!way->trial) {
        if (!st_spend(&m->work, UNION_WORK)) {
            return ST_OK;
        }
        return st_piece_keep(&m->unions, &m->union_count, &m->union_capacity, item) ? ST_OK
                                                                                    : ST_NO_MEMORY;
    }
    uint64_t least = UINT64_MAX;
    uint32_t members = way->depth < MOST_UNIONS ? node->children : 1;
    item->inside = false;
    for (uint32_t i = 0; i < members; i++) {
        uint64_t faults;
        item->node = member_of(m, node, i);
        enum st_error error = try_item(m, item, way->depth + 1, &faults);
        if (error) {
            return error;
        }
        least = faults < least ? faults : least;
    }
    way->faults += least;
    return ST_OK;
}

/* Counts the mismatches of each item of one union with each of its members. Each item then goes to
 * a member that fits it best; of these, to the one that fits all items best. */
static enum st_error settle_union(struct st_matching *m, struct st_comb_piece *items, size_t count)
{
    const struct st_field_node *node = st_piece_node(m, items);
    uint64_t *faults = malloc((count + 1) * node->children * sizeof(*faults));
    uint64_t *all = faults ? faults + count * node->children : NULL;
    enum st_error error = faults ? ST_OK : ST_NO_MEMORY;
    for (uint32_t i = 0; i < node->children && !error; i++) {
        all[i] = 0;
        for (size_t item = 0; item < count && !error; item++) {
            items[item].node = member_of(m, node, i);
            items[item].inside = false;
            error = try_item(m, &items[item], 1, &faults[item * node->children + i]);
            all[i] += error ? 0 : faults[item * node->children + i];
        }
    }
    for (size_t item = 0; item < count && !error; item++) {
        const uint64_t *mine = faults + item * node->children;
        uint32_t best = 0;
        for (uint32_t i = 1; i < node->children; i++) {
            if (mine[i] < mine[best] || (mine[i] == mine[best] && all[i] < all[best])) {
                best = i;
            }
        }
        struct st_match_way way = {0};
        items[item].node = member_of(m, node, best);
        error = st_piece_push(m, &items[item]);
        error = error ? error : walk_items(m, &way, m->depth - 1);
    }
    free(faults);
    return error;
}

static int by_node(const void *a, const void *b)
{
    const struct st_comb_piece *one = a, *two = b;
    return (one->node > two->node) - (one->node < two->node);
}

enum st_error st_match_unions(struct st_matching *m)
{
    enum st_error error = ST_OK;
    while (m->union_count && !error) { /* one round for each level of nested unions */
        struct st_comb_piece *items = m->unions;
        size_t count = m->union_count;
        m->unions = NULL;
        m->union_count = m->union_capacity = 0;
        qsort(items, count, sizeof(*items), by_node);
        for (size_t first = 0, next; first < count && !error; first = next) {
            for (next = first + 1; next < count && items[next].node == items[first].node; next++) {
            }
            error = settle_union(m, items + first, next - first);
        }
        free(items);
    }
    return error;
}

/* --- the walk --------------------------------------------------------------------------------- */

static enum st_error step_item(struct st_matching *m, struct st_match_way *way,
                               struct st_comb_piece *item)
{
    if (item->node == outermost(m)) {
        return step_group(m, way, item);
    }
    const struct st_field_node *node = st_piece_node(m, item);
    if (!item->inside && node->count > 1) {
        return st_step_array(m, item);
    }
    switch (node->kind) {
    case ST_FIELD_GROUP:
        return step_group(m, way, item);
    case ST_FIELD_UNION:
        return step_union(m, way, item);
    default:
        return st_step_leaf(m, way, item);
    }
}

/* Handles the stack until nothing is left above `base`, or the work limit is reached. */
static enum st_error walk_items(struct st_matching *m, struct st_match_way *way, size_t base)
{
    enum st_error error = ST_OK;
    while (m->depth > base && !error) {
        struct st_comb_piece item;
        st_piece_copy(&item, &m->stack[--m->depth]);
        if (!st_spend(&m->work, 1)) {
            break;
        }
        error = step_item(m, way, &item);
    }
    m->depth = base;
    return error;
}

static enum st_error sent_number(struct st_matching *m, const struct st_sent *sent,
                                 uint32_t *number)
{
    for (uint32_t i = m->sent_count; i-- > 0;) {
        if (st_same_sent(&m->sent[i], sent)) {
            *number = i;
            return ST_OK;
        }
    }
    if (m->sent_count == m->sent_capacity) {
        uint32_t capacity = m->sent_capacity ? m->sent_capacity * 2 : 16;
        struct st_sent *wider = realloc(m->sent, capacity * sizeof(*wider));
        if (!wider) {
            return ST_NO_MEMORY;
        }
        m->sent = wider;
        m->sent_capacity = capacity;
    }
    m->sent[ *number = m->sent_count++] = *sent;
    return ST_OK;
}

/* Makes strides positive: the order in which elements are sent does not matter here. */
static bool straighten_piece(struct st_comb_piece *item)
{
    struct st_nest *at = &item->at;
    int64_t end = at->start;
    for (uint32_t i = 0; i < at->levels;) {
        struct st_nest_level *level = &at->level[i];
        int64_t span;
        if (level->stride == 0) {
            if (__builtin_mul_overflow(item->repeats, level->count, &item->repeats)) {
                item->repeats = INT64_MAX;
            }
            st_nest_set(at, i, 1);
            continue;
        }
        if (level->stride == INT64_MIN ||
            __builtin_mul_overflow(level->count - 1, level->stride, &span)) {
            return false;
        }
        if (span < 0) {
            level->stride = -level->stride;
            if (__builtin_add_overflow(at->start, span, &at->start)) {
                return false;
            }
        } else if (__builtin_add_overflow(end, span, &end)) {
            return false;
        }
        i++;
    }
    return !__builtin_add_overflow(end, item->size, &end) &&
           !__builtin_sub_overflow(end, at->start, &end);
}

/* Merges contiguous bytes into one piece. */
static void melt_piece(struct st_comb_piece *item)
{
    struct st_nest *at = &item->at;
    for (uint32_t i = 0; i < at->levels;) {
        int64_t size;
        if (at->level[i].stride == item->size &&
            !__builtin_mul_overflow(item->size, at->level[i].count, &size)) {
            item->size = size;
            st_nest_set(at, i, 1);
            i = 0;
        } else {
            i++;
        }
    }
}

static enum st_error item_of(struct st_matching *m, const struct st_comb *comb, uint64_t origin,
                             const struct st_sent *sent, int64_t offset, struct st_comb_piece *item)
{
    item->node = outermost(m);
    item->inside = true;
    item->repeats = 1;
    item->sent = 0;
    item->size = sent->size;
    item->before = 0;
    item->index.start = 0;
    item->index.levels = 0;
    st_nest_copy(&item->at, &comb->at);
    item->at.start = (int64_t)((uint64_t)comb->at.start - origin + (uint64_t)offset);
    if (!straighten_piece(item)) {
        return ST_OVERFLOW;
    }
    if (st_bytes(sent)) {
        melt_piece(item);
    }
    return sent_number(m, sent, &item->sent);
}

static enum st_error add_sent(struct st_matching *m, const struct st_comb *comb, uint64_t origin,
                              const struct st_sent *sent, int64_t offset)
{
    struct st_comb_piece item;
    struct st_match_way way = {0};
    enum st_error error = item_of(m, comb, origin, sent, offset, &item);
    error = error ? error : st_piece_push(m, &item);
    return error ? error : walk_items(m, &way, m->depth - 1);
}

/* Matches the halves of a complex number as two real ones, if the program has two reals where a
 * complex number does not match: FFTW's complex type is such a pair. */
static enum st_error try_halves(struct st_matching *m, const struct st_comb *comb, uint64_t origin,
                                const struct st_sent *whole, struct st_sent *half, bool *better)
{
    struct st_comb_piece item;
    uint64_t faults = 0, second = 0;
    *better = false;
    *half = *whole;
    half->class_ = ST_CLASS_FLOAT;
    half->size = whole->size / 2;
    half->half = true;
    enum st_error error = item_of(m, comb, origin, whole, 0, &item);
    error = error ? error : try_item(m, &item, 0, &faults);
    if (error || !faults) {
        return error;
    }
    error = item_of(m, comb, origin, half, 0, &item);
    error = error ? error : try_item(m, &item, 0, &faults);
    error = error ? error : item_of(m, comb, origin, half, half->size, &item);
    error = error ? error : try_item(m, &item, 0, &second);
    *better = !faults && !second;
    return error;
}

enum st_error st_match_comb(struct st_matching *m, const struct st_comb *comb, uint64_t origin)
{
    const struct st_basic *basic = &comb->leaf->basic;
    struct st_sent sent = {basic, basic->class_, basic->size, -1, false};
    enum st_error error = ST_OK;
    if (basic->class_ == ST_CLASS_PAIR) {
        for (int8_t i = 0; i < 2 && !error; i++) {
            const struct st_pair_member *member = &basic->members[i];
            sent = (struct st_sent){basic, member->class_, member->size, i, false};
            error = add_sent(m, comb, origin, &sent, member->offset);
        }
        return error;
    }
    if (basic->class_ == ST_CLASS_COMPLEX) {
        struct st_sent half;
        bool better;
        error = try_halves(m, comb, origin, &sent, &half, &better);
        if (!error && better) {
            error = add_sent(m, comb, origin, &half, 0);
            return error ? error : add_sent(m, comb, origin, &half, half.size);
        }
    }
    return error ? error : add_sent(m, comb, origin, &sent, 0);
}
