/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and phrases: shared by the operations on sequences (sequence_join.c, sequence_repeat.c). */
#include "core/signature/sequence.h"

#include <stdlib.h>
#include <string.h>

void st_sequences_init(struct st_sequences *sequences)
{
    *sequences = (struct st_sequences){.work_end = ST_MOST_WORK, .order_mask = UINT64_MAX};
    st_pool_init(&sequences->pool);
}

void st_sequences_deinit(struct st_sequences *sequences)
{
    for (size_t i = 0; i < sizeof sequences->scratch / sizeof *sequences->scratch; i++) {
        free(sequences->scratch[i].runs);
    }
    free(sequences->phrases);
    free(sequences->elements);
    free(sequences->slots);
    free(sequences->repeated);
    st_pool_deinit(&sequences->pool);
}

size_t st_sequences_bytes(const struct st_sequences *sequences)
{
    return sequences->capacity * sizeof *sequences->phrases +
           sequences->slot_count * sizeof *sequences->slots + sequences->pool_bytes;
}

int64_t st_sequence_length(const struct st_sequences *sequences, struct st_sequence sequence)
{
    return sequence.count ? sequences->phrases[sequence.name].length * sequence.count : 0;
}

/* --- lists of runs --------------------------------------------------------------------------- */

void st_runs_add(struct st_sequences *sequences, struct st_runs *list, struct st_sequence run)
{
    if (list->count && list->runs[list->count - 1].name == run.name) {
        int64_t *count = &list->runs[list->count - 1].count;
        if (__builtin_add_overflow(*count, run.count, count)) {
            *count = INT64_MAX;
            sequences->error = ST_OVERFLOW;
        }
        return;
    }
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        struct st_sequence *runs = realloc(list->runs, capacity * sizeof(*runs));
        if (!runs) {
            sequences->error = ST_NO_MEMORY;
            return;
        }
        list->runs = runs;
        list->capacity = capacity;
    }
    list->runs[list->count++] = run;
}

void st_runs_add_all(struct st_sequences *sequences, struct st_runs *list,
                     const struct st_sequence *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        st_runs_add(sequences, list, runs[i]);
    }
}

/* --- names ----------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0xFF51AFD7ED558CCD);
    return hash ^ (hash >> 32);
}

/* Returns a hash of the elements. It does not depend on the numbers of names, so it is the same in
 * every process. */
static uint64_t order_of(const struct st_sequences *sequences, const struct st_sequence *runs,
                         size_t count)
{
    uint64_t order = UINT64_C(0x13198A2E03707344);
    for (size_t i = 0; i < count; i++) {
        order = mixed(order, sequences->phrases[runs[i].name].order);
        order = mixed(order, (uint64_t)runs[i].count);
    }
    return mixed(order, count) & sequences->order_mask;
}

bool st_name_before(const struct st_sequences *sequences, uint32_t a, uint32_t b)
{
    uint64_t x = sequences->phrases[a].order, y = sequences->phrases[b].order;
    return x != y ? x < y : a < b;
}

static size_t home_of(const struct st_sequences *sequences, uint64_t order)
{
    return (size_t)(order ^ (order >> 31)) & (sequences->slot_count - 1);
}

static bool widen_slots(struct st_sequences *sequences)
{
    size_t count = sequences->slot_count ? sequences->slot_count * 2 : 256;
    uint32_t *slots = calloc(count, sizeof(*slots));
    if (!slots) {
        return false;
    }
    free(sequences->slots);
    sequences->slots = slots;
    sequences->slot_count = count;
    for (uint32_t name = 0; name < sequences->count; name++) {
        size_t slot = home_of(sequences, sequences->phrases[name].order);
        while (slots[slot]) {
            slot = (slot + 1) & (count - 1);
        }
        slots[slot] = name + 1;
    }
    return true;
}

static bool make_sequence_room(struct st_sequences *sequences)
{
    if ((size_t)(sequences->count + 1) * 2 > sequences->slot_count && !widen_slots(sequences)) {
        return false;
    }
    if (sequences->count < sequences->capacity) {
        return true;
    }
    uint32_t capacity = sequences->capacity ? sequences->capacity * 2 : 128;
    struct st_phrase *phrases = realloc(sequences->phrases, capacity * sizeof(*phrases));
    if (!phrases || sequences->count >= UINT32_MAX / 4) {
        sequences->phrases = phrases ? phrases : sequences->phrases;
        return false;
    }
    sequences->phrases = phrases;
    sequences->capacity = capacity;
    return true;
}

static void put_phrase(struct st_sequences *sequences, size_t slot, struct st_phrase phrase)
{
    sequences->slots[slot] = sequences->count + 1;
    sequences->phrases[sequences->count++] = phrase;
}

