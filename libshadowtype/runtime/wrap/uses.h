/*
 * What memory a call uses, and how: its significant buffers, a v or w collective's block by block.
 *
 *     struct st_uses uses;
 *     st_uses_of(&uses, facts);
 *     for (size_t i = 0; i < uses.count; i++)
 *         ... uses.list[i].buffer: the bytes; uses.list[i].access: read or written ...
 *     st_uses_deinit(&uses);
 *
 * Of arguments that are wrong, and of types that are not known, nothing is in it.
 */
#ifndef ST_RUNTIME_WRAP_USES_H
#define ST_RUNTIME_WRAP_USES_H

#include "core/overlap/overlap.h"
#include "runtime/wrap/facts.h"

/* `count` elements of a type from `address` on. */
struct st_use {
    struct st_buffer buffer; /* its layout: see layouts.h, until st_uses_deinit() */
    uint64_t address;
    int64_t count;
    uint32_t node;   /* the type's */
    int32_t members; /* blocks, one behind the other, that are taken together */
    const struct st_part *part;
    uint8_t access; /* ST_READ, ST_WRITE */
    bool active;    /* MPI uses it from the beginning on */
    bool in_place;  /* input that stands in the output's buffer */
};

enum { ST_USES_INSIDE = 4 };

struct st_uses {
    size_t count, capacity;
    struct st_use *list;
    size_t mapped; /* bytes, where `list` is not `inside` */
    struct st_use inside[ST_USES_INSIDE];
};

void st_uses_init(struct st_uses *uses);
void st_uses_of(struct st_uses *uses, const struct st_facts *facts);
/* Of a call with one buffer and a predefined type in which nothing is wrong. */
void st_uses_of_sound(struct st_uses *uses, const struct st_facts *facts);
void st_uses_deinit(struct st_uses *uses);

/* The rank of the other side, or the root, and the tag, as a record has them. */
void st_uses_peer(const struct st_facts *facts, int32_t *peer, int32_t *tag);

/* The most partitions of an operation that are told from one another. */
enum { ST_MOST_PARTITIONS = 4096 };

#endif
