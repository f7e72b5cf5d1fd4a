/*
 * Hostile types for the algebra of signatures: an input is a list of instructions, 12 bytes each,
 * that build one type after the other on those before, with counts, lengths and displacements from
 * 0 to where 64 bits end, and some below 0:
 *
 *     u8 constructor   u8 base   u8 base   u8 small numbers   i64 value
 *
 * The last types are then compared, written and looked at; what must hold for any types is checked.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/signature/contiguous.h"
#include "forge.h"
#include "heap.h"
#include "core/signature/signature_match.h"
#include "core/signature/signature_text.h"

enum { INSTRUCTION = 12, MOST_TYPES = 64, COMPARED = 4 };

struct program {
    struct forge forge;
    const struct st_type *types[MOST_TYPES];
    size_t count;
    bool negative; /* a number below 0 has been used: no decoder lets such a type through */
    struct st_signatures *signatures, *others; /* `others` sees the types in another order */
};

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* --- building
 * -------------------------------------------------------------------------------------- */

static void basics(struct program *p)
{
    struct forge *forge = &p->forge;
    const struct st_type *types[] = {forge_named(forge, "MPI_INT", 4),
                                     forge_named(forge, "MPI_DOUBLE", 8),
                                     forge_named(forge, "MPI_CHAR", 1),
                                     forge_named(forge, "MPI_PACKED", 1),
                                     forge_gapped(forge, "MPI_DOUBLE_INT", 12, 16),
                                     forge_named(forge, "MPI_LB", 0),
                                     forge_named(forge, "", -1),
                                     forge_plain(forge, ST_F90_REAL, 15, ST_F90_UNDEFINED, 8),
                                     forge_plain(forge, ST_OPAQUE, 24, -8, 32),
                                     forge_elided(forge, ST_STRUCT, 7)};
    memcpy(p->types, types, sizeof types);
    p->count = sizeof types / sizeof *types;
}

/* Mostly numbers that a program could have, some at the edges. */
static int64_t number(uint64_t value)
{
    switch (value >> 60) {
    case 0:
        return INT64_MAX - (int64_t)(value % 8);
    case 1:
        return INT64_C(1) << (value % 63);
    case 2:
        return -(int64_t)(value % 8);
    case 3:
        return (INT64_C(1) << (value % 62)) + (int64_t)(value / 64 % 8);
    default:
        return (int64_t)(value % 9);
    }
}

static const struct st_type *arrays(struct program *p, unsigned what, uint64_t value,
                                    const struct st_type *base)
{
    int64_t sizes[2], subsizes[2], starts[2];
    for (int d = 0; d < 2; d++, value /= 32) {
        starts[d] = (int64_t)(value % 3);
        subsizes[d] = what & 8 ? number(value << 59) & INT64_MAX : (int64_t)(value % 5);
        if (__builtin_add_overflow(starts[d], subsizes[d], &sizes[d])) {
            sizes[d] = INT64_MAX;
            starts[d] = 0;
        }
    }
    if (what & 4) {
        return forge_subarray(&p->forge, 2, sizes, subsizes, starts, what & 16, base);
    }
    int64_t psizes[2] = {1 + (int64_t)(value % 3), 1}, dargs[2] = {1 + (int64_t)(value % 5), 2};
    int64_t distribs[2] = {(int64_t)(value % 2) + 1, ST_DISTRIBUTE_NONE};
    return forge_darray(&p->forge, psizes[0], (int64_t)(value / 8 % (uint64_t)psizes[0]), 2, sizes,
                        distribs, dargs, psizes, what & 16, base);
}

static const struct st_type *built(struct program *p, const uint8_t *instruction)
{
    struct forge *forge = &p->forge;
    uint64_t value;
    memcpy(&value, instruction + 4, sizeof value);
    const struct st_type *base = p->types[p->count - 1 - instruction[1] % (p->count)];
    const struct st_type *other = p->types[instruction[2] % p->count];
    int64_t a = number(value), b = number(value << 16), c = number(value << 32);
    int64_t few = instruction[3] % 4;
    p->negative = p->negative || a < 0 || b < 0 || c < 0;
    int64_t offsets[3] = {b, c, a}, lengths[3] = {c, a, b};
    switch (instruction[0] % 10) {
    case 0:
        return forge_contiguous(forge, a, base);
    case 1:
        return forge_vector(forge, few % 2 ? ST_VECTOR : ST_HVECTOR, a, b, c, base);
    case 2:
        return forge_indexed(forge, few % 2 ? ST_INDEXED : ST_HINDEXED, few, offsets, lengths, 0,
                             base);
    case 3:
        return forge_indexed(forge, ST_INDEXED_BLOCK, few, offsets, NULL, a, base);
    case 4:
        return arrays(p, instruction[3], value, base);
    case 5:
        return few % 2 ? forge_dup(forge, base) : forge_resized(forge, b, c, base);
    default: /* mostly structs: they make signatures irregular */
        return forge_struct(forge, few, offsets,
                            instruction[0] & 128 ? lengths : (int64_t[]){1, 1, 1},
                            (const struct st_type *[]){base, other, base});
    }
}

