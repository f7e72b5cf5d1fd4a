/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/compare/fields.h"

#include <stdlib.h>
#include <string.h>

const char *st_field_kind_name(unsigned kind)
{
    static const char *const names[] = {
#define X(name, text) [name] = text,
        ST_FIELD_KINDS(X)
#undef X
    };
    return kind < ST_FIELD_KIND_END ? names[kind] : NULL;
}

/* The tree under construction, with the node of each field of the input. */
struct building {
    struct st_fields *tree;
    uint32_t *tops;  /* by field; ST_NO_FIELD: the field is empty */
    uint32_t *below; /* children of the current group */
    uint32_t below_count;
    struct st_fault *fault;
};

static enum st_error impossible(struct building *b, uint32_t field, const char *what)
{
    return st_fail(b->fault,
                   (struct st_fault){.error = ST_OUT_OF_RANGE, .value = field, .field = what});
}

static enum st_error too_large(struct building *b)
{
    return st_fail(b->fault, (struct st_fault){.error = ST_OVERFLOW});
}

static enum st_error no_memory(struct building *b)
{
    return st_fail(b->fault, (struct st_fault){.error = ST_NO_MEMORY});
}

static int64_t hull_of(const struct st_field_node *node)
{
    return node->size * node->count; /* no overflow: checked when the node was made */
}

/* --- nodes ------------------------------------------------------------------------------------ */

static bool room(void **array, uint32_t *capacity, uint32_t needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    uint32_t wider = *capacity ? *capacity : 64;
    while (wider < needed && wider <= UINT32_MAX / 2) {
        wider *= 2;
    }
    void *moved = wider < needed ? NULL : realloc(*array, wider * size);
    if (!moved) {
        return false;
    }
    *array = moved;
    *capacity = wider;
    return true;
}

static enum st_error add_node(struct building *b, struct st_field_node node, uint32_t *number)
{
    struct st_fields *tree = b->tree;
    int64_t hull, end;
    if (__builtin_mul_overflow(node.size, node.count, &hull) ||
        __builtin_add_overflow(node.offset, hull, &end)) {
        return too_large(b);
    }
    if (!room((void **)&tree->nodes, &tree->node_capacity, tree->node_count + 1,
              sizeof(*tree->nodes))) {
        return no_memory(b);
    }
    *number = tree->node_count++;
    tree->nodes[*number] = node;
    return ST_OK;
}

/* Gives a node the collected children from `from` on, in this order. */
static enum st_error adopt_children(struct building *b, uint32_t parent, const uint32_t *children,
                                    uint32_t count)
{
    struct st_fields *tree = b->tree;
    if (!room((void **)&tree->children, &tree->children_capacity, tree->children_count + count,
              sizeof(*tree->children))) {
        return no_memory(b);
    }
    tree->nodes[parent].first = tree->children_count;
    tree->nodes[parent].children = count;
    for (uint32_t i = 0; i < count; i++) {
        tree->children[tree->children_count++] = children[i];
        tree->nodes[children[i]].parent = parent;
    }
    return ST_OK;
}

