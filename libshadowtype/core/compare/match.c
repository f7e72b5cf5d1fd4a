#include "core/compare/match.h"

#include <stdlib.h>
#include <string.h>

#include "core/compare/work.h"

/* A piece of a comb on its way down the tree. */
struct st_comb_piece {
    uint32_t node;
    bool inside;     /* in an element of the node; else in the array that it is */
    int64_t repeats; /* a stride of 0: the same bytes, so many times */
    uint32_t sent;
    int64_t size;         /* bytes of each piece */
    int64_t before;       /* bytes of the MPI element before the piece */
    struct st_nest at;    /* bytes: where the pieces begin in the node's element, or array */
    struct st_nest index; /* elements: of the arrays passed so far, numbered as one */
};

/* One way through the tree: the pieces are added to labels, or only tried. */
struct way {
    bool trial;
    uint32_t depth;  /* of unions in unions */
    uint64_t faults; /* found by a trial */
};

/* Unions nested deeper than this are not searched but taken for their first member. */
enum { MOST_UNIONS = 8 };
/* Of larger elements only the hull of what is sent is told, not each piece. */
enum { MOST_PIECES = 64 };
/* What a union's piece costs, in memory mostly. */
enum { UNION_WORK = 64 };

#define NONE UINT32_MAX

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

static bool keep_item(struct st_comb_piece **items, size_t *count, size_t *capacity,
                      const struct st_comb_piece *item)
{
    if (*count == *capacity) {
        size_t wider_capacity = *capacity ? *capacity * 2 : 16;
        struct st_comb_piece *wider = realloc(*items, wider_capacity * sizeof(*wider));
        if (!wider) {
            return false;
        }
        *items = wider;
        *capacity = wider_capacity;
    }
    (*items)[(*count)++] = *item;
    return true;
}

static enum st_error push_item(struct st_matching *m, const struct st_comb_piece *item)
{
    return keep_item(&m->stack, &m->depth, &m->stack_capacity, item) ? ST_OK : ST_NO_MEMORY;
}

static const struct st_field_node *node_of(const struct st_matching *m,
                                           const struct st_comb_piece *item)
{
    return &m->tree->nodes[item->node];
}

/* --- labels ----------------------------------------------------------------------------------- */

static bool same_sent(const struct st_sent *a, const struct st_sent *b)
{
    return a->basic == b->basic && a->member == b->member && a->half == b->half;
}

static bool same_label(const struct st_label *a, const struct st_label *b)
{
    return a->finding == b->finding && a->why == b->why && a->part == b->part &&
           same_sent(&a->sent, &b->sent);
}

/* The label of the node that says the same as `like`, made if there is none. */
static struct st_label *label_for(struct st_matching *m, const struct st_label *like)
{
    for (uint32_t i = m->first[like->node]; i != NONE; i = m->labels[i].next) {
        if (same_label(&m->labels[i], like)) {
            return &m->labels[i];
        }
    }
    if (m->label_count == m->label_capacity) {
        uint32_t capacity = m->label_capacity ? m->label_capacity * 2 : 64;
        struct st_label *wider = realloc(m->labels, capacity * sizeof(*wider));
        if (!wider) {
            return NULL;
        }
        m->labels = wider;
        m->label_capacity = capacity;
    }
    struct st_label *label = &m->labels[m->label_count];
    *label = *like;
    label->next = m->first[like->node];
    m->first[like->node] = m->label_count++;
    return label;
}

static enum st_error add_label(struct st_matching *m, const struct st_comb_piece *item,
                               const struct st_label *like)
{
    struct st_label *label = label_for(m, like);
    int64_t before = label ? label->at.elements : 0;
    if (!label || !st_strides_add(&label->at, &item->index)) {
        return ST_NO_MEMORY;
    }
    if (like->node >= m->tree->node_count) {
        label->at.used = 0; /* outside there are no elements to tell, only how many */
        int64_t elements = label->at.elements - before, all;
        if (__builtin_mul_overflow(elements, item->repeats, &all) ||
            __builtin_add_overflow(before, all, &label->at.elements)) {
            label->at.elements = INT64_MAX;
        }
    }
    if (item->index.start < label->lowest) {
        label->lowest = item->index.start;
        label->shift = like->shift;
    }
    label->from = like->from < label->from ? like->from : label->from;
    label->to = like->to > label->to ? like->to : label->to;
    label->again |= item->repeats > 1;
    uint32_t node = like->node;
    while (!m->touched[node]) {
        m->touched[node] = true;
        node = node < m->tree->node_count ? m->tree->nodes[node].parent : node;
    }
    return ST_OK;
}

/* --- leaves ----------------------------------------------------------------------------------- */

