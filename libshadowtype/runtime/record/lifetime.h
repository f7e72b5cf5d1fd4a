/*
 * How long a node lives: references, tombstones, death.
 *
 * A node is held by the nodes built on it, by its handle while the program may use it, and by the
 * ring of tombstones after that. What only tombstones hold is bounded: 255 types and 1 MiB in all,
 * 64 KiB and 64 freed types below each; what would be more keeps its node and loses what is below
 * (ST_ELIDED).
 *
 * The caller has opened a change (change.h); each tombstone that loses something because of it is a
 * change of its own.
 */
#ifndef ST_RUNTIME_RECORD_LIFETIME_H
#define ST_RUNTIME_RECORD_LIFETIME_H

#include "runtime/record/root.h"

#define ST_RING_SLOTS 256u
#define ST_RING_BYTES (UINT64_C(1) << 20)
#define ST_TOMBSTONE_BYTES (UINT64_C(1) << 16)
#define ST_TOMBSTONE_NODES 64u

/* ST_NO_NODE is allowed. */
void st_node_hold(uint32_t ordinal);
/* `ordinal` is a node's. */
void st_node_release(uint32_t ordinal);

/* A node becomes a tombstone at the store that takes its handle from it (table.h), and the oldest
 * one gives way at the same store. Announced before it, settled after it; nothing is announced in
 * between. The ring takes a reference of its own. */
void st_ring_announce(uint32_t ordinal);
void st_ring_settle(void);

/* Takes a tombstone back (the handle lives again); nothing if it is none. */
void st_ring_withdraw(uint32_t ordinal);

/* The ordinals in the block of a STRUCT; *count of them (0 if it has none). */
const uint32_t *st_struct_types(const struct st_node *node, uint64_t *count);

#endif
