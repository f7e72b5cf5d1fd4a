#include "pool.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

#define PIECE ((size_t)64 * 1024 - 64)

struct st_pool_piece {
    struct st_pool_piece *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
};

void st_pool_init(struct st_pool *pool)
{
    *pool = (struct st_pool){0};
}

void st_pool_deinit(struct st_pool *pool)
{
    while (pool->pieces) {
        struct st_pool_piece *next = pool->pieces->next;
        free(pool->pieces);
        pool->pieces = next;
    }
}

void *st_pool_take(struct st_pool *pool, size_t bytes)
{
    const size_t align = alignof(max_align_t);
    struct st_pool_piece *piece = pool->pieces;
    if (bytes > SIZE_MAX / 2) {
        return NULL;
    }
    bytes = (bytes + align - 1) / align * align;
    if (!piece || piece->size - piece->used < bytes) {
        size_t size = bytes > PIECE / 8 ? bytes : PIECE;
        struct st_pool_piece *fresh = calloc(1, sizeof(*fresh) + size);
        if (!fresh) {
            return NULL;
        }
        fresh->size = size;
        pool->bytes += sizeof(*fresh) + size;
        if (piece && size == bytes) { /* a large one of its own: keep filling the current piece */
            fresh->next = piece->next;
            piece->next = fresh;
        } else {
            fresh->next = piece;
            pool->pieces = fresh;
        }
        piece = fresh;
    }
    void *taken = piece->data + piece->used;
    piece->used += bytes;
    return taken;
}