static void judge_bytes(const struct st_sent *sent, const struct st_field_node *node,
                        struct st_label *label)
{
    bool whole = label->from == 0 && label->to == node->size;
    if (node->kind != ST_FIELD_PADDING && !whole) {
        label->finding = ST_FOUND_PIECE;
    } else {
        label->finding = sent->class_ == ST_CLASS_RAW ? ST_FOUND_UNKNOWN : ST_FOUND_BYTES;
    }
}

/* A real number at the place of one part of a complex one (C11, 6.2.5: an array of two). */
static enum st_complex_part part_of(const struct st_sent *sent, const struct st_field_node *node,
                                    int64_t from)
{
    enum st_field_kind kind = node->kind == ST_FIELD_COMPLEX        ? ST_FIELD_FLOAT
                              : node->kind == ST_FIELD_QUAD_COMPLEX ? ST_FIELD_QUAD
                                                                    : ST_FIELD_PADDING;
    if (kind == ST_FIELD_PADDING || st_agree(sent, kind, node->size / 2) != ST_AGREES) {
        return ST_WHOLE;
    }
    return from == 0 ? ST_REAL_PART : from == node->size / 2 ? ST_IMAGINARY_PART : ST_WHOLE;
}

/* `before`: how much of the MPI element lies before the piece. */
static void judge(const struct st_sent *sent, const struct st_field_node *node, int64_t before,
                  struct st_label *label)
{
    if (st_bytes(sent)) {
        judge_bytes(sent, node, label);
        return;
    }
    if (node->kind == ST_FIELD_PADDING) {
        label->finding = ST_FOUND_PADDING;
        return;
    }
    label->why = st_agree(sent, node->kind, node->size);
    if (before == 0 && (label->part = part_of(sent, node, label->from)) != ST_WHOLE) {
        label->why = ST_AGREES;
        label->finding = ST_FOUND_MATCH;
    } else if (label->why == ST_NO_BASIC_TYPE) {
        label->finding = ST_FOUND_NO_TYPE;
    } else if (label->why == ST_AGREES) {
        bool there = before == 0 && label->from == 0;
        label->finding = there ? ST_FOUND_MATCH : ST_FOUND_WRONG_OFFSET;
    } else {
        label->finding = before ? ST_FOUND_INSIDE : ST_FOUND_WRONG_TYPE;
    }
}

/* A piece inside one element of a leaf. */
static enum st_error step_leaf(struct st_matching *m, struct way *way, struct st_comb_piece *item)
{
    const struct st_field_node *node = node_of(m, item);
    const struct st_sent *sent = &m->sent[item->sent];
    bool hull = node->kind == ST_FIELD_PADDING || node->size > MOST_PIECES;
    if (item->at.levels && !hull) { /* several in one element: one by one */
        struct st_comb_piece first = *item;
        uint32_t level = st_nest_widest(&item->at);
        st_nest_set(&first.at, level, 1);
        st_nest_behead(&item->at, level, 1);
        enum st_error error = push_item(m, item);
        return error ? error : push_item(m, &first);
    }
    struct st_label label = {
        .node = item->node,
        .sent = *sent,
        .from = item->at.start,
        .to = item->at.start + st_nest_span(&item->at) + item->size,
        .lowest = item->index.start,
        .shift = item->at.start - item->before,
    };
    judge(sent, node, item->before, &label);
    if (way->trial) {
        way->faults += st_is_fault(label.finding);
        return ST_OK;
    }
    return add_label(m, item, &label);
}

/* --- splitting -------------------------------------------------------------------------------- */

/* Bytes from the first piece's start to the last one's end. */
static int64_t length_of(const struct st_comb_piece *item)
{
    return st_nest_span(&item->at) + item->size;
}

/* The first `head` of a level apart from the rest. */
static enum st_error split_level(struct st_matching *m, struct st_comb_piece *item, uint32_t level,
                                 int64_t head)
{
    struct st_comb_piece first = *item;
    st_nest_set(&first.at, level, head);
    st_nest_behead(&item->at, level, head);
    enum st_error error = push_item(m, item);
    return error ? error : push_item(m, &first);
}

/* Where levels have to go: the first one of one. */
static enum st_error split_widest(struct st_matching *m, struct st_comb_piece *item)
{
    return split_level(m, item, st_nest_widest(&item->at), 1);
}

/* Each piece in two. */
static enum st_error split_piece(struct st_matching *m, struct st_comb_piece *item, int64_t head)
{
    struct st_comb_piece first = *item;
    first.size = head;
    item->at.start += head;
    item->size -= head;
    item->before += st_bytes(&m->sent[item->sent]) ? 0 : head;
    enum st_error error = push_item(m, item);
    return error ? error : push_item(m, &first);
}

