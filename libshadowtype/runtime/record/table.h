/*
 * handle → node: open addressing over 32-bit slots; the key is in the node (core/model/registry.h).
 *
 * After every single store each live handle is found by its probe. Taking a handle out closes the
 * gap by moving later entries towards their home: copied first, overwritten after.
 */
#ifndef ST_RUNTIME_RECORD_TABLE_H
#define ST_RUNTIME_RECORD_TABLE_H

#include <stdbool.h>

#include "runtime/record/root.h"

/* The ordinal of the node that `handle` names; ST_NO_NODE: none. */
uint32_t st_table_find(uint64_t handle);

/* The place of a handle, until the next change of the table. */
struct st_table_entry {
    uint32_t slot;
    uint32_t ordinal; /* of the node that has the handle now; ST_NO_NODE: none */
};

/* Finds the place of a handle, or makes room for it. False: no memory. */
bool st_table_reserve(uint64_t handle, struct st_table_entry *entry);

/* Publishes a filled node in the place of its handle, by one store; that takes the handle from the
 * node that had it. */
void st_table_put(const struct st_table_entry *entry, uint32_t ordinal);

/* By identity: does nothing when another node has the handle meanwhile. The first store that it
 * does takes the handle from the node. */
void st_table_remove(uint32_t ordinal);

#endif
