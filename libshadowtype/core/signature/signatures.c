/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/signature/signatures.h"

#include <stdlib.h>

#include "core/signature/parts.h"

/* A struct with more members than this gets a table to find the member of an element. */
enum { FEW_MEMBERS = 16 };

/* Where a member of a struct ends: how many elements are before the next one. */
struct st_signature_end {
    int64_t elements, leaves;
};

/* The results for a type. */
struct st_signature_entry {
    struct st_signature signature;       /* if it is too long: the empty signature */
    int64_t leaves;                      /* counted like measure.elements; an opaque type is one */
    const struct st_signature_end *ends; /* for a struct with many members; else NULL */
    bool opaque, too_long;
    bool named; /* `sequence` is computed */
    struct st_sequence sequence;
};

struct st_signatures {
    struct st_type_set types;
    struct st_signature_entry *entries; /* of the types, in the order of the set */
    size_t capacity;
    struct st_pool pool;
    size_t pool_bytes;
    struct st_sequences sequences;
    uint64_t most_work; /* limit for one call */
};

struct st_signatures *st_signatures_new(void)
{
    struct st_signatures *signatures = calloc(1, sizeof(*signatures));
    if (signatures) {
        signatures->most_work = ST_MOST_WORK;
        st_pool_init(&signatures->pool);
        st_sequences_init(&signatures->sequences);
    }
    return signatures;
}

void st_signatures_free(struct st_signatures *signatures)
{
    if (signatures) {
        st_type_set_deinit(&signatures->types);
        st_pool_deinit(&signatures->pool);
        st_sequences_deinit(&signatures->sequences);
        free(signatures->entries);
        free(signatures);
    }
}

size_t st_signatures_bytes(const struct st_signatures *signatures)
{
    return sizeof *signatures + signatures->capacity * sizeof *signatures->entries +
           signatures->types.capacity * (sizeof(void *) + 2 * sizeof(uint32_t)) +
           signatures->pool_bytes + st_sequences_bytes(&signatures->sequences);
}

void st_signatures_bound(struct st_signatures *signatures, uint64_t most_work)
{
    signatures->most_work = most_work;
}

void st_signatures_interrupt(struct st_signatures *signatures, bool (*interrupted)(void *context),
                             void *context)
{
    signatures->sequences.interrupted = interrupted;
    signatures->sequences.context = context;
}

struct st_sequences *st_signatures_sequences(struct st_signatures *signatures)
{
    return &signatures->sequences;
}

/* --- signatures ------------------------------------------------------------------------------ */

static const struct st_signature_entry *entry_of(const struct st_signatures *signatures,
                                                 const struct st_type *type)
{
    return &signatures->entries[st_type_set_find(&signatures->types, type)];
}

static void work_out_leaf(const struct st_type *type, struct st_signature_entry *entry)
{
    struct st_basic_element elements[2];
    int count = st_elements_of(type, elements);
    entry->leaves = count > 0;
    for (int i = 0; i < count; i++) {
        struct st_signature one = st_signature_one(&elements[i]);
        entry->opaque |= elements[i].kind == ST_OPAQUE;
        st_signature_append(&entry->signature, &entry->signature, &one);
    }
}

/* Appends a part. A part without copies, or without elements, cannot be unknown or too long. */
static void append_part(const struct st_signatures *signatures, struct st_signature_entry *entry,
                        const struct st_type_part *part, bool fits)
{
    const struct st_signature_entry *base = entry_of(signatures, part->base);
    struct st_signature all;
    if (part->times == 0 || (base->signature.length == 0 && !base->too_long)) {
        return;
    }
    entry->opaque |= base->opaque;
    if (!fits || base->too_long || !st_signature_repeat(&all, &base->signature, part->times) ||
        !st_signature_append(&entry->signature, &entry->signature, &all)) {
        entry->too_long = true;
    } else {
        entry->leaves += part->times * base->leaves; /* fits: there are at most as many leaves as
                                                        elements */
    }
}

