/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table that finds a node by its handle: open addressing over 32-bit slots; the key is in the node
 * (core/model/registry.h).
 *
 * After every single store a search finds each live handle. Removing a handle closes the gap: later entries move
 * towards their first slot, copied there first and overwritten afterwards.
 */
#ifndef ST_RUNTIME_RECORD_TABLE_H
#define ST_RUNTIME_RECORD_TABLE_H

#include <stdbool.h>

#include "runtime/record/root.h"

/* Returns the ordinal of the node that `handle` names; ST_NO_NODE if there is none. */
uint32_t st_table_find(uint64_t handle);

/* The place of a handle, until the next change of the table. */
struct st_table_entry {
    uint32_t slot;
    uint32_t ordinal; /* of the node that has the handle now; ST_NO_NODE: none */
};

/* Finds the place of a handle, or makes room for it. Returns false if there is no memory. */
bool st_table_reserve(uint64_t handle, struct st_table_entry *entry);

/* Publishes a filled node in the place of its handle, by one store. A node that had the handle loses it by the
 * same store. */
void st_table_put(const struct st_table_entry *entry, uint32_t ordinal);

/* Takes the handle from a node. Does nothing if another node has the handle by now. Its first store takes the
 * handle from the node. */
void st_table_remove(uint32_t ordinal);

#endif
