/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is freed all at once: decoded types and their arrays. Not thread-safe. */
#ifndef ST_CORE_MODEL_POOL_H
#define ST_CORE_MODEL_POOL_H

#include <stddef.h>

struct st_pool_piece;

struct st_pool {
    struct st_pool_piece *pieces;
    size_t bytes; /* of all pieces */
    size_t made;  /* pieces made so far, freed ones included */
};

/* How far a pool is filled. */
struct st_pool_mark {
    struct st_pool_piece *piece; /* the one that is being filled */
    size_t used, made;
};

void st_pool_init(struct st_pool *pool);
void st_pool_deinit(struct st_pool *pool);

/* Returns zeroed memory, aligned for any type; NULL if there is no memory. Valid until
 * st_pool_deinit(). */
void *st_pool_take(struct st_pool *pool, size_t bytes);

/* Enlarges `data`, which must be the last result of this function (or NULL), for data that comes
 * bit by bit. It may move; new bytes are not zeroed. Returns NULL if there is no memory; `data` is
 * then unchanged. */
void *st_pool_grow(struct st_pool *pool, void *data, size_t bytes);

/* Frees all that was taken since the mark. */
struct st_pool_mark st_pool_mark(const struct st_pool *pool);
void st_pool_release(struct st_pool *pool, struct st_pool_mark mark);

#endif
