/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the files of the decoder (decode_*.c) only.
 *
 * What is kept, and how long:
 *   memory    pages that were read; until the rank changes anything
 *   types     decoded types; the same, but users may hold references
 *   lasting   what cannot have changed; until the process is another one
 */
#ifndef ST_CORE_DECODE_DECODE_INTERNAL_H
#define ST_CORE_DECODE_DECODE_INTERNAL_H

#include "core/decode/decode.h"
#include "core/model/pool.h"

/* ordinal → type: open addressing */
struct st_type_map {
    struct st_type **slots; /* NULL: the slot is empty */
    size_t slot_count, used;
};

/* The arrays of one node, if they are long. They never change while its serial stays. */
struct st_arrays {
    size_t references;
    uint64_t serial, block; /* of the node */
    int64_t args[3];
    uint32_t ordinal, combiner;
    uint32_t flags; /* the widths */
    uint64_t bytes; /* of the block */
    struct st_pool pool;
    int64_t entries;
    const int64_t *offsets, *lengths, *dims[4];
    const uint32_t *bases;
};

struct st_arrays_list {
    struct st_arrays **items; /* one reference to each */
    size_t count, room;
};

/* What stays valid after a change of the registry (registry.h, "These never change"). It survives a
 * refresh, but not the process. */
struct st_lasting {
    size_t references;
    uint64_t *chunks; /* addresses of node chunks; 0: not read yet */
    uint32_t chunk_count;
    struct st_type_map leaves;    /* predefined types that are bases of others */
    struct st_pool pool;          /* of the leaves */
    struct st_arrays_list arrays; /* oldest first */
    uint64_t arrays_bytes;
};

struct st_types {
    size_t references;
    struct st_pool pool;
    struct st_type_map by_ordinal;
    struct st_lasting *lasting;
    struct st_arrays_list arrays; /* the arrays that its types use */
    uint64_t arrays_bytes;        /* bytes of those read since the last change */
};

/* How much has been decoded. */
struct st_types_mark {
    struct st_pool_mark pool;
    size_t arrays;
    uint64_t arrays_bytes;
};

struct st_registry {
    uint64_t address;
    struct st_root root;
    struct st_memory memory;
    struct st_types *types;
    struct st_lasting *lasting;
};

/* decode_read.c: faults, and bytes. All functions return the error that they store. */
enum st_error st_bad_root(struct st_fault *fault, const char *field, uint64_t value);
enum st_error st_bad_node(struct st_fault *fault, uint32_t node, const char *field, uint64_t value);
enum st_error st_no_memory(struct st_fault *fault);
enum st_error st_read_at(struct st_registry *registry, uint64_t address, void *buffer,
                         size_t length, struct st_fault *fault);
/* Adds to a fault of st_read_at() what was to be read. Returns `error`. */
enum st_error st_about(enum st_error error, const char *field, uint32_t node,
                       struct st_fault *fault);
/* Reads the address of chunk number `chunk` of the directory that `field` of the root names. */
enum st_error st_chunk_address(struct st_registry *registry, const char *field, uint64_t directory,
                               uint32_t chunk, uint64_t *address, struct st_fault *fault);
enum st_error st_node_address(struct st_registry *registry, uint32_t ordinal, uint64_t *address,
                              struct st_fault *fault);
/* Reads nodes of one chunk, unchecked. Members that are not valid yet (registry.h) are cleared. */
enum st_error st_read_nodes(struct st_registry *registry, uint32_t first, uint32_t count,
                            struct st_node *nodes, struct st_fault *fault);
enum st_error st_check_node(uint32_t ordinal, const struct st_node *node, struct st_fault *fault);
/* Reads one node and checks it. */
enum st_error st_read_node(struct st_registry *registry, uint32_t ordinal, struct st_node *node,
                           struct st_fault *fault);
/* Does the same for a node that `field` of the root names: if it is not in use, that is damage. */
enum st_error st_read_used(struct st_registry *registry, const char *field, uint32_t ordinal,
                           struct st_node *node, struct st_fault *fault);
/* Stores how many bytes of data follow the header of the block at `address`. `field` of the node
 * names the block. */
