/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indexes of types with a list of blocks (the indexed kinds, STRUCT). They find one of a million
 * blocks without looking at the others:
 *
 *     struct st_indexes indexes;
 *     st_indexes_init(&indexes);
 *     const struct st_sums *sums = st_index_sums(&indexes, type, ST_SENT_ELEMENTS);
 *     ... sums == NULL: no memory ... st_sums_find(sums, 1000000) is a block ...
 *     st_indexes_deinit(&indexes);
 *
 * Each part is made when it is first needed, and kept. Making it costs O(blocks); for spans
 * O(blocks · log) if the blocks are not in order. Sums take 8 bytes a block for each unit, spans
 * 40. The types must outlive the indexes. Not thread-safe.
 */
#ifndef ST_CORE_ADDRESS_INDEX_H
#define ST_CORE_ADDRESS_INDEX_H

#include "core/address/content.h"

struct st_index;
struct st_indexes {
    struct st_index **slots; /* open addressing by the address of the type; NULL: empty */
    size_t size, used;
};

void st_indexes_init(struct st_indexes *indexes);
void st_indexes_deinit(struct st_indexes *indexes);

/* The elements or bytes before each block, for INDEXED, HINDEXED, STRUCT. */
struct st_sums {
    int64_t known;   /* before[0..known] are known; the amount of block `known`, if it exists, is
                      not, because of `error` */
    int64_t *before; /* known + 1 numbers */
    enum st_error error;
};

/* Returns NULL if there is no memory. */
const struct st_sums *st_index_sums(struct st_indexes *indexes, const struct st_type *type,
                                    enum st_unit unit);

/* Returns the block that holds number `at` >= 0, never an empty one; `known` if none of the known
 * blocks does. */
int64_t st_sums_find(const struct st_sums *sums, int64_t at);

/* The bytes of memory of each block, in order of their first byte, for all combiners with a list of
 * blocks. Blocks without data are left out, and so are those whose displacement does not fit in 64
 * bits. */
struct st_spans {
    int64_t count;
    struct st_span {
        int64_t low, high; /* st_bounds of the block, counted from the type's own address */
        int64_t block;
    } *spans;
    int64_t *highest; /* a tree of maxima over `high`: leaf i is highest[leaves + i] */
    int64_t leaves;   /* a power of two */
};

/* Returns NULL if there is no memory. */
const struct st_spans *st_index_spans(struct st_indexes *indexes, const struct st_type *type);

/* Returns how many spans begin at or before byte `at`: the first ones of the list. */
int64_t st_spans_begun(const struct st_spans *spans, int64_t at);
/* Returns the first of the spans from..until-1 that ends after byte `at`; `until` if there is none. */
int64_t st_spans_next(const struct st_spans *spans, int64_t from, int64_t until, int64_t at);

#endif
