/* SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include "../words.h"

#include <stdlib.h>

#include "facts.h"

uint64_t table_hash_number(uint64_t number)
{
    number = (number ^ (number >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
    return number ^ (number >> 29);
}

/* FNV-1a; the low bits are then mixed with the high ones. */
uint64_t table_hash_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return table_hash_number(hash);
}

size_t table_find(const struct table *table, uint64_t hash, table_same *same, const void *context)
{
    if (table->room == 0) {
        return TABLE_NONE;
    }
    for (size_t at = hash & (table->room - 1); table->slots[at].next != 0;
         at = (at + 1) & (table->room - 1)) {
        const struct table_slot *slot = &table->slots[at];
        if (slot->hash == hash && same(context, slot->next - 1)) {
            return slot->next - 1;
        }
    }
    return TABLE_NONE;
}

static void put_slot(struct table *table, struct table_slot slot)
{
    size_t at = slot.hash & (table->room - 1);
    while (table->slots[at].next != 0) {
        at = (at + 1) & (table->room - 1);
    }
    table->slots[at] = slot;
}

static void grow_table(struct table *table)
{
    struct table larger = {.room = table->room == 0 ? 16 : 2 * table->room, .used = table->used};
    larger.slots = zeroed(larger.room, sizeof *larger.slots);
    for (size_t at = 0; at < table->room; at++) {
        if (table->slots[at].next != 0) {
            put_slot(&larger, table->slots[at]);
        }
    }
    free(table->slots);
    *table = larger;
}

void table_add(struct table *table, uint64_t hash, size_t index)
{
    if (2 * table->used >= table->room) { /* at most half full */
        grow_table(table);
    }
    put_slot(table, (struct table_slot){hash, index + 1});
    table->used++;
}