/* A level as two: periods, and the elements of one. What is left over is apart. */
static enum st_error split_period(struct st_matching *m, struct st_comb_piece *item, uint32_t level,
                                  int64_t period)
{
    struct st_nest_level whole = item->at.level[level];
    int64_t many = whole.count / period, stride;
    if (whole.count % period) {
        return split_level(m, item, level, many * period);
    }
    if (__builtin_mul_overflow(whole.stride, period, &stride) ||
        item->at.levels + 1 >= ST_NEST_LEVELS) {
        return split_level(m, item, level, 1);
    }
    if (many > 1) {
        item->at.level[item->at.levels++] = (struct st_nest_level){many, stride};
    }
    st_nest_set(&item->at, level, period);
    return push_item(m, item);
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Pieces that cross from one element of `size` bytes into others, all at the same place in it. */
static enum st_error cross(struct st_matching *m, struct st_comb_piece *item, int64_t size)
{
    int64_t into = item->at.start % size, whole = item->size / size;
    bool begins = !st_bytes(&m->sent[item->sent]) && item->before == 0;
    if (item->at.levels == ST_NEST_LEVELS) {
        return split_widest(m, item);
    }
    if (into || begins || whole < 2) {
        return split_piece(m, item, size - into);
    }
    if (item->size % size) {
        return split_piece(m, item, whole * size);
    }
    item->size = size; /* the middle of an element: how far into it does not matter */
    item->at.level[item->at.levels++] = (struct st_nest_level){whole, size};
    return push_item(m, item);
}

/* --- arrays ----------------------------------------------------------------------------------- */

/* The levels that go from element to element, at the same place in each, become indices. Those that
 * do not, and the length of what they span. */
static uint32_t levels_inside(const struct st_comb_piece *item, int64_t size, int64_t *length)
{
    uint32_t widest = NONE;
    *length = item->size;
    for (uint32_t i = 0; i < item->at.levels; i++) {
        const struct st_nest_level *level = &item->at.level[i];
        if (level->stride % size) {
            *length += (level->count - 1) * level->stride;
            if (widest == NONE || level->stride > item->at.level[widest].stride) {
                widest = i;
            }
        }
    }
    return widest;
}

static void enter_elements(struct st_comb_piece *item, const struct st_field_node *node)
{
    struct st_nest *at = &item->at, *index = &item->index;
    index->start = index->start * node->count + at->start / node->size;
    for (uint32_t i = 0; i < index->levels; i++) {
        index->level[i].stride *= node->count;
    }
    for (uint32_t i = 0; i < at->levels;) {
        if (at->level[i].stride % node->size) {
            i++;
        } else {
            index->level[index->levels++] = (struct st_nest_level){
                at->level[i].count,
                at->level[i].stride / node->size,
            };
            st_nest_set(at, i, 1);
        }
    }
    at->start %= node->size;
    item->inside = true;
}

/* A piece in an array of two or more elements. */
static enum st_error step_array(struct st_matching *m, struct st_comb_piece *item)
{
    const struct st_field_node *node = node_of(m, item);
    int64_t size = node->size, into = item->at.start % size, length;
    uint32_t widest = levels_inside(item, size, &length);
    if (into + length <= size && item->at.levels + item->index.levels <= ST_NEST_LEVELS) {
        enter_elements(item, node);
        return push_item(m, item);
    }
    if (into + length <= size) {
        return split_widest(m, item);
    }
    if (widest == NONE) {
        return cross(m, item, size);
    }
    struct st_nest_level level = item->at.level[widest];
    int64_t others = length - (level.count - 1) * level.stride; /* each one's own length */
    if (level.stride < size && size % level.stride == 0 &&
        into % level.stride + others <= level.stride) {
        int64_t each = size / level.stride, head = (size - into + level.stride - 1) / level.stride;
        return into / level.stride ? split_level(m, item, widest, head)
                                   : split_period(m, item, widest, each);
    }
    /* One by one, up to where the same place in another element is met. */
    int64_t period = size / gcd(size, level.stride);
    return period < level.count ? split_period(m, item, widest, period)
                                : split_level(m, item, widest, 1);
}

/* --- groups ----------------------------------------------------------------------------------- */

/* The object and what is before and behind it are as the children of a group, whose node this is.
 */
static uint32_t outermost(const struct st_matching *m)
{
    return m->tree->node_count + ST_OUTSIDES;
}

/* The part of a group that an offset in it lies in. */
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
    uint32_t child = st_fields_child(tree, node_of(m, item), item->at.start);
    *start = tree->nodes[child].offset;
    *end = *start + tree->nodes[child].size * tree->nodes[child].count;
    return child;
}

/* Outside, bytes are counted for MPI_BYTE and its like, and elements for the rest. */
static enum st_error add_outside(struct st_matching *m, struct way *way, struct st_comb_piece *item,
                                 uint32_t side)
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
        .to = item->at.start + length_of(item),
        .lowest = item->at.start,
        .shift = -item->before,
    };
    item->index = item->at;
    if (st_bytes(&label.sent) && item->size > 1 && item->index.levels < ST_NEST_LEVELS) {
        item->index.level[item->index.levels++] = (struct st_nest_level){item->size, 1};
    }
    return add_label(m, item, &label);
}

