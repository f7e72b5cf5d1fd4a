/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/signed.h"

#include <string.h>

#include "core/signature/cursor.h"
#include "core/signature/signatures.h"
#include "runtime/ranks/node.h"
#include "runtime/record/arena.h"
#include "runtime/record/layouts.h"
#include "runtime/record/lock.h"
#include "runtime/record/own_heap.h"
#include "runtime/record/table.h"

enum { WORK = 1 << 20 }; /* some milliseconds in the worst case, once per type */

enum st_signed_state { NOT_COMPARED, UNIFORM, MIXED };

/* Facts about a datatype, valid while its node lives. */
struct st_signed_type {
    uint64_t handle, serial;
    uint32_t ordinal;
    uint8_t state;           /* enum st_signed_state */
    bool stays;              /* predefined: its handle is never another type's */
    struct st_signature one; /* MIXED: the signature of one element */
    int64_t last_count;      /* MIXED: the last count, and its signature */
    struct st_signature last;
    uint64_t element; /* UNIFORM: hash of the basic element, and how many */
    int64_t length;
    int64_t size; /* bytes of one element; -1: not known */
};

enum { LOG2_TYPES = 6 };
static struct st_signed_type types[1 << LOG2_TYPES];

static bool is_packed(const struct st_basic_element *element)
{
    return element->kind == ST_NAMED && strcmp(element->name, "MPI_PACKED") == 0;
}

/* Returns true if all elements equal the first one; stores its hash in known->element. */
static bool is_uniform(struct st_signed_type *known, const struct st_signature *signature,
                       const struct st_basic_element *first)
{
    struct st_signature one = st_signature_one(first), all;
    if (!st_signature_repeat(&all, &one, signature->length) ||
        !st_signature_equal(&all, signature)) {
        return false;
    }
    known->element = st_element_hash(first);
    known->element += known->element == 0;
    return true;
}

static void learn_tree(struct st_signed_type *known, const struct st_type *tree,
                       struct st_signatures *signatures)
{
    st_signatures_bound(signatures, WORK);
    if (st_signatures_of(signatures, tree, 1, &known->one) != ST_SIGNATURE_KNOWN) {
        return;
    }
    known->length = known->one.length;
    known->last = known->one;
    known->last_count = 1;
    if (known->length == 0) {
        known->state = UNIFORM;
        return;
    }
    struct st_signature_place place;
    struct st_basic_element elements[2];
    st_signatures_place(signatures, tree, 0, &place);
    int count = st_elements_of(place.leaf, elements);
    int member = place.member > 0 ? place.member : 0;
    if (count <= member || is_packed(&elements[member])) {
        return;
    }
    known->state = is_uniform(known, &known->one, &elements[member]) ? UNIFORM : MIXED;
    if (known->state == MIXED && st_ranks_node.area) {
        st_runs_leave(&st_ranks_node.area->runs, signatures, tree, &known->one);
    }
}

static void learn(struct st_signed_type *known, uint64_t type, uint32_t ordinal, uint64_t serial)
{
    *known = (struct st_signed_type){.handle = type,
                                     .serial = serial,
                                     .ordinal = ordinal,
                                     .stays = st_node_at(ordinal)->combiner == ST_NAMED};
    const struct st_type *tree = st_tree_of_handle(type);
    known->size = tree && !(tree->measure.unknown & ST_UNKNOWN_SIZE) ? tree->measure.size : -1;
    struct st_signatures *signatures = tree ? st_signatures_new() : NULL;
    if (!signatures) {
        return;
    }
    learn_tree(known, tree, signatures);
    st_signatures_free(signatures);
}

/* The caller holds the recorder's lock. */
static struct st_signed_type *known_type(uint64_t type)
{
    struct st_signed_type *known = &types[type * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_TYPES)];
    if (known->handle == type && known->stays) {
        return known;
    }
    uint32_t ordinal = st_table_find(type);
    if (ordinal == ST_NO_NODE) {
        return NULL;
    }
    uint64_t serial = st_node_at(ordinal)->serial;
    if (known->handle != type || known->serial != serial || known->ordinal != ordinal) {
        learn(known, type, ordinal, serial);
    }
    return known;
}

static void sign_uniform(struct st_collective *call, const struct st_signed_type *known,
                         int64_t count)
{
    if (__builtin_mul_overflow(known->length, count, &call->length)) {
        return;
    }
    call->hash[0] = call->length ? known->element : 0;
    call->hash[1] = 0;
    call->flags |= ST_COLLECTIVE_SIGNATURE | ST_COLLECTIVE_UNIFORM;
}

static void sign_mixed(struct st_collective *call, struct st_signed_type *known, int64_t count)
{
    if (known->last_count != count) {
        known->last_count = -1;
        if (!st_signature_repeat(&known->last, &known->one, count)) {
            return;
        }
        known->last_count = count;
    }
    call->hash[0] = known->last.hash.high;
    call->hash[1] = known->last.hash.low;
    call->length = known->last.length;
    call->flags |= ST_COLLECTIVE_SIGNATURE;
    if (!count) {
        call->flags |= ST_COLLECTIVE_UNIFORM;
    }
}

void st_sign(struct st_collective *call, uint64_t type, int64_t count)
{
    if (count < 0) {
        return;
    }
    bool locked = st_lock();
    struct st_signed_type *known = known_type(type);
    if (known && known->state == UNIFORM) {
        sign_uniform(call, known, count);
    } else if (known && known->state == MIXED) {
        sign_mixed(call, known, count);
    }
    st_unlock(locked);
}

bool st_sign_stays(uint64_t type)
{
    bool locked = st_lock();
    const struct st_signed_type *known = known_type(type);
    st_unlock(locked);
    return known && known->stays;
}

