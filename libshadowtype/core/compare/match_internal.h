/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the files of st_match_comb() (match.h) only: match.c moves a comb down the tree of
 * fields, match_pieces.c splits its pieces, match_labels.c adds up the results for the fields.
 */
#ifndef ST_CORE_COMPARE_MATCH_INTERNAL_H
#define ST_CORE_COMPARE_MATCH_INTERNAL_H

#include "core/compare/match.h"
#include "core/compare/nest.h"

#define ST_NO_INDEX UINT32_MAX

/* A piece of a comb on its way down the tree. */
struct st_comb_piece {
    uint32_t node;
    bool inside;     /* true: within an element of the node; false: in the node's array */
    int64_t repeats; /* how often a stride of 0 repeats the same bytes */
    uint32_t sent;
    int64_t size;         /* bytes of each piece */
    int64_t before;       /* bytes of the MPI element that are before the piece */
    struct st_nest at;    /* in bytes: where the pieces begin in the node's element, or array */
    struct st_nest index; /* in elements: indices in all arrays above, numbered as one array */
};

/* Copies the levels that are used, and all else. */
static inline void st_piece_copy(struct st_comb_piece *to, const struct st_comb_piece *from)
{
    to->node = from->node;
    to->inside = from->inside;
    to->repeats = from->repeats;
    to->sent = from->sent;
    to->size = from->size;
    to->before = from->before;
    st_nest_copy(&to->at, &from->at);
    st_nest_copy(&to->index, &from->index);
}

/* A walk down the tree: either the pieces are added to labels, or the walk is a trial that only
 * counts mismatches. */
struct st_match_way {
    bool trial;
    uint32_t depth;  /* depth of nested unions */
    uint64_t faults; /* mismatches found by a trial */
};

static inline const struct st_field_node *st_piece_node(const struct st_matching *m,
                                                        const struct st_comb_piece *item)
{
    return &m->tree->nodes[item->node];
}

static inline bool st_same_sent(const struct st_sent *a, const struct st_sent *b)
{
    return a->basic == b->basic && a->member == b->member && a->half == b->half;
}

/* Returns the bytes from the first piece's start to the last one's end. */
static inline int64_t st_piece_length(const struct st_comb_piece *item)
{
    return st_nest_span(&item->at) + item->size;
}

/* match_pieces.c: adds a piece to a list. Returns false if there is no memory. */
bool st_piece_keep(struct st_comb_piece **items, size_t *count, size_t *capacity,
                   const struct st_comb_piece *item);
/* Pushes a piece on the stack of work. This and the following functions return ST_NO_MEMORY. */
enum st_error st_piece_push(struct st_matching *m, const struct st_comb_piece *item);
/* Pushes two pieces: the first `head` of a level, and the rest. */
enum st_error st_piece_split_level(struct st_matching *m, struct st_comb_piece *item,
                                   uint32_t level, int64_t head);
/* Pushes two pieces: the first `head` bytes of each, and the rest of each. */
enum st_error st_piece_split(struct st_matching *m, struct st_comb_piece *item, int64_t head);
/* Moves a piece from an array of two or more elements into its elements. */
enum st_error st_step_array(struct st_matching *m, struct st_comb_piece *item);

/* match_labels.c: adds a piece to the label that equals `like`. */
enum st_error st_label_add(struct st_matching *m, const struct st_comb_piece *item,
                           const struct st_label *like);
/* Finds the result of a piece inside one element of a leaf. */
enum st_error st_step_leaf(struct st_matching *m, struct st_match_way *way,
                           struct st_comb_piece *item);

#endif