/* Makes a group of `size` bytes with one child, and padding around it. */
static enum st_error wrap_field(struct building *b, uint32_t field, uint32_t pad_field,
                                uint32_t child, int64_t size, uint32_t *number)
{
    uint32_t parts[3], count = 0;
    int64_t before = b->tree->nodes[child].offset;
    int64_t end = before + hull_of(&b->tree->nodes[child]);
    enum st_error error = ST_OK;
    struct st_field_node padding = {
        .kind = ST_FIELD_PADDING, .field = pad_field, .count = 1, .size = before};
    if (before) {
        error = add_node(b, padding, &parts[count++]);
    }
    parts[count++] = child;
    if (!error && end < size) {
        padding.offset = end;
        padding.size = size - end;
        error = add_node(b, padding, &parts[count++]);
    }
    struct st_field_node group = {.kind = ST_FIELD_GROUP, .field = field, .size = size, .count = 1};
    error = error ? error : add_node(b, group, number);
    return error ? error : adopt_children(b, *number, parts, count);
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Replaces the overlapping children from..to of the current group by a union. */
static enum st_error merge_fields(struct building *b, uint32_t field, uint32_t from, uint32_t to,
                                  int64_t end, uint32_t *number)
{
    int64_t start = b->tree->nodes[b->below[from]].offset;
    for (uint32_t i = from; i < to; i++) {
        b->tree->nodes[b->below[i]].offset -= start;
        enum st_error error =
            wrap_field(b, ST_NO_FIELD, field, b->below[i], end - start, &b->below[i]);
        if (error) {
            return error;
        }
    }
    struct st_field_node both = {.kind = ST_FIELD_UNION,
                                 .field = ST_NO_FIELD,
                                 .offset = start,
                                 .size = end - start,
                                 .count = 1};
    enum st_error error = add_node(b, both, number);
    return error ? error : adopt_children(b, *number, b->below + from, to - from);
}

/* Insertion sort, because compilers describe members in order, except perhaps for a base class. */
static void sort_below(struct building *b)
{
    const struct st_field_node *nodes = b->tree->nodes;
    for (uint32_t i = 1; i < b->below_count; i++) {
        uint32_t moving = b->below[i], to = i;
        while (to && nodes[b->below[to - 1]].offset > nodes[moving].offset) {
            b->below[to] = b->below[to - 1];
            to--;
        }
        b->below[to] = moving;
    }
}

/* Fills node `group` with the collected children: makes unions of those that overlap, and adds
 * padding between them, and after them up to the node's size. */
static enum st_error lay_out(struct building *b, uint32_t group, uint32_t *parts)
{
    uint32_t field = b->tree->nodes[group].field, count = 0;
    int64_t at = 0;
    enum st_error error = ST_OK;
    struct st_field_node padding = {.kind = ST_FIELD_PADDING, .field = field, .count = 1};
    sort_below(b);
    for (uint32_t i = 0, next; i < b->below_count && !error; i = next) {
        const struct st_field_node *child = &b->tree->nodes[b->below[i]];
        int64_t start = child->offset, end = start + hull_of(child);
        for (next = i + 1; next < b->below_count; next++) {
            child = &b->tree->nodes[b->below[next]];
            if (child->offset >= end) {
                break;
            }
            end = end > child->offset + hull_of(child) ? end : child->offset + hull_of(child);
        }
        if (start > at) {
            padding.offset = at;
            padding.size = start - at;
            error = add_node(b, padding, &parts[count++]);
        }
        if (!error && next > i + 1) {
            error = merge_fields(b, field, i, next, end, &parts[count]);
        } else {
            parts[count] = b->below[i];
        }
        count++;
        at = end;
    }
    if (!error && at < b->tree->nodes[group].size) {
        padding.offset = at;
        padding.size = b->tree->nodes[group].size - at;
        error = add_node(b, padding, &parts[count++]);
    }
    return error ? error : adopt_children(b, group, parts, count);
}

/* Makes the collected children of a union as large as the union. */
static enum st_error lay_over(struct building *b, uint32_t group)
{
    const struct st_field_node *node = &b->tree->nodes[group];
    uint32_t field = node->field;
    int64_t size = node->size;
    for (uint32_t i = 0; i < b->below_count; i++) {
        const struct st_field_node *child = &b->tree->nodes[b->below[i]];
        if (child->offset || hull_of(child) < size) {
            enum st_error error =
                wrap_field(b, ST_NO_FIELD, field, b->below[i], size, &b->below[i]);
            if (error) {
                return error;
            }
        }
    }
    return adopt_children(b, group, b->below, b->below_count);
}

/* --- fields ----------------------------------------------------------------------------------- */

/* Collects the nodes of a field's children; *end is where the last of them ends. */
static void collect_end(struct building *b, uint32_t field, int64_t *end)
{
    const struct st_field *input = b->tree->input;
    uint32_t last = field + input[field].below;
    b->below_count = 0;
    *end = 0;
    for (uint32_t i = field + 1; i <= last; i += input[i].below + 1) {
        uint32_t top = b->tops[i];
        if (top != ST_NO_FIELD) {
            const struct st_field_node *node = &b->tree->nodes[top];
            int64_t to = node->offset + hull_of(node);
            b->below[b->below_count++] = top;
            *end = to > *end ? to : *end;
        }
    }
}

/* Makes the node of one element of a field. */
static enum st_error build_element(struct building *b, uint32_t field, uint32_t *number)
{
    const struct st_field *input = &b->tree->input[field];
    struct st_field_node node = {
        .kind = input->kind, .field = field, .size = input->size, .count = 1};
    bool inner = input->kind == ST_FIELD_GROUP || input->kind == ST_FIELD_UNION;
    int64_t end = 0;
    if (inner) {
        collect_end(b, field, &end);
        if (end > node.size && input->dims) {
            return impossible(b, field, "size");
        }
        /* Padding after the last member is not counted: a class that derives from this one may have
         * a member there. */
        if (end > node.size || (input->kind == ST_FIELD_GROUP && !input->dims && field)) {
            node.size = end;
        }
    }
    if (!node.size || (inner && !b->below_count && field)) {
        return ST_OK;
    }
    enum st_error error = add_node(b, node, number);
    if (error || !inner) {
        return error;
    }
    if (input->kind == ST_FIELD_UNION) {
        return lay_over(b, *number);
    }
    uint32_t *parts = malloc(((size_t)b->below_count * 2 + 1) * sizeof(*parts));
    error = parts ? lay_out(b, *number, parts) : no_memory(b);
    free(parts);
    return error;
}

static enum st_error build_field(struct building *b, uint32_t field)
{
    const struct st_field *input = &b->tree->input[field];
    uint32_t top = ST_NO_FIELD;
    b->tops[field] = ST_NO_FIELD;
    enum st_error error = build_element(b, field, &top);
    for (uint32_t d = input->dims; !error && top != ST_NO_FIELD && d-- > 0;) {
        const struct st_nest_level *dim = &input->dim[d];
        struct st_field_node *node = &b->tree->nodes[top];
        int64_t hull = hull_of(node), all;
        if (dim->count == 0) {
            return ST_OK;
        }
        if (dim->count == 1) {
            continue;
        }
        if (dim->stride < hull) {
            return impossible(b, field, "stride");
        }
        if (dim->stride > hull) {
            error = wrap_field(b, field, field, top, dim->stride, &top);
            node = &b->tree->nodes[top];
        }
        if (error) {
            break;
        }
        if (__builtin_mul_overflow(dim->stride, dim->count, &all)) {
            return too_large(b);
        }
        node->count *= dim->count; /* no overflow: there are fewer elements than bytes */
    }
    if (!error && top != ST_NO_FIELD) {
        struct st_field_node *node = &b->tree->nodes[top];
        int64_t end;
        node->offset = input->offset;
        if (__builtin_add_overflow(node->offset, hull_of(node), &end)) {
            return too_large(b);
        }
        b->tops[field] = top;
    }
    return error;
}

/* --- the input -------------------------------------------------------------------------------- */

/* Replaces an open length of a field's dimension by what the type map reaches. */
static bool close_open(struct st_fields *tree, uint32_t field, int64_t reach)
{
    struct st_nest_level *dim = &tree->dims[tree->input[field].dim - tree->dims];
    if (dim->stride <= 0) {
        return false;
    }
    int64_t rest = reach - tree->input[field].offset; /* an offset is at least 0 */
    dim->count = rest <= 0 ? 0 : rest / dim->stride + (rest % dim->stride != 0);
    return true;
}

static enum st_error check_fields(struct building *b, int64_t reach)
{
    struct st_fields *tree = b->tree;
    if (tree->input[0].below != tree->input_count - 1) {
        return impossible(b, 0, "below");
    }
    for (uint32_t i = 0; i < tree->input_count; i++) {
        const struct st_field *input = &tree->input[i];
        uint32_t last = i + input->below;
        bool inner = input->kind == ST_FIELD_GROUP || input->kind == ST_FIELD_UNION;
        uint32_t above = i ? b->tops[i] : 0;
        if (input->dims > ST_FIELD_DIMS || above + input->dims > ST_FIELD_DIMS) {
            return impossible(b, i, "dims");
        }
        if (input->kind >= ST_FIELD_PADDING || last < i || last >= tree->input_count ||
            (input->below && !inner)) {
            return impossible(b, i, "kind");
        }
        for (uint32_t j = i + 1; j <= last; j += tree->input[j].below + 1) {
            if (tree->input[j].below > last - j) {
                return impossible(b, j, "below");
            }
            b->tops[j] = above + input->dims; /* used meanwhile for the number of dimensions
                                                 above */
        }
        if (input->offset < 0 || input->size < 0) {
            return impossible(b, i, input->size < 0 ? "size" : "offset");
        }
        for (uint32_t d = 0; d < input->dims; d++) {
            bool end = i == 0 || i + input->below == tree->input_count - 1;
            if (input->dim[d].count == ST_FIELD_OPEN && d == 0 && end) {
                if (!close_open(tree, i, reach)) {
                    return impossible(b, i, "stride");
                }
            } else if (input->dim[d].count < 0) {
                return impossible(b, i, "count");
            }
        }
    }
    return ST_OK;
}

static enum st_error copy_input(struct building *b, const struct st_field *fields, uint32_t count)
{
    struct st_fields *tree = b->tree;
    size_t dims = 0;
    for (uint32_t i = 0; i < count; i++) {
        dims += fields[i].dims;
    }
    tree->input = malloc(count * sizeof(*tree->input));
    tree->dims = malloc((dims + 1) * sizeof(*tree->dims));
    b->tops = malloc(count * sizeof(*b->tops));
    b->below = malloc(count * sizeof(*b->below));
    if (!tree->input || !tree->dims || !b->tops || !b->below) {
        return no_memory(b);
    }
    struct st_nest_level *to = tree->dims;
    memcpy(tree->input, fields, count * sizeof(*tree->input));
    tree->input_count = count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t d = 0; d < fields[i].dims; d++) {
            to[d] = fields[i].dim[d];
        }
        tree->input[i].dim = to;
        to += fields[i].dims;
    }
    return ST_OK;
}