static enum st_error step_group(struct st_matching *m, struct way *way, struct st_comb_piece *item)
{
    int64_t start, end, length = length_of(item);
    uint32_t part = part_at(m, item, &start, &end);
    if (item->at.start + length <= end) {
        if (part >= m->tree->node_count) {
            return add_outside(m, way, item, part);
        }
        item->at.start -= start;
        item->node = part;
        item->inside = false;
        return push_item(m, item);
    }
    if (!item->at.levels) {
        return split_piece(m, item, end - item->at.start);
    }
    uint32_t widest = st_nest_widest(&item->at);
    struct st_nest_level level = item->at.level[widest];
    int64_t others = length - (level.count - 1) * level.stride;
    int64_t room = end - (item->at.start + others);
    return split_level(m, item, widest, room < 0 ? 1 : room / level.stride + 1);
}

/* --- unions ----------------------------------------------------------------------------------- */

static enum st_error walk_items(struct st_matching *m, struct way *way, size_t base);

static enum st_error try_item(struct st_matching *m, const struct st_comb_piece *item,
                              uint32_t depth, uint64_t *faults)
{
    struct way way = {.trial = true, .depth = depth};
    enum st_error error = push_item(m, item);
    error = error ? error : walk_items(m, &way, m->depth - 1);
    *faults = way.faults;
    return error;
}

static uint32_t member_of(const struct st_matching *m, const struct st_field_node *node, uint32_t i)
{
    return m->tree->children[node->first + i];
}

/* A piece in a union: left for later, when all pieces are there; a trial takes the best. */
static enum st_error step_union(struct st_matching *m, struct way *way, struct st_comb_piece *item)
{
    const struct st_field_node *node = node_of(m, item);
    if (!way->trial) {
        if (!st_spend(&m->work, UNION_WORK)) {
            return ST_OK;
        }
        return keep_item(&m->unions, &m->union_count, &m->union_capacity, item) ? ST_OK
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

/* The faults of each item of one union with each of its members; then each item goes to a member
 * that suits it best, and of those to the one that suits all of them best. */
static enum st_error settle_union(struct st_matching *m, struct st_comb_piece *items, size_t count)
{
    const struct st_field_node *node = node_of(m, items);
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
        struct way way = {0};
        items[item].node = member_of(m, node, best);
        error = push_item(m, &items[item]);
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
    while (m->union_count && !error) { /* a round for each level of unions in unions */
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

static enum st_error step_item(struct st_matching *m, struct way *way, struct st_comb_piece *item)
{
    if (item->node == outermost(m)) {
        return step_group(m, way, item);
    }
    const struct st_field_node *node = node_of(m, item);
    if (!item->inside && node->count > 1) {
        return step_array(m, item);
    }
    switch (node->kind) {
    case ST_FIELD_GROUP:
        return step_group(m, way, item);
    case ST_FIELD_UNION:
        return step_union(m, way, item);
    default:
        return step_leaf(m, way, item);
    }
}

/* Until nothing is left above `base`, or the work is spent. */
static enum st_error walk_items(struct st_matching *m, struct way *way, size_t base)
{
    enum st_error error = ST_OK;
    while (m->depth > base && !error) {
        struct st_comb_piece item = m->stack[--m->depth];
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
        if (same_sent(&m->sent[i], sent)) {
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

/* Strides become positive: the order in which elements are sent does not matter here. */
static bool straighten(struct st_comb_piece *item)
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

/* Bytes side by side are one piece. */
static void melt(struct st_comb_piece *item)
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
    *item = (struct st_comb_piece){
        .node = outermost(m), .inside = true, .size = sent->size, .repeats = 1};
    item->at = comb->at;
    item->at.start = (int64_t)((uint64_t)comb->at.start - origin + (uint64_t)offset);
    if (!straighten(item)) {
        return ST_OVERFLOW;
    }
    if (st_bytes(sent)) {
        melt(item);
    }
    return sent_number(m, sent, &item->sent);
}

static enum st_error add_sent(struct st_matching *m, const struct st_comb *comb, uint64_t origin,
                              const struct st_sent *sent, int64_t offset)
{
    struct st_comb_piece item;
    struct way way = {0};
    enum st_error error = item_of(m, comb, origin, sent, offset, &item);
    error = error ? error : push_item(m, &item);
    return error ? error : walk_items(m, &way, m->depth - 1);
}

/* The halves of a complex number as two real ones, if the program has two where it would not do as
 * a whole: FFTW's complex is such a pair. */
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
