/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long a node lives: references, tombstones (nodes of freed types), and its end.
 *
 * A node has references from the nodes built on it, from its handle while the program may use it, and from the
 * ring of tombstones after that. There is a limit to what only tombstones keep: 255 types and 1 MiB in all,
 * 64 KiB and 64 freed types below each. A tombstone beyond the limit keeps its node, and loses what is below it
 * (ST_ELIDED).
 *
 * The caller has opened a change (change.h). If a tombstone loses something, that is a separate change.
 */
#ifndef ST_RUNTIME_RECORD_LIFETIME_H
#define ST_RUNTIME_RECORD_LIFETIME_H

#include "runtime/record/root.h"

#define ST_RING_SLOTS 256u
#define ST_RING_BYTES (UINT64_C(1) << 20)
#define ST_TOMBSTONE_BYTES (UINT64_C(1) << 16)
#define ST_TOMBSTONE_NODES 64u

/* Adds a reference; does nothing for ST_NO_NODE. */
void st_node_hold(uint32_t ordinal);
/* Drops a reference. `ordinal` must be that of a node. */
void st_node_release(uint32_t ordinal);

/* A node becomes a tombstone by the store that takes its handle from it (table.h); the same store removes the
 * oldest tombstone. Call the first before that store and the second after it, and nothing of the ring between
 * them. The ring takes its own reference. */
void st_ring_announce(uint32_t ordinal);
void st_ring_settle(void);

/* Takes a tombstone out of the ring, because its handle lives again; does nothing for other nodes. */
void st_ring_withdraw(uint32_t ordinal);

/* Returns the ordinals in the block of a STRUCT, and sets *count (0 if it has no block). */
const uint32_t *st_struct_types(const struct st_node *node, uint64_t *count);

#endif
