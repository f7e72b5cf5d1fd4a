/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "core/compare/match.h"
#include "core/compare/work.h"

const char *st_field_verdict_name(unsigned finding)
{
    static const char *const names[] = {
#define X(name, text) [name] = text,
        ST_FIELD_VERDICTS(X)
#undef X
    };
    return finding < ST_FIELD_VERDICT_END ? names[finding] : NULL;
}

/* --- the type map ----------------------------------------------------------------------------- */

/* Stores where the data of `count` repetitions begins and ends. Returns false if this is not known,
 * or does not fit in 64 bits. */
static bool data_bounds(const struct st_type *type, int64_t count, int64_t *low, int64_t *high)
{
    const struct st_measure *measure = &type->measure;
    int64_t last = 0, extent = 0;
    *low = *high = 0;
    if (count <= 0) {
        return true;
    }
    if (measure->unknown & ST_UNKNOWN_TRUE_BOUNDS) {
        return false;
    }
    if (count > 1 &&
        (!st_extent(type, &extent) || __builtin_mul_overflow(extent, count - 1, &last))) {
        return false;
    }
    return !__builtin_add_overflow(measure->true_lb, last < 0 ? last : 0, low) &&
           !__builtin_add_overflow(measure->true_ub, last > 0 ? last : 0, high);
}

/* Returns true if the displacements are absolute addresses (MPI_Get_address): they are far after
 * the object's end if counted from its start, but within it if counted from 0. */
static bool is_absolute(const struct st_fields *tree, bool open, uint64_t address, int64_t low,
                        int64_t high)
{
    int64_t at = (int64_t)address;
    int64_t end = open ? INT64_MAX : tree->size;
    const int64_t far = 1 << 20; /* no object is in the first megabyte */
    if (at < far || low < far || high <= at) {
        return false;
    }
    return open || (low >= end && low - end < at);
}

static int64_t elements_of(const struct st_comb *comb)
{
    int64_t elements = 1;
    for (uint32_t i = 0; i < comb->at.levels; i++) {
        if (__builtin_mul_overflow(elements, comb->at.level[i].count, &elements)) {
            return INT64_MAX;
        }
    }
    return elements;
}

/* Matches all combs of the type map, or as many as the work limit allows. */
static enum st_error match_all(struct st_comparison *found, struct st_matching *m,
                               const struct st_type *type, int64_t count, uint64_t origin)
{
    struct st_combs combs;
    struct st_comb comb;
    bool more = true;
    enum st_error error = st_combs_init(&combs, type, count);
    while (!error && !(error = st_combs_next(&combs, m->work, &comb, &more)) && more) {
        uint64_t steps = combs.steps;
        combs.steps = 0;
        if (!comb.leaf || !st_spend(&m->work, steps)) {
            m->work = 0;
        } else if (!comb.leaf->leaf || comb.leaf->basic.size <= 0) {
            found->unknown++;
        } else {
            error = st_match_comb(m, &comb, origin);
        }
        if (!m->work) {
            break;
        }
        int64_t elements = elements_of(&comb);
        found->compared =
            found->compared > INT64_MAX - elements ? INT64_MAX : found->compared + elements;
    }
    st_combs_deinit(&combs);
    error = error ? error : st_match_unions(m);
    found->complete = m->work != 0;
    return error;
}

/* --- rows ------------------------------------------------------------------------------------- */

struct rows {
    struct st_comparison *found;
    const struct st_matching *m;
    uint64_t work;
};

static struct st_compare_row *add_row(struct st_comparison *found, struct st_compare_row row)
{
    if (found->count == found->capacity) {
        size_t capacity = found->capacity ? found->capacity * 2 : 16;
        struct st_compare_row *wider = realloc(found->rows, capacity * sizeof(*wider));
        if (!wider) {
            return NULL;
        }
        found->rows = wider;
        found->capacity = capacity;
    }
    found->rows[found->count] = row;
    return &found->rows[found->count++];
}

/* Returns the index of a part's first element, counted over the whole array. */
static int64_t first_of(const struct st_cover_part *part, const int64_t *shape, uint32_t dims)
{
    int64_t index = 0;
    for (uint32_t d = 0; d < dims; d++) {
        index = index * shape[d] + part->box[0].dim[d].first;
    }
    return index;
}

/* Returns the index of the last element of a part that is one box. */
static int64_t last_of(const struct st_cover_part *part, const int64_t *shape, uint32_t dims)
{
    int64_t index = 0;
    for (uint32_t d = 0; d < dims; d++) {
        index = index * shape[d] + part->box[0].dim[d].last;
    }
    return index;
}

static struct st_compare_row row_of(const struct rows *rows, uint32_t number)
{
    const struct st_field_node *node = &rows->found->tree->nodes[number];
    return (struct st_compare_row){
        .kind = node->kind,
        .field = node->field,
        .size = node->size,
        .all = st_fields_count(rows->found->tree, number),
    };
}