/* Returns a name for a phrase of these runs. On failure sets sequences->error and returns any name. */
static uint32_t name_phrase(struct st_sequences *sequences, const struct st_sequence *runs,
                            size_t count)
{
    if (!make_sequence_room(sequences)) {
        sequences->error = ST_NO_MEMORY;
        return 0;
    }
    uint64_t order = order_of(sequences, runs, count);
    size_t slot = home_of(sequences, order);
    for (; sequences->slots[slot]; slot = (slot + 1) & (sequences->slot_count - 1)) {
        uint32_t name = sequences->slots[slot] - 1;
        const struct st_phrase *phrase = &sequences->phrases[name];
        bool same = phrase->order == order && phrase->runs && phrase->count == count;
        for (size_t i = 0; same && i < count; i++) {
            same = phrase->runs[i].name == runs[i].name && phrase->runs[i].count == runs[i].count;
        }
        if (same) {
            return name;
        }
    }
    struct st_sequence *kept = st_pool_take(&sequences->pool, count * sizeof(*kept));
    if (!kept || count > UINT32_MAX) {
        sequences->error = ST_NO_MEMORY;
        return 0;
    }
    sequences->pool_bytes += count * sizeof(*kept);
    struct st_phrase phrase = {.order = order, .runs = kept, .count = (uint32_t)count};
    for (size_t i = 0; i < count; i++) {
        const struct st_phrase *below = &sequences->phrases[runs[i].name];
        kept[i] = runs[i];
        phrase.length += below->length * runs[i].count;
        phrase.opaque |= below->opaque;
    }
    phrase.level = (uint8_t)(sequences->phrases[runs[0].name].level + 1);
    put_phrase(sequences, slot, phrase);
    return sequences->count - 1;
}

/* Adds an element with a copy of its name. */
static bool keep_element(struct st_sequences *sequences, const struct st_basic_element *element)
{
    if (sequences->element_count == sequences->element_capacity) {
        uint32_t capacity = sequences->element_capacity ? sequences->element_capacity * 2 : 16;
        struct st_basic_element *elements =
            realloc(sequences->elements, capacity * sizeof(*elements));
        if (!elements) {
            return false;
        }
        sequences->elements = elements;
        sequences->element_capacity = capacity;
    }
    struct st_basic_element kept = *element;
    if (element->name) {
        size_t bytes = strlen(element->name) + 1;
        char *name = st_pool_take(&sequences->pool, bytes);
        if (!name) {
            return false;
        }
        sequences->pool_bytes += bytes;
        memcpy(name, element->name, bytes);
        kept.name = name;
    }
    sequences->elements[sequences->element_count++] = kept;
    return true;
}

enum st_error st_sequence_of(struct st_sequences *sequences, const struct st_basic_element *element,
                             struct st_sequence *out)
{
    *out = ST_EMPTY_SEQUENCE;
    if (!make_sequence_room(sequences)) {
        return ST_NO_MEMORY;
    }
    uint64_t order = st_element_hash(element) & sequences->order_mask;
    size_t slot = home_of(sequences, order);
    for (; sequences->slots[slot]; slot = (slot + 1) & (sequences->slot_count - 1)) {
        uint32_t name = sequences->slots[slot] - 1;
        const struct st_phrase *phrase = &sequences->phrases[name];
        if (!phrase->runs && st_element_same(&sequences->elements[phrase->count], element)) {
            *out = (struct st_sequence){name, 1};
            return ST_OK;
        }
    }
    if (!keep_element(sequences, element)) {
        return ST_NO_MEMORY;
    }
    put_phrase(sequences, slot,
               (struct st_phrase){.order = order,
                                  .length = 1,
                                  .count = sequences->element_count - 1,
                                  .opaque = element->kind == ST_OPAQUE});
    *out = (struct st_sequence){sequences->count - 1, 1};
    return ST_OK;
}

const struct st_basic_element *st_sequence_element(const struct st_sequences *sequences,
                                                   uint32_t name)
{
    return &sequences->elements[sequences->phrases[name].count];
}

/* --- cutting --------------------------------------------------------------------------------- */

static void spend_work(struct st_sequences *sequences, uint64_t work)
{
    uint64_t asked = sequences->work / ST_ASK;
    sequences->work += work;
    bool ask = sequences->interrupted && sequences->work / ST_ASK != asked;
    if (sequences->work > sequences->work_end ||
        (ask && sequences->interrupted(sequences->context))) {
        sequences->error = ST_INTERRUPTED;
    }
}

void st_sequence_cut(struct st_sequences *sequences, const struct st_runs *in, struct st_runs *out)
{
    const struct st_sequence *runs = in->runs;
    size_t start = 0;
    spend_work(sequences, in->count);
    for (size_t i = 1; i + 1 < in->count && !sequences->error; i++) {
        if (st_name_before(sequences, runs[i].name, runs[i - 1].name) &&
            st_name_before(sequences, runs[i].name, runs[i + 1].name)) {
            uint32_t name = name_phrase(sequences, runs + start, i - start);
            st_runs_add(sequences, out, (struct st_sequence){name, 1});
            start = i;
        }
    }
    if (!sequences->error) {
        uint32_t name = name_phrase(sequences, runs + start, in->count - start);
        st_runs_add(sequences, out, (struct st_sequence){name, 1});
    }
}

enum st_error st_sequence_raise(struct st_sequences *sequences, struct st_runs *list,
                                struct st_sequence *out)
{
    struct st_runs *next = &sequences->scratch[ST_SCRATCH_JOIN];
    while (list->count > 1 && !sequences->error) {
        next->count = 0;
        st_sequence_cut(sequences, list, next);
        struct st_runs swapped = *list;
        *list = *next;
        *next = swapped;
    }
    *out = list->count && !sequences->error ? list->runs[0] : ST_EMPTY_SEQUENCE;
    list->count = 0;
    return sequences->error;
}
