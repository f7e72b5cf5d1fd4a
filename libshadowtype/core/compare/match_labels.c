/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the result of each piece over a field, and adds up pieces under labels. */
#include "core/compare/match_internal.h"

#include <stdlib.h>

/* In larger elements only the range from the first to the last piece is reported, not each piece. */
enum { MOST_PIECES = 64 };
static bool same_label(const struct st_label *a, const struct st_label *b)
{
    return a->finding == b->finding && a->why == b->why && a->part == b->part &&
           st_same_sent(&a->sent, &b->sent);
}

/* Returns the label of the node that equals `like`; makes one if there is none. */
static struct st_label *label_for(struct st_matching *m, const struct st_label *like)
{
    for (uint32_t i = m->first[like->node]; i != ST_NO_INDEX; i = m->labels[i].next) {
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

enum st_error st_label_add(struct st_matching *m, const struct st_comb_piece *item,
                           const struct st_label *like)
{
    struct st_label *label = label_for(m, like);
    int64_t before = label ? label->at.elements : 0;
    if (!label || !st_strides_add(&label->at, &item->index)) {
        return ST_NO_MEMORY;
    }
    if (like->node >= m->tree->node_count) {
        label->at.used = 0; /* outside there are no indices, only a number of elements */
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

/* Returns the part of a complex number at the place of a real one (C11, 6.2.5: a complex number is
 * an array of two). */
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

/* Fills in the result of a label. `before` bytes of the MPI element are before the piece. */
static void judge_label(const struct st_sent *sent, const struct st_field_node *node,
                        int64_t before, struct st_label *label)
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

enum st_error st_step_leaf(struct st_matching *m, struct st_match_way *way,
                           struct st_comb_piece *item)
{
    const struct st_field_node *node = st_piece_node(m, item);
    const struct st_sent *sent = &m->sent[item->sent];
    bool hull = node->kind == ST_FIELD_PADDING || node->size > MOST_PIECES;
    if (item->at.levels && !hull) { /* several in one element: handle them one by one */
        struct st_comb_piece first = *item;
        uint32_t level = st_nest_widest(&item->at);
        st_nest_set(&first.at, level, 1);
        st_nest_behead(&item->at, level, 1);
        enum st_error error = st_piece_push(m, item);
        return error ? error : st_piece_push(m, &first);
    }
    struct st_label label = {
        .node = item->node,
        .sent = *sent,
        .from = item->at.start,
        .to = item->at.start + st_nest_span(&item->at) + item->size,
        .lowest = item->index.start,
        .shift = item->at.start - item->before,
    };
    judge_label(sent, node, item->before, &label);
    if (way->trial) {
        way->faults += st_is_fault(label.finding);
        return ST_OK;
    }
    return st_label_add(m, item, &label);
}
