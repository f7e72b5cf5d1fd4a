/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that a call uses, and how: its significant buffers; for a v or w collective block by
 * block.
 *
 *     struct st_uses uses;
 *     st_uses_of(&uses, facts);
 *     for (size_t i = 0; i < uses.count; i++)
 *         ... uses.list[i].buffer: the bytes; uses.list[i].access: read or written ...
 *     st_uses_deinit(&uses);
 *
 * It leaves out buffers whose arguments are wrong, or whose types are not known.
 */
#ifndef ST_RUNTIME_WRAP_USES_H
#define ST_RUNTIME_WRAP_USES_H

#include "core/overlap/overlap.h"
#include "runtime/wrap/facts.h"

/* A buffer of a call: `count` elements of a type from `address` on. */
struct st_use {
    struct st_buffer buffer; /* with its layout: see layouts.h; valid until st_uses_deinit() */
    uint64_t address;
    int64_t count;
    uint32_t node;   /* that of the type */
    int32_t members; /* how many blocks, one after the other, were combined */
    const struct st_part *part;
    uint8_t access; /* ST_READ or ST_WRITE */
    bool active;    /* MPI uses it from the beginning of the call on */
    bool in_place;  /* input that is in the output buffer */
};

enum { ST_USES_INSIDE = 4 };

struct st_uses {
    size_t count, capacity;
    struct st_use *list;
    size_t mapped; /* bytes mapped for `list`, unless it is `inside` */
    struct st_use inside[ST_USES_INSIDE];
};

void st_uses_init(struct st_uses *uses);
void st_uses_of(struct st_uses *uses, const struct st_facts *facts);
/* Does the same, faster, for a call without errors that has one buffer and a predefined type. */
void st_uses_of_quick(struct st_uses *uses, const struct st_facts *facts);
void st_uses_deinit(struct st_uses *uses);

/* Stores the peer's rank, or the root, and the tag, in the form of a record. */
void st_uses_peer(const struct st_facts *facts, int32_t *peer, int32_t *tag);

/* The most partitions of an operation that are recorded separately. */
enum { ST_MOST_PARTITIONS = 4096 };

#endif
