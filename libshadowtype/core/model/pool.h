/* Memory that is given back all at once: decoded types and their arrays. Not thread-safe. */
#ifndef ST_CORE_MODEL_POOL_H
#define ST_CORE_MODEL_POOL_H

#include <stddef.h>

struct st_pool_piece;

struct st_pool {
    struct st_pool_piece *pieces;
    size_t bytes; /* of all pieces */
    size_t made;  /* pieces, ever */
};

/* How far a pool was filled. */
struct st_pool_mark {
    struct st_pool_piece *piece; /* the one that is being filled */
    size_t used, made;
};

void st_pool_init(struct st_pool *pool);
void st_pool_deinit(struct st_pool *pool);

/* Zeroed, aligned for anything; NULL: no memory. Valid until st_pool_deinit(). */
void *st_pool_take(struct st_pool *pool, size_t bytes);

/* Makes `data`, the last that this function gave (NULL: none), larger, for what comes bit by bit. It
 * may move; what is new is not zeroed. NULL: no memory, and `data` is as it was. */
void *st_pool_grow(struct st_pool *pool, void *data, size_t bytes);

/* Gives back all that was taken since the mark. */
struct st_pool_mark st_pool_mark(const struct st_pool *pool);
void st_pool_release(struct st_pool *pool, struct st_pool_mark mark);

#endif
