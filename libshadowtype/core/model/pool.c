/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/model/pool.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Pieces grow from 1 KiB to 64 KiB, with the headers of piece and malloc block. They begin small
 * because most pools hold one or two types, and a piece is zeroed as a whole. */
enum { LOG2_FIRST = 10, LOG2_LARGEST = 16, HEADS = 64 };
#define LARGEST (((size_t)1 << LOG2_LARGEST) - HEADS)

struct st_pool_piece {
    struct st_pool_piece *next;
    size_t used, size;
    size_t number; /* counts the pieces in order of creation */
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

static size_t next_size(const struct st_pool *pool)
{
    size_t larger = pool->made < LOG2_LARGEST - LOG2_FIRST ? pool->made : LOG2_LARGEST - LOG2_FIRST;
    return ((size_t)1 << (LOG2_FIRST + larger)) - HEADS;
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
        bool alone = bytes > LARGEST / 8;
        size_t size = alone || bytes > next_size(pool) ? bytes : next_size(pool);
        struct st_pool_piece *fresh = calloc(1, sizeof(*fresh) + size);
        if (!fresh) {
            return NULL;
        }
        fresh->size = size;
        fresh->number = pool->made++;
        pool->bytes += sizeof(*fresh) + size;
        if (piece && alone) { /* a large allocation gets its own piece: the current piece is
                                 filled further */
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

void *st_pool_grow(struct st_pool *pool, void *data, size_t bytes)
{
    struct st_pool_piece **at = &pool->pieces;
    if (bytes > SIZE_MAX / 2) {
        return NULL;
    }
    while (data && (void *)(*at)->data != data) {
        at = &(*at)->next;
    }
    struct st_pool_piece *old = data ? *at : NULL;
    struct st_pool_piece *piece = realloc(old, sizeof(*piece) + bytes);
    if (!piece) {
        return NULL;
    }
    if (old) {
        pool->bytes -= sizeof(*piece) + piece->size;
        *at = piece;
    } else { /* insert after the piece that is being filled */
        at = pool->pieces ? &pool->pieces->next : at;
        piece->number = pool->made++;
        piece->next = *at;
        *at = piece;
    }
    piece->used = piece->size = bytes;
    pool->bytes += sizeof(*piece) + bytes;
    return piece->data;
}

struct st_pool_mark st_pool_mark(const struct st_pool *pool)
{
    return (struct st_pool_mark){
        .piece = pool->pieces, .used = pool->pieces ? pool->pieces->used : 0, .made = pool->made};
}

void st_pool_release(struct st_pool *pool, struct st_pool_mark mark)
{
    struct st_pool_piece **at = &pool->pieces;
    while (*at) {
        struct st_pool_piece *piece = *at;
        if (piece->number < mark.made) {
            at = &piece->next;
            continue;
        }
        *at = piece->next;
        pool->bytes -= sizeof(*piece) + piece->size;
        free(piece);
    }
    if (mark.piece) {
        memset(mark.piece->data + mark.used, 0, mark.piece->used - mark.used);
        mark.piece->used = mark.used;
    }
}