enum st_error st_fields_build(struct st_fields **tree, const struct st_field *fields,
                              uint32_t count, int64_t reach, struct st_fault *fault)
{
    struct building b = {.tree = calloc(1, sizeof(**tree)), .fault = fault};
    if (!b.tree || !count) {
        free(b.tree);
        return b.tree ? impossible(&b, 0, "count") : no_memory(&b);
    }
    enum st_error error = copy_input(&b, fields, count);
    error = error ? error : check_fields(&b, reach);
    for (uint32_t i = count; !error && i-- > 0;) { /* children before their parents */
        error = build_field(&b, i);
    }
    if (!error) {
        b.tree->root = b.tops[0];
        if (b.tree->root != ST_NO_FIELD) {
            struct st_field_node *root = &b.tree->nodes[b.tree->root];
            root->parent = b.tree->root;
            b.tree->size = hull_of(root);
        }
        *tree = b.tree;
    } else {
        st_fields_free(b.tree);
    }
    free(b.tops);
    free(b.below);
    return error;
}

void st_fields_free(struct st_fields *tree)
{
    if (tree) {
        free(tree->nodes);
        free(tree->children);
        free(tree->input);
        free(tree->dims);
        free(tree);
    }
}

/* --- the tree --------------------------------------------------------------------------------- */

