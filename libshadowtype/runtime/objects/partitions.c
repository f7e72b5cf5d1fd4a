/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/partitions.h"

#include <string.h>

#include "runtime/record/root.h"

/* If operations have more partitions than these together, it is not known which are ready. */
enum { LOG2_MOST_BITS = 24, LEAST_SLOTS = 64, LEAST_WORDS = 512 };
#define MOST_BITS (INT64_C(1) << LOG2_MOST_BITS)

struct st_partitioned {
    struct st_record_name name; /* serial 0: the slot is free */
    int64_t count;
    uint64_t first; /* the first of its bits in `words` */
    uint64_t words; /* 0: it has no bits */
};

/* A hash table with open addressing, by the record's number; and the bits of all entries, one
 * after the other. Both grow by being copied, without the entries whose record is gone. */
struct st_partition_table {
    struct st_partitioned *slots;
    uint64_t slot_count, slots_used; /* a power of two */
    uint64_t *words;
    uint64_t word_count, words_used;
};
static struct st_partition_table table;

static struct st_partitioned *slot_for(const struct st_partition_table *in,
                                       struct st_record_name name)
{
    uint64_t mask = in->slot_count - 1;
    uint64_t at = name.number * UINT64_C(0x9E3779B97F4A7C15) >> 32 & mask;
    while (in->slots[at].name.serial &&
           (in->slots[at].name.serial != name.serial || in->slots[at].name.number != name.number)) {
        at = (at + 1) & mask;
    }
    return &in->slots[at];
}

static struct st_partitioned *find_partitioned(struct st_record_name name)
{
    if (!table.slots || name.number == ST_NO_RECORD) {
        return NULL;
    }
    struct st_partitioned *one = slot_for(&table, name);
    return one->name.serial ? one : NULL;
}

/* --- memory --------------------------------------------------------------------------------- */

static void unmap_table(const struct st_partition_table *old)
{
    if (old->slots) {
        st_unmap(old->slots, old->slot_count * sizeof *old->slots);
    }
    if (old->words) {
        st_unmap(old->words, old->word_count * sizeof *old->words);
    }
}

/* Maps a table of twice the size. */
static bool map_table(struct st_partition_table *fresh, uint64_t slots, uint64_t words)
{
    *fresh = (struct st_partition_table){.slot_count = LEAST_SLOTS, .word_count = LEAST_WORDS};
    while (fresh->slot_count / 4 < slots) {
        fresh->slot_count *= 2;
    }
    while (fresh->word_count / 2 < words) {
        fresh->word_count *= 2;
    }
    fresh->slots = st_map(fresh->slot_count * sizeof *fresh->slots);
    fresh->words = st_map(fresh->word_count * sizeof *fresh->words);
    if (fresh->slots && fresh->words) {
        return true;
    }
    unmap_table(fresh);
    return false;
}

static struct st_partitioned *put_partitioned(struct st_partition_table *in,
                                              struct st_record_name name, int64_t count,
                                              uint64_t words)
{
    struct st_partitioned *one = slot_for(in, name);
    *one = (struct st_partitioned){
        .name = name, .count = count, .first = in->words_used, .words = words};
    in->slots_used++;
    in->words_used += words;
    return one;
}

static bool rebuild_table(uint64_t more_words)
{
    struct st_partition_table fresh;
    uint64_t slots = 1, words = more_words;
    for (uint64_t i = 0; i < table.slot_count; i++) {
        if (table.slots[i].name.serial && st_records_named(table.slots[i].name)) {
            slots++;
            words += table.slots[i].words;
        }
    }
    if (!map_table(&fresh, slots, words)) {
        return false;
    }
    for (uint64_t i = 0; i < table.slot_count; i++) {
        const struct st_partitioned *old = &table.slots[i];
        if (!old->name.serial || !st_records_named(old->name)) {
            continue;
        }
        const struct st_partitioned *one =
            put_partitioned(&fresh, old->name, old->count, old->words);
        memcpy(fresh.words + one->first, table.words + old->first,
               old->words * sizeof *fresh.words);
    }
    unmap_table(&table);
    table = fresh;
    return true;
}

/* --- entries -------------------------------------------------------------------------------- */

void st_partitions_add(struct st_record_name name, int64_t count, bool sends)
{
    if (name.number == ST_NO_RECORD || count < 0) {
        return;
    }
    uint64_t words = sends && count <= MOST_BITS ? (uint64_t)(count + 63) / 64 : 0;
    bool has_room = table.slots && table.slots_used < table.slot_count / 4 * 3 &&
                    table.word_count - table.words_used >= words;
    if (has_room || rebuild_table(words)) {
        put_partitioned(&table, name, count, words);
    }
}

int64_t st_partitions_of(struct st_record_name name)
{
    const struct st_partitioned *one = find_partitioned(name);
    return one ? one->count : -1;
}

void st_partitions_reset(struct st_record_name name)
{
    const struct st_partitioned *one = find_partitioned(name);
    if (one) {
        memset(table.words + one->first, 0, one->words * sizeof *table.words);
    }
}

int64_t st_partitions_ready(struct st_record_name name, int64_t low, int64_t high)
{
    const struct st_partitioned *one = find_partitioned(name);
    int64_t before = -1;
    for (int64_t i = low; one && one->words && i <= high; i++) {
        uint64_t *word = &table.words[one->first + (uint64_t)i / 64];
        uint64_t bit = UINT64_C(1) << i % 64;
        if (*word & bit && before < 0) {
            before = i;
        }
        *word |= bit;
    }
    return before;
}
