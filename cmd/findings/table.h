/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table from keys to the indices of a list. The caller owns the list and the keys.
 *
 *     struct table table = {0};
 *     size_t at = table_find(&table, hash, is_same, &wanted);
 *     if (at == TABLE_NONE)
 *         table_add(&table, hash, count++);
 */
#ifndef MPIPP_FINDINGS_TABLE_H
#define MPIPP_FINDINGS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_NONE SIZE_MAX

struct table_slot {
    uint64_t hash;
    size_t next; /* the index + 1; 0: the slot is empty */
};

struct table {
    struct table_slot *slots;
    size_t room, used; /* in slots; `room` is a power of two */
};

/* True if the entry at INDEX has the key that CONTEXT describes. */
typedef bool table_same(const void *context, size_t index);

uint64_t table_hash_text(const char *text);
uint64_t table_hash_number(uint64_t number);

/* Returns the index that was added with this hash and for which SAME returns true; else TABLE_NONE. */
size_t table_find(const struct table *table, uint64_t hash, table_same *same, const void *context);

/* Adds INDEX. Its key must not be in the table yet. */
void table_add(struct table *table, uint64_t hash, size_t index);

#endif
