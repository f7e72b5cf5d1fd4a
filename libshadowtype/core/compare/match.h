/*
 * What of a type map falls on which field: each comb is split where it crosses from one field, or
 * one element of an array, into another, until each piece lies over the same bytes of every element
 * it meets. Pieces over one field that say the same are added up under one label.
 *
 * For compare.c alone.
 */
#ifndef ST_CORE_COMPARE_MATCH_H
#define ST_CORE_COMPARE_MATCH_H

#include "core/compare/agree.h"
#include "core/compare/compare.h"
#include "core/compare/cover.h"

/* The places outside of the object, numbered after the nodes. */
enum { ST_BEFORE, ST_BEYOND, ST_OUTSIDES };

struct st_label {
    uint32_t node;
    uint32_t next; /* of the same node; UINT32_MAX: none */
    struct st_sent sent;
    enum st_field_verdict finding;
    enum st_agree why;
    enum st_complex_part part;
    int64_t from, to;     /* bytes of the node's element that the pieces are over: the hull of them.
                             Outside: from the object's first byte on */
    int64_t lowest;       /* the first of the elements; outside: the first byte */
    int64_t shift;        /* from there to where the MPI element over it begins */
    bool again;           /* a stride of 0 */
    struct st_strides at; /* which elements of the node; outside: only how many of the type map */
};

struct st_comb_piece;

struct st_matching {
    const struct st_fields *tree;
    struct st_label *labels;
    uint32_t label_count, label_capacity;
    uint32_t *first; /* label of each node; UINT32_MAX: none */
    bool *touched;   /* by node: something is sent in it */
    struct st_sent *sent;
    uint32_t sent_count, sent_capacity;
    struct st_comb_piece *stack, *unions;
    size_t depth, stack_capacity, union_count, union_capacity;
    uint64_t work; /* what may still be spent; 0: pieces were left out */
};

enum st_error st_match_init(struct st_matching *m, const struct st_fields *tree, uint64_t work);
void st_match_deinit(struct st_matching *m);

/* Adds a comb of a basic type, displaced by -origin. ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_match_comb(struct st_matching *m, const struct st_comb *comb, uint64_t origin);

/* After the last comb: decides what each union is, the member that most of it suits. */
enum st_error st_match_unions(struct st_matching *m);

#endif