/* --- what must hold
 * -------------------------------------------------------------------------------- */

/* Known in full, on both sides. */
static bool is_exact(const struct st_match *match)
{
    return match->verdict <= ST_MATCH_DIFFERENT && match->length[0] >= 0 && match->length[1] >= 0;
}

static void check_side(const struct program *p, const struct st_match *match, int i,
                       const struct st_type *type, int64_t count)
{
    const struct st_match_element *at = &match->at[i];
    int64_t leaves;
    if (match->bytes || !at->present) {
        return;
    }
    HOLDS(!at->place.leaf->base && !at->place.leaf->types);
    HOLDS(at->place.number >= -1 && at->place.member >= -1 && at->place.member <= 1);
    if (!p->negative && !(type->measure.unknown & ST_UNKNOWN_ELEMENTS) &&
        !__builtin_mul_overflow(type->measure.elements, count, &leaves)) {
        HOLDS(at->place.number < leaves);
    }
}

static void check_texts(struct program *p, const struct st_type *a, int64_t m,
                        const struct st_type *b, int64_t n, bool equal)
{
    struct st_signature_text x, y;
    st_signature_text(p->signatures, a, m, 12, &x);
    st_signature_text(p->others, b, n, 12, &y);
    HOLDS(x.state == ST_SIGNATURE_KNOWN && y.state == ST_SIGNATURE_KNOWN);
    HOLDS(x.left_out >= 0 && x.left_out <= x.elements);
    if (equal) {
        HOLDS(strcmp(x.text, y.text) == 0 && x.left_out == y.left_out);
    } else {
        HOLDS(strcmp(x.text, y.text) != 0 || (x.left_out && y.left_out));
    }
    free(x.text);
    free(y.text);
}

static void check_pair(struct program *p, const struct st_type *a, int64_t m,
                       const struct st_type *b, int64_t n)
{
    struct st_match there, back, other;
    struct st_signature x, y;
    st_match(p->signatures, a, m, b, n, &there);
    st_match(p->signatures, b, n, a, m, &back);
    st_match(p->others, a, m, b, n, &other);
    HOLDS(there.verdict == back.verdict && there.verdict == other.verdict);
    HOLDS(there.agreed == back.agreed && there.agreed == other.agreed);
    HOLDS(there.length[0] == back.length[1] && there.length[1] == back.length[0]);
    for (int i = 0; i < 2; i++) {
        check_side(p, &there, i, i ? b : a, i ? n : m);
        HOLDS(there.agreed < 0 || there.length[i] < 0 || there.agreed <= there.length[i]);
    }
    if (!is_exact(&there) || there.bytes) {
        return;
    }
    bool equal = there.verdict == ST_MATCH_EQUAL;
    HOLDS((there.length[0] == there.agreed && there.length[1] == there.agreed) == equal);
    HOLDS(st_signatures_of(p->signatures, a, m, &x) == ST_SIGNATURE_KNOWN);
    HOLDS(st_signatures_of(p->others, b, n, &y) == ST_SIGNATURE_KNOWN);
    HOLDS(st_signature_equal(&x, &y) == equal);
    check_texts(p, a, m, b, n, equal);
}

static void check_type(struct program *p, const struct st_type *type)
{
    struct st_contiguous c;
    HOLDS(st_contiguous(type, &c) == ST_OK);
    HOLDS(!c.unit || c.count > 0);
    if (c.shape == ST_SHAPE_CHUNKS || c.shape == ST_SHAPE_REMAINDER) {
        HOLDS(c.chunk * c.chunks + c.remainder == c.count);
    }
    if (c.unit) { /* the recognized copies have its signature */
        check_pair(p, type, 1, c.unit, c.count);
    }
    check_pair(p, type, 3, forge_contiguous(&p->forge, 3, type), 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t before = heap_watch();
    const size_t input = size;
    struct program p = {.signatures = st_signatures_new(), .others = st_signatures_new()};
    HOLDS(p.signatures && p.others);
    basics(&p);
    for (; size >= INSTRUCTION && p.count < MOST_TYPES; size -= INSTRUCTION, data += INSTRUCTION) {
        p.types[p.count] = built(&p, data);
        p.count++;
    }
    for (size_t i = 0; i < COMPARED; i++) {
        struct st_signature_text text;
        const struct st_type *type = p.types[p.count - 1 - i];
        st_signature_text(p.others, type, (int64_t)i, 3, &text);
        free(text.text);
        check_type(&p, type);
        for (size_t k = 0; k < COMPARED; k++) {
            check_pair(&p, type, 1 + (int64_t)k, p.types[p.count - 1 - k], 1 + (int64_t)i);
        }
    }
    st_signatures_free(p.signatures);
    st_signatures_free(p.others);
    heap_must_be_paid(before, input); /* a datatype by hand is not larger than its line */
    forge_deinit(&p.forge);
    return 0;
}