/* Stores which elements of a node a row describes. */
static void locate_part(const struct rows *rows, uint32_t node, const int64_t *shape, uint32_t dims,
                        const struct st_cover_part *part, struct st_compare_row *row)
{
    row->dims = dims;
    row->where = *part;
    row->elements = part->elements;
    row->located = true;
    row->offset = st_fields_offset(rows->found->tree, node, first_of(part, shape, dims));
}

/* Computes a cover. ST_OUT_OF_RANGE, the work limit, is no error: the row then says less. */
static bool covered(struct rows *rows, const int64_t *shape, uint32_t dims,
                    const struct st_strides *sets, size_t count, struct st_cover *cover,
                    enum st_error *error)
{
    *error = st_cover(shape, dims, sets, count, &rows->work, cover);
    bool enough = *error != ST_OUT_OF_RANGE;
    *error = enough ? *error : ST_OK;
    return enough && !*error;
}

/* Adds the row of a label. *known: `cover`, that of the label, is filled. */
static enum st_error label_row(struct rows *rows, const struct st_label *label,
                               const int64_t *shape, uint32_t dims, struct st_cover *cover,
                               bool *known)
{
    struct st_compare_row row = row_of(rows, label->node);
    enum st_error error;
    row.finding = label->finding;
    row.why = label->why;
    row.part = label->part;
    row.sent = true;
    row.mpi = label->sent;
    row.from = label->from;
    row.to = label->to;
    row.again = label->again;
    *known = covered(rows, shape, dims, &label->at, 1, cover, &error);
    if (*known) {
        locate_part(rows, label->node, shape, dims, &cover->in, &row);
        /* Several MPI elements may be over a field that none of them matches: then the field itself
         * is not sent more than once. */
        row.again |= cover->more > 0 && label->finding <= ST_FOUND_BYTES;
    } else if (!error) {
        row.elements = label->at.elements < row.all ? label->at.elements : row.all;
        row.offset = st_fields_offset(rows->found->tree, label->node, label->lowest);
    }
    row.displacement = row.offset + label->shift;
    row.last = row.displacement;
    if (row.located && row.where.boxes == 1) {
        int64_t last = last_of(&row.where, shape, dims);
        row.last = st_fields_offset(rows->found->tree, label->node, last) + label->shift;
        row.last += st_bytes(&label->sent) ? label->to - label->from - 1 : 0;
    }
    return error ? error : add_row(rows->found, row) ? ST_OK : ST_NO_MEMORY;
}

/* Adds a row for elements that are not sent. part NULL: their indices are not known, only that
 * there are at least `elements`. */
static enum st_error not_sent_row(struct rows *rows, uint32_t node, const int64_t *shape,
                                  uint32_t dims, const struct st_cover_part *part, int64_t elements)
{
    struct st_compare_row row = row_of(rows, node);
    row.finding = ST_FOUND_NOT_SENT;
    row.elements = elements;
    if (part) {
        locate_part(rows, node, shape, dims, part, &row);
    }
    return add_row(rows->found, row) ? ST_OK : ST_NO_MEMORY;
}

static int by_offset(const void *a, const void *b)
{
    const struct st_compare_row *one = a, *two = b;
    if (one->offset != two->offset) {
        return one->offset < two->offset ? -1 : 1;
    }
    return (one->displacement > two->displacement) - (one->displacement < two->displacement);
}

static void sort_rows(struct st_comparison *found, size_t first)
{
    if (found->count > first + 1) {
        qsort(found->rows + first, found->count - first, sizeof(*found->rows), by_offset);
    }
}

/* Counts a leaf by its rows, from `first` on. */
static void count_field(struct st_comparison *found, size_t first)
{
    bool fault = false, bytes = false, part = false, unknown = false;
    for (size_t i = first; i < found->count; i++) {
        enum st_field_verdict finding = found->rows[i].finding;
        fault |= st_is_fault(finding);
        bytes |= finding == ST_FOUND_BYTES;
        unknown |= finding == ST_FOUND_UNKNOWN;
        part |= finding == ST_FOUND_NOT_SENT;
    }
    found->fields++;
    found->different += fault;
    found->as_bytes += bytes;
    found->unknown += unknown;
    found->in_part += part;
}

/* Adds the row of the elements of a leaf that none of its labels covers. `one` is the cover of the
 * only label. */
