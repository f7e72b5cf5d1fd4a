/*
 * Types made in the test's own memory, without a registry: for tests of the algebra that need many
 * types, or such as no decoder would let through.
 *
 *     struct forge forge = {0};
 *     const struct st_type *number = forge_named(&forge, "MPI_INT", 4);
 *     const struct st_type *many = forge_contiguous(&forge, INT64_MAX, number);
 *     forge_deinit(&forge);
 *
 * Arrays are copied. Bounds are what st_measure() makes of the parameters, unless forge_bounds()
 * says otherwise.
 */
#ifndef TESTS_FORGE_H
#define TESTS_FORGE_H

#include "core/model/pool.h"
#include "core/model/type.h"

struct forge {
    struct st_pool pool;
    uint32_t count;
};

void forge_deinit(struct forge *forge);

const struct st_type *forge_named(struct forge *forge, const char *name, int64_t size);
/* A pair type, or any that has a gap. */
const struct st_type *forge_gapped(struct forge *forge, const char *name, int64_t size,
                                   int64_t extent);
/* F90_*, OPAQUE */
const struct st_type *forge_plain(struct forge *forge, enum st_combiner combiner, int64_t a,
                                  int64_t b, int64_t c);
/* A tombstone with nothing left below it. */
const struct st_type *forge_elided(struct forge *forge, enum st_combiner combiner, int64_t count);
const struct st_type *forge_dup(struct forge *forge, const struct st_type *base);
const struct st_type *forge_contiguous(struct forge *forge, int64_t count,
                                       const struct st_type *base);
const struct st_type *forge_vector(struct forge *forge, enum st_combiner combiner, int64_t count,
                                   int64_t length, int64_t stride, const struct st_type *base);
/* lengths NULL: (h)indexed_block, all of `length` */
const struct st_type *forge_indexed(struct forge *forge, enum st_combiner combiner, int64_t count,
                                    const int64_t *offsets, const int64_t *lengths, int64_t length,
                                    const struct st_type *base);
/* offsets NULL: all 0 */
const struct st_type *forge_struct(struct forge *forge, int64_t count, const int64_t *offsets,
                                   const int64_t *lengths, const struct st_type *const *types);
const struct st_type *forge_subarray(struct forge *forge, int64_t ndims, const int64_t *sizes,
                                     const int64_t *subsizes, const int64_t *starts, bool fortran,
                                     const struct st_type *base);
const struct st_type *forge_darray(struct forge *forge, int64_t size, int64_t rank, int64_t ndims,
                                   const int64_t *gsizes, const int64_t *distribs,
                                   const int64_t *dargs, const int64_t *psizes, bool fortran,
                                   const struct st_type *base);
const struct st_type *forge_resized(struct forge *forge, int64_t lb, int64_t extent,
                                    const struct st_type *base);
/* The bounds that MPI would have told. Before anything is built on the type. */
void forge_bounds(const struct st_type *type, int64_t lb, int64_t extent);

#endif