enum st_error st_open_block(struct st_registry *registry, const char *field, uint32_t ordinal,
                            uint64_t address, uint64_t *bytes, struct st_fault *fault);

/* decode_map.c */
/* Returns NULL if it is not in the map. */
struct st_type *st_type_map_get(const struct st_type_map *map, uint32_t ordinal);
/* Returns false if there is no memory. */
bool st_type_map_put(struct st_type_map *map, struct st_type *type);

/* decode_types.c */
/* Takes a reference to `lasting`. Returns NULL if there is no memory. */
struct st_types *st_types_new(struct st_lasting *lasting);
/* Returns NULL if it is not decoded yet. */
struct st_type *st_types_get(const struct st_types *types, uint32_t ordinal);
/* Returns false if there is no memory. */
bool st_types_put(struct st_types *types, struct st_type *type);
/* Returns true if what was read since the last change allows `bytes` more of decoded types. */
bool st_types_affordable(const struct st_registry *registry, uint64_t bytes);
/* Frees what was taken since the mark, for types that were not put. */
struct st_types_mark st_types_mark(const struct st_types *types);
void st_types_give_back(struct st_types *types, struct st_types_mark mark);

/* decode_arrays.c */
/* Reads the arrays of `type`, as `node` has them. *bases are those of a struct's entries, else
 * NULL. */
enum st_error st_decode_arrays(struct st_registry *registry, struct st_type *type,
                               const struct st_node *node, const uint32_t **bases,
                               struct st_fault *fault);

/* decode_lasting.c */
struct st_lasting *st_lasting_new(void); /* returns NULL if there is no memory */
void st_lasting_release(struct st_lasting *lasting);
/* Returns 0 if it is not known. */
uint64_t st_lasting_chunk(const struct st_lasting *lasting, uint32_t chunk);
void st_lasting_keep_chunk(struct st_lasting *lasting, uint32_t chunk, uint64_t address);
/* Returns NULL if it is not known. */
const struct st_type *st_lasting_leaf(const struct st_lasting *lasting, uint32_t ordinal);
void st_lasting_keep_leaf(struct st_lasting *lasting, const struct st_type *leaf);
/* Returns the arrays of this node, whose block is `bytes` long; NULL if they are not known. */
struct st_arrays *st_lasting_arrays(const struct st_lasting *lasting, uint32_t ordinal,
                                    const struct st_node *node, uint64_t bytes);
void st_lasting_keep_arrays(struct st_lasting *lasting, struct st_arrays *arrays);
/* Returns arrays with one reference; NULL if there is no memory. */
struct st_arrays *st_arrays_new(uint32_t ordinal, const struct st_node *node, uint64_t bytes);
void st_arrays_release(struct st_arrays *arrays);
/* Takes a reference. Returns false if there is no memory. */
bool st_arrays_list_add(struct st_arrays_list *list, struct st_arrays *arrays);
void st_arrays_list_deinit(struct st_arrays_list *list);

/* decode_find.c */
/* Finds the node that a handle means (live), or the newest tombstone that had the handle (not
 * live); ST_NO_NODE if there is none. */
enum st_error st_find_node(struct st_registry *registry, uint64_t handle, uint32_t *ordinal,
                           bool *live, struct st_fault *fault);
enum st_error st_read_table(struct st_registry *registry, struct st_table *table,
                            struct st_fault *fault);
/* Reads the ring, newest first: ordinals + 1, 0: empty. The caller must free() *slots, of
 * ring_slots. */
enum st_error st_read_ring(struct st_registry *registry, uint32_t **slots, struct st_fault *fault);
/* Finds out whether the node's handle means this node. */
enum st_error st_is_live(struct st_registry *registry, uint32_t ordinal, uint64_t handle,
                         bool *live, struct st_fault *fault);

/* A live node may soon become a tombstone: clears the members that say so, because they do not
 * count yet. */
static inline void st_drop_freed(struct st_node *node)
{
    node->flags &= (uint8_t)~ST_FREED;
    node->freed = ST_NO_SITE;
}

/* Returns true for a fault that ends any walk. Other damaged nodes are skipped. */
static inline bool st_is_final(const struct st_fault *fault)
{
    return fault->error == ST_INTERRUPTED || fault->error == ST_NO_MEMORY;
}

#endif