static bool work_out(struct st_signatures *signatures, const struct st_type *type,
                     struct st_signature_entry *entry)
{
    int64_t parts = st_parts(type);
    struct st_signature_end *ends = NULL;
    *entry = (struct st_signature_entry){.signature = st_signature_empty()};
    if (!st_has_parts(type)) {
        work_out_leaf(type, entry);
        return true;
    }
    if (parts > FEW_MEMBERS) {
        size_t bytes = (size_t)parts * sizeof(*ends);
        ends = st_pool_take(&signatures->pool, bytes);
        if (!ends) {
            return false;
        }
        signatures->pool_bytes += bytes;
        entry->ends = ends;
    }
    for (int64_t i = 0; i < parts && !entry->too_long; i++) {
        struct st_type_part part;
        bool fits = st_part(type, i, &part);
        append_part(signatures, entry, &part, fits);
        if (ends) {
            ends[i] = (struct st_signature_end){entry->signature.length, entry->leaves};
        }
    }
    if (entry->too_long) {
        entry->signature = st_signature_empty();
    }
    return true;
}

static bool has_entry(const struct st_type *type, const void *context)
{
    const struct st_signatures *signatures = context;
    return st_type_set_find(&signatures->types, type) != ST_NOT_IN_SET;
}

static bool add_entry(struct st_signatures *signatures, const struct st_type *type)
{
    size_t count = signatures->types.count;
    if (count == signatures->capacity) {
        size_t capacity = count ? count * 2 : 32;
        struct st_signature_entry *entries =
            realloc(signatures->entries, capacity * sizeof(*entries));
        if (!entries) {
            return false;
        }
        signatures->entries = entries;
        signatures->capacity = capacity;
    }
    return work_out(signatures, type, &signatures->entries[count]) &&
           st_type_set_add(&signatures->types, type);
}

/* Returns the entry of a type, and makes those of all types below. NULL if there is no memory. */
static struct st_signature_entry *look_up(struct st_signatures *signatures,
                                          const struct st_type *type)
{
    struct st_type_set fresh = {0};
    bool fits = st_type_set_below(&fresh, type, has_entry, signatures);
    for (size_t i = 0; fits && i < fresh.count; i++) {
        fits = add_entry(signatures, fresh.types[i]);
    }
    st_type_set_deinit(&fresh);
    return fits ? &signatures->entries[st_type_set_find(&signatures->types, type)] : NULL;
}

enum st_signature_state st_signatures_of(struct st_signatures *signatures,
                                         const struct st_type *type, int64_t count,
                                         struct st_signature *out)
{
    const struct st_signature_entry *entry = look_up(signatures, type);
    if (!entry) {
        return ST_SIGNATURE_NO_MEMORY;
    }
    if (count <= 0) {
        *out = st_signature_empty();
        return ST_SIGNATURE_KNOWN;
    }
    struct st_signature all;
    if (entry->too_long || !st_signature_repeat(&all, &entry->signature, count)) {
        return ST_SIGNATURE_TOO_LONG;
    }
    if (entry->opaque) {
        return ST_SIGNATURE_OPAQUE;
    }
    *out = all;
    return ST_SIGNATURE_KNOWN;
}

/* --- sequences ------------------------------------------------------------------------------- */

static bool has_sequence(const struct st_type *type, const void *context)
{
    const struct st_signature_entry *entry = entry_of(context, type);
    return entry->named || entry->too_long;
}

static enum st_error name_leaf(struct st_sequences *sequences, const struct st_type *type,
                               struct st_sequence *out)
{
    struct st_basic_element elements[2];
    int count = st_elements_of(type, elements);
    enum st_error error = ST_OK;
    *out = ST_EMPTY_SEQUENCE;
    for (int i = 0; i < count && !error; i++) {
        struct st_sequence one;
        error = st_sequence_of(sequences, &elements[i], &one);
        if (!error) {
            error = st_sequence_join(sequences, *out, one, out);
        }
    }
    return error;
}

enum { ASK = 4096 }; /* the interrupt is checked every so many parts */

/* Computes the sequence of a type. It must not be too long, and the types below must have theirs. */
static enum st_error name_type(struct st_signatures *signatures, const struct st_type *type,
                               struct st_sequence *out)
{
    struct st_sequences *sequences = &signatures->sequences;
    struct st_series series;
    if (!st_has_parts(type)) {
        return name_leaf(sequences, type, out);
    }
    enum st_error error = ST_OK;
    st_series_begin(&series, sequences);
    for (int64_t i = 0; i < st_parts(type) && !error && !series.error; i++) {
        struct st_type_part part;
        struct st_sequence copies;
        if (i % ASK == ASK - 1 && st_sequences_interrupted(sequences)) {
            series.error = ST_INTERRUPTED;
        }
        st_part(type, i, &part);
        const struct st_signature_entry *base = entry_of(signatures, part.base);
        if (base->sequence.count) {
            error = st_sequence_repeat(sequences, base->sequence, part.times, &copies);
        } else {
            continue;
        }
        if (!error) {
            st_series_add(&series, copies);
        }
    }
    enum st_error at_end = st_series_end(&series, out);
    return error ? error : at_end;
}

