/* Memory that is given back all at once: decoded types and their arrays. Not thread-safe. */
#ifndef ST_CORE_POOL_H
#define ST_CORE_POOL_H

#include <stddef.h>

struct st_pool_piece;

struct st_pool {
    struct st_pool_piece *pieces;
    size_t bytes; /* of all pieces */
};

void st_pool_init(struct st_pool *pool);
void st_pool_deinit(struct st_pool *pool);

/* Zeroed, aligned for anything; NULL: no memory. Valid until st_pool_deinit(). */
void *st_pool_take(struct st_pool *pool, size_t bytes);

#endif
