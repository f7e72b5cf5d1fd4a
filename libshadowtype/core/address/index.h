/*
 * What is worked out once for a type whose blocks stand in lists (the indexed kinds, STRUCT), so
 * that one of a million blocks is found without looking at the others:
 *
 *     struct st_indexes indexes;
 *     st_indexes_init(&indexes);
 *     const struct st_sums *sums = st_index_sums(&indexes, type, ST_SENT_ELEMENTS);
 *     ... sums == NULL: no memory ... st_sums_find(sums, 1000000) is a block ...
 *     st_indexes_deinit(&indexes);
 *
 * Each part is made when it is first asked for, in O(blocks), for spans O(blocks · log) if the
 * blocks are not in order, and kept: 8 bytes a block for the sums of either unit, 40 for spans. The
 * types must outlive the indexes. Not thread-safe.
 */
#ifndef ST_CORE_ADDRESS_INDEX_H
#define ST_CORE_ADDRESS_INDEX_H

#include "core/address/content.h"

struct st_index;
struct st_indexes {
    struct st_index **slots; /* open addressing by the type's address; NULL: empty */
    size_t size, used;
};

void st_indexes_init(struct st_indexes *indexes);
void st_indexes_deinit(struct st_indexes *indexes);

/* How much stands before each block: INDEXED, HINDEXED, STRUCT. */
struct st_sums {
    int64_t known; /* before[0..known] are known; block `known`, if there is one, is the first whose
                      amount is not, because of `error` */
    int64_t *before; /* known + 1 */
    enum st_error error;
};

/* NULL: no memory. */
const struct st_sums *st_index_sums(struct st_indexes *indexes, const struct st_type *type,
                                    enum st_unit unit);

/* The block that holds number `at` >= 0, never an empty one; `known`: none of the known ones does.
 */
int64_t st_sums_find(const struct st_sums *sums, int64_t at);

/* Where the data of the blocks lie: all combiners with a list of blocks. In order of the first
 * byte. Blocks without data, and those whose displacement leaves 64 bits, are not among them. */
struct st_spans {
    int64_t count;
    struct st_span {
        int64_t low, high; /* st_bounds of the block, from the type's own address */
        int64_t block;
    } * spans;
    int64_t *highest; /* a tree of maxima over `high`: leaf i is highest[leaves + i] */
    int64_t leaves;   /* a power of two */
};

/* NULL: no memory. */
const struct st_spans *st_index_spans(struct st_indexes *indexes, const struct st_type *type);

/* How many of the spans begin at or before byte `at`: they are the first ones. */
int64_t st_spans_begun(const struct st_spans *spans, int64_t at);
/* The first of the spans from..until-1 that ends after byte `at`; `until`: none. */
int64_t st_spans_next(const struct st_spans *spans, int64_t from, int64_t until, int64_t at);

#endif