static enum st_signature_state state_of(enum st_error error)
{
    switch (error) {
    case ST_OK:
        return ST_SIGNATURE_KNOWN;
    case ST_OVERFLOW:
        return ST_SIGNATURE_TOO_LONG;
    case ST_INTERRUPTED:
        return ST_SIGNATURE_UNDECIDED;
    default:
        return ST_SIGNATURE_NO_MEMORY;
    }
}

static enum st_error name_all_below(struct st_signatures *signatures, const struct st_type *type)
{
    struct st_type_set fresh = {0};
    bool fits = st_type_set_below(&fresh, type, has_sequence, signatures);
    enum st_error error = fits ? ST_OK : ST_NO_MEMORY;
    for (size_t i = 0; i < fresh.count && !error; i++) {
        struct st_signature_entry *entry =
            &signatures->entries[st_type_set_find(&signatures->types, fresh.types[i])];
        error = name_type(signatures, fresh.types[i], &entry->sequence);
        entry->named = !error;
    }
    st_type_set_deinit(&fresh);
    return error;
}

enum st_signature_state st_signatures_sequence(struct st_signatures *signatures,
                                               const struct st_type *type, int64_t count,
                                               struct st_sequence *out)
{
    struct st_signature_entry *entry = look_up(signatures, type);
    int64_t length;
    *out = ST_EMPTY_SEQUENCE;
    if (!entry) {
        return ST_SIGNATURE_NO_MEMORY;
    }
    if (count <= 0) {
        return ST_SIGNATURE_KNOWN;
    }
    if (entry->too_long || __builtin_mul_overflow(entry->signature.length, count, &length)) {
        return ST_SIGNATURE_TOO_LONG;
    }
    signatures->sequences.work_end = signatures->sequences.work + signatures->most_work;
    enum st_error error = entry->named ? ST_OK : name_all_below(signatures, type);
    if (!error) {
        error = st_sequence_repeat(&signatures->sequences, entry->sequence, count, out);
    }
    return error ? state_of(error) : entry->opaque ? ST_SIGNATURE_OPAQUE : ST_SIGNATURE_KNOWN;
}

/* --- places ---------------------------------------------------------------------------------- */

/* Returns the type of the struct's member that contains element *index; makes *index and *number
 * relative to it. */
static const struct st_type *member_at(const struct st_signatures *signatures,
                                       const struct st_type *type, int64_t *index, int64_t *number)
{
    const struct st_signature_end *ends = entry_of(signatures, type)->ends;
    if (ends) {
        int64_t low = 0, high = type->entries - 1;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (ends[middle].elements > *index) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low > 0) {
            *index -= ends[low - 1].elements;
            *number += ends[low - 1].leaves;
        }
        return type->types[low];
    }
    for (int64_t i = 0;; i++) {
        struct st_type_part part;
        st_part(type, i, &part);
        const struct st_signature_entry *base = entry_of(signatures, part.base);
        int64_t elements = base->signature.length * part.times;
        if (*index < elements || i == type->entries - 1) {
            return part.base;
        }
        *index -= elements;
        *number += base->leaves * part.times;
    }
}

void st_signatures_place(const struct st_signatures *signatures, const struct st_type *type,
                         int64_t index, struct st_signature_place *place)
{
    struct st_basic_element elements[2];
    int64_t number = 0;
    for (;;) {
        const struct st_signature_entry *entry = entry_of(signatures, type);
        number += index / entry->signature.length * entry->leaves;
        index %= entry->signature.length;
        if (!st_has_parts(type)) {
            break;
        }
        type =
            type->combiner == ST_STRUCT ? member_at(signatures, type, &index, &number) : type->base;
    }
    bool pair = st_elements_of(type, elements) == 2;
    *place = (struct st_signature_place){type, number, pair ? (int)index : -1};
}