uint32_t st_fields_child(const struct st_fields *tree, const struct st_field_node *group,
                         int64_t at)
{
    const uint32_t *children = tree->children + group->first;
    uint32_t low = 0, high = group->children;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (tree->nodes[children[middle]].offset <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return children[low];
}

int64_t st_fields_count(const struct st_fields *tree, uint32_t node)
{
    int64_t count = tree->nodes[node].count;
    while (tree->nodes[node].parent != node) {
        node = tree->nodes[node].parent;
        count *= tree->nodes[node].count; /* no overflow: fewer than the bytes of the object */
    }
    return count;
}

int64_t st_fields_offset(const struct st_fields *tree, uint32_t node, int64_t index)
{
    for (int64_t offset = 0;; node = tree->nodes[node].parent) {
        const struct st_field_node *at = &tree->nodes[node];
        offset += at->offset + index % at->count * at->size;
        index /= at->count;
        if (at->parent == node) {
            return offset;
        }
    }
}

uint32_t st_fields_shape(const struct st_fields *tree, uint32_t node, int64_t shape[ST_FIELD_DIMS])
{
    int64_t count = st_fields_count(tree, node), product = 1;
    uint32_t path[ST_FIELD_DIMS], depth = 0, dims = 0;
    uint32_t before = ST_NO_FIELD;
    for (;; node = tree->nodes[node].parent) { /* visit the fields with dimensions, innermost
                                                  first */
        uint32_t field = tree->nodes[node].field;
        if (field != ST_NO_FIELD && field != before && tree->input[field].dims) {
            path[depth++] = field;
            before = field;
        }
        if (tree->nodes[node].parent == node) {
            break;
        }
    }
    while (depth-- > 0) {
        const struct st_field *field = &tree->input[path[depth]];
        for (uint32_t d = 0; d < field->dims && product < count; d++) {
            shape[dims] = field->dim[d].count;
            product *= shape[dims++];
        }
    }
    return dims;
}