static enum st_error rest_row(struct rows *rows, uint32_t node, const int64_t *shape, uint32_t dims,
                              uint32_t labels, const struct st_cover *one)
{
    const struct st_matching *m = rows->m;
    int64_t rest = st_fields_count(rows->found->tree, node);
    struct st_strides *sets = malloc((labels + 1) * sizeof(*sets));
    struct st_cover cover;
    enum st_error error = sets ? ST_OK : ST_NO_MEMORY;
    labels = 0;
    for (uint32_t i = m->first[node]; sets && i != UINT32_MAX; i = m->labels[i].next) {
        sets[labels++] = m->labels[i].at;
        rest -= rest < m->labels[i].at.elements ? rest : m->labels[i].at.elements;
    }
    bool known = one || (!error && covered(rows, shape, dims, sets, labels, &cover, &error));
    const struct st_cover_part *out = !known ? NULL : one ? &one->out : &cover.out;
    rest = out ? out->elements : rest;
    if (!error && rest) {
        error = not_sent_row(rows, node, shape, dims, out, rest);
    }
    free(sets);
    return error;
}

/* Adds the rows of a leaf or of padding that something is sent in. quiet: do not report what is not
 * sent, because another member of the same union may be sent. */
static enum st_error leaf_rows(struct rows *rows, uint32_t node, bool quiet)
{
    struct st_comparison *found = rows->found;
    const struct st_matching *m = rows->m;
    bool padding = found->tree->nodes[node].kind == ST_FIELD_PADDING, known = false;
    int64_t shape[ST_FIELD_DIMS];
    uint32_t dims = st_fields_shape(found->tree, node, shape), labels = 0;
    size_t first = found->count;
    struct st_cover cover;
    enum st_error error = ST_OK;
    for (uint32_t i = m->first[node]; i != UINT32_MAX && !error; i = m->labels[i].next) {
        error = label_row(rows, &m->labels[i], shape, dims, &cover, &known);
        labels++;
    }
    if (!error && !padding && !quiet && found->complete) {
        error = rest_row(rows, node, shape, dims, labels, labels == 1 && known ? &cover : NULL);
    }
    sort_rows(found, first);
    if (padding) {
        for (size_t i = first; i < found->count; i++) {
            found->padding |= found->rows[i].finding == ST_FOUND_PADDING;
        }
    } else {
        count_field(found, first);
    }
    return error;
}

/* A walk over the tree, in order of offsets. */
struct place {
    uint32_t node;
    bool quiet;
};

struct places {
    struct place *stack;
    size_t depth;
};

/* Returns how many fields a node contains: its leaves; a union counts as one. */
static int64_t fields_in(const struct st_fields *tree, uint32_t node, struct places *places)
{
    int64_t fields = 0;
    size_t base = places->depth;
    places->stack[places->depth++] = (struct place){node, false};
    while (places->depth > base) {
        const struct st_field_node *at = &tree->nodes[places->stack[--places->depth].node];
        if (at->kind == ST_FIELD_GROUP) {
            for (uint32_t i = 0; i < at->children; i++) {
                places->stack[places->depth++] =
                    (struct place){tree->children[at->first + i], false};
            }
        } else {
            fields += at->kind != ST_FIELD_PADDING;
        }
    }
    return fields;
}

/* Adds the row of a node that nothing is sent in: one for all that is below it. */
static enum st_error untouched(struct rows *rows, struct places *places, struct place at)
{
    struct st_comparison *found = rows->found;
    const struct st_field_node *node = &found->tree->nodes[at.node];
    if (node->kind == ST_FIELD_PADDING || at.quiet || !found->complete) {
        return ST_OK;
    }
    int64_t fields = fields_in(found->tree, at.node, places);
    int64_t shape[ST_FIELD_DIMS];
    uint32_t dims = st_fields_shape(found->tree, at.node, shape);
    struct st_cover cover;
    enum st_error error;
    found->fields += fields;
    found->not_sent += fields;
    bool known = covered(rows, shape, dims, NULL, 0, &cover, &error);
    return error ? error
                 : not_sent_row(rows, at.node, shape, dims, known ? &cover.out : NULL,
                                st_fields_count(found->tree, at.node));
}

/* Pushes the children of a group or union, the first on top. */
static void enter_place(const struct rows *rows, struct places *places, struct place at)
{
    const struct st_fields *tree = rows->found->tree;
    const struct st_field_node *node = &tree->nodes[at.node];
    const uint32_t *children = tree->children + node->first;
    uint32_t members = 0;
    for (uint32_t i = 0; node->kind == ST_FIELD_UNION && i < node->children; i++) {
        members += rows->m->touched[children[i]];
    }
    for (uint32_t i = node->children; i-- > 0;) {
        if (members == 0 || rows->m->touched[children[i]]) {
            places->stack[places->depth++] = (struct place){children[i], at.quiet || members > 1};
        }
    }
}

