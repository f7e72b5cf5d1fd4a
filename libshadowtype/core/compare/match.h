/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out which part of a type map is over which field. A comb is split where it crosses from one
 * field, or one element of an array, into another, until each piece is over the same bytes of every
 * element it meets. Pieces over one field with the same result are added up under one label.
 *
 * For compare.c only.
 */
#ifndef ST_CORE_COMPARE_MATCH_H
#define ST_CORE_COMPARE_MATCH_H

#include "core/compare/agree.h"
#include "core/compare/compare.h"
#include "core/compare/cover.h"

/* The places outside of the object; their numbers follow those of the nodes. */
enum { ST_BEFORE, ST_BEYOND, ST_OUTSIDES };

struct st_label {
    uint32_t node;
    uint32_t next; /* the next label of the same node; UINT32_MAX: this is the last one */
    struct st_sent sent;
    enum st_field_verdict finding;
    enum st_agree why;
    enum st_complex_part part;
    int64_t from, to;     /* the range of bytes of the node's element that the pieces are over.
                             Outside: counted from the object's first byte */
    int64_t lowest;       /* the first of the elements; outside: the first byte */
    int64_t shift;        /* from there to where the MPI element over it begins */
    bool again;           /* some bytes are sent more than once, by a stride of 0 */
    struct st_strides at; /* the elements of the node; outside: only how many elements of the
                             type map */
};

struct st_comb_piece;

struct st_matching {
    const struct st_fields *tree;
    struct st_label *labels;
    uint32_t label_count, label_capacity;
    uint32_t *first; /* first label of each node; UINT32_MAX: no label */
    bool *touched;   /* by node: something is sent in it */
    struct st_sent *sent;
    uint32_t sent_count, sent_capacity;
    struct st_comb_piece *stack, *unions;
    size_t depth, stack_capacity, union_count, union_capacity;
    uint64_t work; /* work that is left; 0: pieces were left out */
};

enum st_error st_match_init(struct st_matching *m, const struct st_fields *tree, uint64_t work);
void st_match_deinit(struct st_matching *m);

/* Adds a comb of a basic type, displaced by -origin. Returns ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_match_comb(struct st_matching *m, const struct st_comb *comb, uint64_t origin);

/* To be called after the last comb: chooses the member of each union that fits most of its pieces. */
enum st_error st_match_unions(struct st_matching *m);

#endif