static void sign_space(struct st_message_space *space, struct st_signed_type *known, int64_t count)
{
    struct st_collective call = {0};
    if (known->size >= 0 && !__builtin_mul_overflow(known->size, count, &space->data.bytes)) {
        space->data.flags |= ST_MESSAGE_SIZED;
        space->data.element = known->stays || known->size > UINT32_MAX ? 0 : (uint32_t)known->size;
    }
    if (known->state == UNIFORM) {
        sign_uniform(&call, known, count);
    } else if (known->state == MIXED) {
        sign_mixed(&call, known, count);
    }
    if (!(call.flags & ST_COLLECTIVE_SIGNATURE)) {
        return;
    }
    space->data.hash[0] = call.hash[0];
    space->data.hash[1] = call.hash[1];
    space->data.length = call.length;
    space->data.flags |= ST_MESSAGE_SIGNED;
    if (known->state == UNIFORM) {
        space->data.flags |= ST_MESSAGE_UNIFORM;
    } else {
        space->one = known->one;
    }
}

void st_sign_message(struct st_message_space *space, uint64_t type, int64_t count)
{
    *space = (struct st_message_space){0};
    if (count < 0) {
        return;
    }
    bool locked = st_lock();
    struct st_signed_type *known = known_type(type);
    if (known) {
        sign_space(space, known, count);
    }
    st_unlock(locked);
}

/* --- the first elements of a datatype ------------------------------------------------------ */

/* Of one datatype; and of all that the process looks at: some seconds. A look at a datatype counts as A_LOOK of them. */
enum { MOST_RUNS = 1 << 16, MOST_LOOKED = 1 << 23, A_LOOK = 1 << 11 };
static int64_t looked_at;

/* Returns the datatype with this signature, if it was used lately and is alive; else NULL. */
static const struct st_type *find_tree(const struct st_signature *one)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const struct st_signed_type *known = &types[i];
        if (known->state == MIXED && st_signature_equal(&known->one, one) &&
            st_table_find(known->handle) == known->ordinal &&
            st_node_at(known->ordinal)->serial == known->serial) {
            return st_tree_of_handle(known->handle);
        }
    }
    return NULL;
}

/* Appends the next `length` elements. Returns false if they are not known. */
static bool append_elements(struct st_signature *begin, struct st_cursor *cursor, int64_t length)
{
    for (int runs = 0; length > 0 && runs < MOST_RUNS && !st_cursor_at_end(cursor); runs++) {
        looked_at++;
        while (st_cursor_level(cursor) > 0) {
            st_cursor_down(cursor);
        }
        const int64_t there = st_cursor_run(cursor).count, count = there < length ? there : length;
        const struct st_signature one = st_signature_one(st_cursor_element(cursor));
        struct st_signature run;
        if (!st_signature_repeat(&run, &one, count) || !st_signature_append(begin, begin, &run)) {
            return false;
        }
        st_cursor_skip(cursor, count);
        length -= count;
    }
    return length == 0;
}

static bool begin_of_tree(const struct st_type *tree, int64_t length, struct st_signature *begin)
{
    struct st_sequence whole;
    struct st_signatures *signatures = st_signatures_new();
    struct st_cursor *cursor = malloc(sizeof *cursor); /* too large for a stack */
    bool is_known = signatures && cursor;
    if (is_known) {
        st_signatures_bound(signatures, WORK);
        is_known = st_signatures_sequence(signatures, tree, 1, &whole) == ST_SIGNATURE_KNOWN;
    }
    if (is_known) {
        st_cursor_begin(cursor, st_signatures_sequences(signatures), whole, 0);
        is_known = append_elements(begin, cursor, length);
    }
    free(cursor);
    if (signatures) {
        st_signatures_free(signatures);
    }
    return is_known;
}

/* Does the same as st_sign_begin(), without what was found last. */
static bool find_begin(const struct st_signature *type, int64_t length, struct st_signature *begin)
{
    if (st_ranks_node.area && st_runs_begin(&st_ranks_node.area->runs, type, length, begin)) {
        return true;
    }
    if (looked_at > MOST_LOOKED) {
        return false;
    }
    looked_at += A_LOOK;
    const struct st_type *tree = find_tree(type);
    return tree && st_signature_repeat(begin, type, length / type->length) &&
           begin_of_tree(tree, length % type->length, begin);
}

bool st_sign_begin(const struct st_signature *type, int64_t length, struct st_signature *begin)
{
    static struct {
        struct st_signature type, begin;
        int64_t length;
        bool is_known;
    } last;
    bool locked = st_lock();
    if (last.length != length || !st_signature_equal(&last.type, type)) {
        last.is_known = find_begin(type, length, &last.begin);
        last.type = *type;
        last.length = length;
    }
    *begin = last.begin;
    const bool is_known = last.is_known;
    st_unlock(locked);
    return is_known;
}

/* --- for a report -------------------------------------------------------------------------- */

/* The caller holds the recorder's lock. */
static bool is_element(const struct st_node *node, uint64_t hash)
{
    const struct st_signed_type *known =
        node->serial && node->combiner == ST_NAMED && node->name ? known_type(node->handle) : NULL;
    return known && known->state == UNIFORM && known->length == 1 && known->element == hash;
}

bool st_put_signed_element(struct st_writer *writer, uint64_t hash)
{
    bool found = false;
    bool locked = st_lock();
    for (uint32_t i = 0; i < st_root.nodes_used && !found; i++) {
        const struct st_node *node = st_node_at(i);
        found = is_element(node, hash);
        if (found) {
            const struct st_block *name = st_pointer(node->name);
            st_put_bytes(writer, (const char *)(name + 1), (size_t)name->bytes);
        }
    }
    st_unlock(locked);
    return found;
}