static enum st_error inside_rows(struct rows *rows)
{
    const struct st_fields *tree = rows->found->tree;
    struct places places = {malloc(((size_t)tree->node_count + 1) * 2 * sizeof(struct place)), 0};
    enum st_error error = places.stack ? ST_OK : ST_NO_MEMORY;
    if (!error && tree->root != ST_NO_FIELD) {
        places.stack[places.depth++] = (struct place){tree->root, false};
    }
    while (!error && places.depth) {
        struct place at = places.stack[--places.depth];
        const struct st_field_node *node = &tree->nodes[at.node];
        bool inner = node->kind == ST_FIELD_GROUP || node->kind == ST_FIELD_UNION;
        bool touched = rows->m->touched[at.node];
        if (inner && (touched || node->field == ST_NO_FIELD)) {
            enter_place(rows, &places, at);
        } else {
            error = touched ? leaf_rows(rows, at.node, at.quiet) : untouched(rows, &places, at);
        }
    }
    free(places.stack);
    return error;
}

static enum st_error outside_rows(struct rows *rows, uint32_t side)
{
    struct st_comparison *found = rows->found;
    const struct st_matching *m = rows->m;
    size_t first = found->count;
    uint32_t place = found->tree->node_count + side;
    for (uint32_t i = m->first[place]; i != UINT32_MAX; i = m->labels[i].next) {
        const struct st_label *label = &m->labels[i];
        struct st_compare_row row = {
            .finding = found->absolute ? ST_FOUND_ELSEWHERE : label->finding,
            .kind = ST_FIELD_PADDING,
            .field = ST_NO_FIELD,
            .offset = label->from,
            .size = label->to - label->from,
            .sent = true,
            .mpi = label->sent,
            .displacement = label->lowest + label->shift,
            .last = label->lowest + label->shift,
            .again = label->again,
            .elements = label->at.elements,
        };
        if (!add_row(found, row)) {
            return ST_NO_MEMORY;
        }
        found->outside |= !found->absolute;
    }
    sort_rows(found, first);
    return ST_OK;
}

/* --- the comparison --------------------------------------------------------------------------- */

/* Returns the element type of the object's array; the array may be wrapped in a struct, as in
 * std::array. */
static int64_t repeated(const struct st_fields *tree)
{
    if (tree->root == ST_NO_FIELD) {
        return tree->input[0].size;
    }
    const struct st_field_node *node = &tree->nodes[tree->root];
    while (node->kind == ST_FIELD_GROUP && node->children == 1) {
        node = &tree->nodes[tree->children[node->first]];
    }
    return node->size;
}

static enum st_error compare_type(struct st_comparison *found, const struct st_type *type,
                                  int64_t count, bool open, struct st_compare_at at, int64_t low,
                                  int64_t high, uint64_t work)
{
    struct st_matching m;
    /* A box costs less work than a piece: allow more of them. */
    struct rows rows = {.found = found, .m = &m, .work = 4 * work};
    found->absolute = is_absolute(found->tree, open, at.address, low, high);
    found->origin = (int64_t)(found->absolute ? at.address : 0 - (uint64_t)at.start);
    found->size = found->tree->size;
    found->element = repeated(found->tree);
    enum st_error error = st_match_init(&m, found->tree, work);
    if (error) {
        return error;
    }
    error = match_all(found, &m, type, count, (uint64_t)found->origin);
    error = error ? error : outside_rows(&rows, ST_BEFORE);
    error = error ? error : inside_rows(&rows);
    error = error ? error : outside_rows(&rows, ST_BEYOND);
    st_match_deinit(&m);
    return error;
}

enum st_error st_compare(struct st_comparison **found, const struct st_type *type, int64_t count,
                         const struct st_field *fields, uint32_t field_count,
                         struct st_compare_at at, uint64_t work, struct st_fault *fault)
{
    int64_t low = 0, high = 0, first, reach;
    bool open = field_count && fields[0].dims && fields[0].dim[0].count == ST_FIELD_OPEN;
    bool known = data_bounds(type, count, &low, &high);
    if ((!known && open) || __builtin_add_overflow(low, at.start, &first) ||
        __builtin_add_overflow(high, at.start, &reach)) {
        return st_fail(fault, (struct st_fault){.error = ST_OVERFLOW});
    }
    struct st_comparison *made = calloc(1, sizeof(*made));
    if (!made) {
        return st_fail(fault, (struct st_fault){.error = ST_NO_MEMORY});
    }
    if (open && is_absolute(NULL, open, at.address, low, high)) {
        reach = high - (int64_t)at.address;
    }
    enum st_error error = st_fields_build(&made->tree, fields, field_count, reach, fault);
    if (!error) {
        error = compare_type(made, type, count, open, at, low, high, work);
        error = error ? st_fail(fault, (struct st_fault){.error = error}) : ST_OK;
    }
    if (error) {
        st_comparison_free(made);
    } else {
        *found = made;
    }
    return error;
}

void st_comparison_free(struct st_comparison *found)
{
    if (found) {
        st_fields_free(found->tree);
        free(found->rows);
        free(found);
    }
}
