/*
 * Types made by hand, without an image and a decoder: for large ones, deep ones, and many.
 *
 *     struct st_pool pool;
 *     st_pool_init(&pool);
 *     const struct st_type *plane = hand_vector(&pool, ST_VECTOR, k, k, k * k, hand_basic(&pool,
 * 8)); st_pool_deinit(&pool);
 *
 * Arrays are copied. No memory ends the program.
 */
#ifndef TESTS_HAND_H
#define TESTS_HAND_H

#include "core/model/pool.h"
#include "core/model/type.h"

/* An MPI_INT, a MPI_DOUBLE, ... of that size; 1: MPI_CHAR; 0: MPI_LB; else a type without a name
 * that is known. */
const struct st_type *hand_basic(struct st_pool *pool, int64_t size);
/* MPI_SHORT_INT: a short, a gap of two bytes, an int */
const struct st_type *hand_pair(struct st_pool *pool);
const struct st_type *hand_opaque(struct st_pool *pool, int64_t size, int64_t lb, int64_t extent);
const struct st_type *hand_dup(struct st_pool *pool, const struct st_type *base);
const struct st_type *hand_contiguous(struct st_pool *pool, int64_t count,
                                      const struct st_type *base);
/* VECTOR or HVECTOR */
const struct st_type *hand_vector(struct st_pool *pool, enum st_combiner combiner, int64_t count,
                                  int64_t length, int64_t stride, const struct st_type *base);
/* INDEXED, HINDEXED: lengths; INDEXED_BLOCK, HINDEXED_BLOCK: lengths NULL, `length` for all */
const struct st_type *hand_indexed(struct st_pool *pool, enum st_combiner combiner, int64_t count,
                                   const int64_t *offsets, const int64_t *lengths, int64_t length,
                                   const struct st_type *base);
/* Bounds as they follow from the members, without padding. */
const struct st_type *hand_struct(struct st_pool *pool, int64_t count, const int64_t *offsets,
                                  const int64_t *lengths, const struct st_type *const *types);
const struct st_type *hand_subarray(struct st_pool *pool, int64_t ndims, const int64_t *sizes,
                                    const int64_t *subsizes, const int64_t *starts, bool fortran,
                                    const struct st_type *base);
/* dims: gsizes, distribs, dargs, psizes */
const struct st_type *hand_darray(struct st_pool *pool, int64_t size, int64_t rank, int64_t ndims,
                                  const int64_t *const dims[4], bool fortran,
                                  const struct st_type *base);
const struct st_type *hand_resized(struct st_pool *pool, int64_t lb, int64_t extent,
                                   const struct st_type *base);

#endif
