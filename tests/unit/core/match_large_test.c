/*
 * Type matching where nothing can be unrolled: counts up to 2^63 - 1, trees 10^5 deep, structs of
 * 10^6 members. What must come out follows from how the types were made.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "forge.h"
#include "image.h"
#include "core/signature/signature_match.h"

#ifdef __SANITIZE_ADDRESS__
enum { CASES = 300, DEPTH = 100000, WIDTH = 100000 };
#else
enum { CASES = 1000, DEPTH = 100000, WIDTH = 1000000 };
#endif

struct large {
    struct forge forge;
    struct st_signatures *signatures;
    const struct st_type *real, *number, *letter, *pair;
    uint64_t work; /* the most of all */
};

static int set_up(void **state)
{
    static struct large large;
    large = (struct large){.signatures = st_signatures_new()};
    large.real = forge_named(&large.forge, "MPI_DOUBLE", 8);
    large.number = forge_named(&large.forge, "MPI_INT", 4);
    large.letter = forge_named(&large.forge, "MPI_CHAR", 1);
    large.pair = forge_gapped(&large.forge, "MPI_DOUBLE_INT", 12, 16);
    *state = &large;
    return large.signatures ? 0 : -1;
}

static int tear_down(void **state)
{
    struct large *large = *state;
    printf("# at most %llu of %llu runs looked at, %zu bytes\n", (unsigned long long)large->work,
           (unsigned long long)ST_MOST_WORK, st_signatures_bytes(large->signatures));
    bool far_below = large->work < ST_MOST_WORK / 10;
    st_signatures_free(large->signatures);
    forge_deinit(&large->forge);
    return far_below ? 0 : -1; /* the bound on work is for other worlds */
}

static struct st_match matched(struct large *large, const struct st_type *a, int64_t m,
                               const struct st_type *b, int64_t n)
{
    const struct st_sequences *sequences = st_signatures_sequences(large->signatures);
    struct st_match match;
    uint64_t before = sequences->work;
    st_match(large->signatures, a, m, b, n, &match);
    uint64_t work = sequences->work - before;
    large->work = work > large->work ? work : large->work;
    return match;
}

static const struct st_type *struct_of(struct large *large, int64_t count, const int64_t *lengths,
                                       const struct st_type *const *types)
{
    return forge_struct(&large->forge, count, NULL, lengths, types);
}

/* { length x first, second } */
static const struct st_type *two(struct large *large, int64_t m, const struct st_type *first,
                                 int64_t n, const struct st_type *second)
{
    return struct_of(large, 2, (int64_t[]){m, n}, (const struct st_type *[]){first, second});
}

/* --- counts
 * ---------------------------------------------------------------------------------------- */

/* Five elements: a record, as programs have it. */
static const struct st_type *record(struct large *large)
{
    const struct st_type *types[] = {large->number, large->real, large->letter, large->pair};
    return struct_of(large, 4, (int64_t[]){1, 1, 1, 1}, types);
}

/* `times` copies of a type, nested and split at random. */
static const struct st_type *regrouped(struct large *large, uint64_t *seed, int64_t times,
                                       const struct st_type *type, int depth)
{
    struct forge *forge = &large->forge;
    int64_t part = image_between(seed, 0, times);
    if (times <= 1 || depth == 0) {
        return forge_contiguous(forge, times, type);
    }
    switch (image_between(seed, 0, 3)) {
    case 0: /* times = m*n + rest */
        part = image_between(seed, 1, times < 100000 ? times : 100000);
        return two(large, times / part, regrouped(large, seed, part, type, depth - 1), 1,
                   regrouped(large, seed, times % part, type, depth - 1));
    case 1:
        return two(large, 1, regrouped(large, seed, part, type, depth - 1), 1,
                   regrouped(large, seed, times - part, type, depth - 1));
    case 2:
        return forge_indexed(forge, ST_INDEXED, 2, (int64_t[]){0, 0},
                             (int64_t[]){part, times - part}, 0, type);
    default:
        return two(large, part, type, times - part, type);
    }
}

static int64_t length_of(struct large *large, const struct st_type *type)
{
    struct st_signature signature;
    assert_int_equal(st_signatures_of(large->signatures, type, 1, &signature), ST_SIGNATURE_KNOWN);
    return signature.length;
}

static void equal_however_they_are_grouped(void **state)
{
    struct large *large = *state;
    uint64_t seed = image_seed(577215664);
    const struct st_type *type = record(large);
    for (int i = 0; i < CASES; i++) {
        int64_t times = image_between(&seed, 1, INT64_C(1) << image_between(&seed, 1, 59));
        const struct st_type *a = regrouped(large, &seed, times, type, 6);
        const struct st_type *b = regrouped(large, &seed, times, type, 6);
        struct st_signature x, y;
        struct st_match match = matched(large, a, 1, b, 1);
        assert_int_equal(match.verdict, ST_MATCH_EQUAL);
        assert_int_equal(match.agreed, times * 5);
        assert_int_equal(matched(large, a, 1, type, times).verdict, ST_MATCH_EQUAL);
        assert_int_equal(st_signatures_of(large->signatures, a, 1, &x), ST_SIGNATURE_KNOWN);
        assert_int_equal(st_signatures_of(large->signatures, b, 1, &y), ST_SIGNATURE_KNOWN);
        assert_true(st_signature_equal(&x, &y));
        /* One more on one side. */
        match = matched(large, a, 1, type, times + 1);
        assert_int_equal(match.verdict, ST_MATCH_PREFIX);
        assert_int_equal(match.longer, 1);
        assert_int_equal(match.agreed, times * 5);
        assert_int_equal(match.at[1].place.number, times * 4);
        assert_ptr_equal(match.at[1].place.leaf, large->number);
    }
}

/* One element of many is another: it is found, whatever stands around it. */
static void the_first_difference_is_found(void **state)
{
    struct large *large = *state;
    uint64_t seed = image_seed(693147180);
    const struct st_type *type = record(large);
    for (int i = 0; i < CASES; i++) {
        int64_t times = image_between(&seed, 1, INT64_C(1) << image_between(&seed, 1, 59));
        int64_t before = image_between(&seed, 0, times - 1);
        int member = (int)image_between(&seed, 0, 4); /* the element that becomes an MPI_BYTE */
        const struct st_type *members[] = {large->number, large->real, large->letter, large->real,
                                           large->number};
        const struct st_type *expected = member < 3 ? members[member] : large->pair;
        members[member] = forge_named(&large->forge, "MPI_BYTE", 1);
        const struct st_type *changed = struct_of(large, 5, (int64_t[]){1, 1, 1, 1, 1}, members);
        const struct st_type *parts[] = {regrouped(large, &seed, before, type, 5), changed,
                                         regrouped(large, &seed, times - before - 1, type, 5)};
        const struct st_type *b = struct_of(large, 3, (int64_t[]){1, 1, 1}, parts);
        const struct st_type *a = regrouped(large, &seed, times, type, 5);
        struct st_match match = matched(large, a, 1, b, 1);
        assert_int_equal(match.verdict, ST_MATCH_DIFFERENT);
        assert_int_equal(match.agreed, before * 5 + member);
        assert_int_equal(match.at[0].place.number, before * 4 + (member < 3 ? member : 3));
        assert_int_equal(match.at[0].place.member, member < 3 ? -1 : member - 3);
        assert_ptr_equal(match.at[0].place.leaf, expected);
        /* the changed record has no pair */
        assert_int_equal(match.at[1].place.number, before * 4 + member);
        assert_int_equal(match.at[1].place.member, -1);
        assert_ptr_equal(match.at[1].place.leaf, members[member]);
    }
}

/* Two periods against each other: A^m and B^n agree on less than |A| + |B| elements, or for ever.
 */
static void unlike_periods_are_told_apart(void **state)
{
    struct large *large = *state;
    for (int64_t m = 1; m <= 12; m++) {
        for (int64_t n = 1; n <= 12; n++) {
            const struct st_type *a = two(large, m, large->real, 1, large->number);
            const struct st_type *b = two(large, n, large->real, 1, large->number);
            struct st_match match =
                matched(large, a, 1000000000 * (n + 1), b, 1000000000 * (m + 1));
            assert_int_equal(match.verdict, m == n ? ST_MATCH_EQUAL : ST_MATCH_DIFFERENT);
            assert_int_equal(match.agreed, m == n ? 1000000000 * (n + 1) * (m + 1) : m < n ? m : n);
        }
    }
}

__extension__ typedef __int128 wide;

/* Lengths next to 2^63 - 1, against exact integers. */
static void lengths_are_exact_or_too_long(void **state)
{
    struct large *large = *state;
    uint64_t seed = image_seed(707106781);
    for (int i = 0; i < CASES; i++) {
        int64_t inner = image_between(&seed, 0, INT64_C(1) << image_between(&seed, 0, 40));
        int64_t outer = image_between(&seed, 0, INT64_C(1) << image_between(&seed, 0, 40));
        int64_t count = image_between(&seed, 0, INT64_C(1) << image_between(&seed, 0, 40));
        int64_t more = image_random(&seed) % 2 ? INT64_MAX - image_between(&seed, 0, 9) : 0;
        const struct st_type *base = forge_contiguous(&large->forge, inner, large->pair);
        const struct st_type *type = two(large, outer, base, more, large->letter);
        wide length = ((wide)2 * inner * outer + more) * count;
        bool fits = (wide)2 * inner * outer + more <= INT64_MAX && length <= INT64_MAX;
        if (count == 0) { /* of a type that is too long, too */
            fits = true;
        }
        struct st_signature signature;
        enum st_signature_state known =
            st_signatures_of(large->signatures, type, count, &signature);
        assert_int_equal(known, fits ? ST_SIGNATURE_KNOWN : ST_SIGNATURE_TOO_LONG);
        struct st_match match = matched(large, type, count, type, count);
        assert_int_equal(match.verdict, fits ? ST_MATCH_EQUAL : ST_MATCH_TOO_LONG);
        if (fits) {
            assert_true(signature.length == length);
            assert_true(match.agreed == length);
        }
    }
    const struct st_type *most = forge_contiguous(&large->forge, INT64_MAX, large->number);
    assert_int_equal(length_of(large, most), INT64_MAX);
    assert_int_equal(matched(large, most, 1, large->number, INT64_MAX).verdict, ST_MATCH_EQUAL);
    assert_int_equal(matched(large, most, 2, most, 1).verdict, ST_MATCH_TOO_LONG);
    struct st_match match =
        matched(large, two(large, INT64_MAX - 1, large->number, 1, large->real), 1, most, 1);
    assert_int_equal(match.verdict, ST_MATCH_DIFFERENT);
    assert_int_equal(match.agreed, INT64_MAX - 1);
    assert_int_equal(match.at[1].place.number, INT64_MAX - 1);
    /* Many of nothing are nothing, even where their number leaves 64 bits. */
    const struct st_type *none = forge_vector(&large->forge, ST_VECTOR, INT64_MAX, INT64_MAX, 1,
                                              forge_named(&large->forge, "MPI_LB", 0));
    assert_int_equal(length_of(large, none), 0);
    const struct st_type *too_many =
        forge_vector(&large->forge, ST_VECTOR, INT64_MAX, 3, 1, large->letter);
    assert_int_equal(matched(large, too_many, 1, large->letter, 1).verdict, ST_MATCH_TOO_LONG);
    assert_int_equal(
        matched(large, large->letter, 1, two(large, 0, too_many, 1, large->letter), 1).verdict,
        ST_MATCH_EQUAL);
}

/* --- deep
 * ------------------------------------------------------------------------------------------ */

/* Each way to make a tree deep; `at`: the level that gets a second MPI_CHAR, -1: none. */
static const struct st_type *deep(struct large *large, int how, int64_t at)
{
    const struct st_type *type = large->real;
    for (int64_t i = 0; i < DEPTH; i++) {
        int64_t letters = i == at ? 2 : 1;
        switch (how) {
        case 0:
            type = two(large, 1, type, letters, large->letter);
            break;
        case 1:
            type = two(large, letters, large->letter, 1, type);
            break;
        case 2: /* a letter on both sides, and constructors that add nothing */
            type = forge_resized(&large->forge, 0, 8, forge_dup(&large->forge, type));
            type = struct_of(large, 3, (int64_t[]){1, 1, letters},
                             (const struct st_type *[]){large->letter, type, large->number});
            break;
        default:
            type = forge_contiguous(&large->forge, i % (DEPTH / 40) == 0 ? 2 : 1, type);
            break;
        }
    }
    return type;
}

static void trees_may_be_deep(void **state)
{
    struct large *large = *state;
    struct forge *forge = &large->forge;
    const struct st_type *flat[4] = {
        two(large, 1, large->real, DEPTH, large->letter),
        two(large, DEPTH, large->letter, 1, large->real),
        struct_of(large, 3, (int64_t[]){DEPTH, 1, DEPTH},
                  (const struct st_type *[]){large->letter, large->real, large->number}),
        forge_contiguous(forge, INT64_C(1) << 40, large->real),
    };
    for (int how = 0; how < 4; how++) {
        const struct st_type *type = deep(large, how, -1);
        struct st_match match = matched(large, type, 3, flat[how], 3);
        assert_int_equal(match.verdict, ST_MATCH_EQUAL);
        match = matched(large, type, 1, flat[how], 2);
        assert_int_equal(match.verdict, ST_MATCH_PREFIX);
        /* the last element of the second copy stands at the bottom of the tree, or at its top */
        struct st_signature_place place;
        int64_t length = length_of(large, type);
        st_signatures_place(large->signatures, type, 2 * length - 1, &place);
        assert_int_equal(place.number, 2 * length - 1);
        assert_ptr_equal(place.leaf, how == 0   ? large->letter
                                     : how == 2 ? large->number
                                                : large->real);
    }
    struct st_match match =
        matched(large, deep(large, 2, DEPTH / 2), 1, deep(large, 2, DEPTH / 3), 1);
    assert_int_equal(match.verdict, ST_MATCH_EQUAL);
    match = matched(large, deep(large, 1, DEPTH / 2), 1, deep(large, 1, -1), 1);
    assert_int_equal(match.verdict, ST_MATCH_DIFFERENT);
    assert_int_equal(match.agreed, DEPTH);
}

/* --- wide
 * ------------------------------------------------------------------------------------------ */

/* Random members; and the same with the `at`-th one doubled, in groups. */
struct members {
    const struct st_type **types;
    int64_t *lengths;
};

static void draw_members(struct large *large, uint64_t *seed, struct members *members)
{
    const struct st_type *kinds[] = {large->real, large->number, large->letter, large->pair,
                                     record(large)};
    members->types = malloc(WIDTH * sizeof(*members->types));
    members->lengths = malloc(WIDTH * sizeof(*members->lengths));
    assert_true(members->types && members->lengths);
    for (int64_t i = 0; i < WIDTH; i++) {
        members->types[i] = kinds[image_between(seed, 0, 4)];
        members->lengths[i] = image_between(seed, 0, 3);
    }
}

static const struct st_type *in_groups(struct large *large, uint64_t *seed,
                                       const struct members *members)
{
    const struct st_type **groups = malloc(WIDTH * sizeof(*groups));
    int64_t *ones = malloc(WIDTH * sizeof(*ones)), count = 0;
    assert_true(groups && ones);
    for (int64_t at = 0; at < WIDTH;) {
        int64_t part = image_between(seed, 1, WIDTH - at < 5000 ? WIDTH - at : 5000);
        groups[count] = struct_of(large, part, members->lengths + at, members->types + at);
        ones[count++] = 1;
        at += part;
    }
    const struct st_type *type = struct_of(large, count, ones, groups);
    free(groups);
    free(ones);
    return type;
}

static void structs_may_be_wide(void **state)
{
    struct large *large = *state;
    uint64_t seed = image_seed(915965594);
    struct members members;
    draw_members(large, &seed, &members);
    const struct st_type *plain = struct_of(large, WIDTH, members.lengths, members.types);
    const struct st_type *grouped = in_groups(large, &seed, &members);
    int64_t length = length_of(large, plain);
    assert_int_equal(length_of(large, grouped), length);
    assert_int_equal(matched(large, plain, 7, grouped, 7).verdict, ST_MATCH_EQUAL);
    assert_int_equal(matched(large, plain, 1000000000, grouped, 1000000000).verdict,
                     ST_MATCH_EQUAL);
    for (int i = 0; i < 6; i++) {
        int64_t at = image_between(&seed, 0, WIDTH - 1), before = 0, leaves = 0;
        for (int64_t k = 0; k < at; k++) {
            bool is_record = members.types[k]->entries > 0;
            bool is_pair = members.types[k] == large->pair;
            before += members.lengths[k] * (is_record ? 5 : is_pair ? 2 : 1);
            leaves += members.lengths[k] * (is_record ? 4 : 1);
        }
        const struct st_type *was = members.types[at];
        int64_t times = members.lengths[at];
        members.types[at] = forge_named(&large->forge, "MPI_BYTE", 1);
        members.lengths[at] = 1;
        struct st_match match = matched(large, plain, 3, in_groups(large, &seed, &members), 3);
        members.types[at] = was;
        members.lengths[at] = times;
        assert_int_equal(match.verdict, ST_MATCH_DIFFERENT);
        assert_int_equal(match.agreed, before);
        assert_int_equal(match.at[0].place.number, leaves);
        assert_int_equal(match.at[1].place.number, leaves);
        while (members.lengths[at] == 0) { /* what stood there before */
            at = (at + 1) % WIDTH;
        }
        const struct st_type *leaf = members.types[at];
        assert_ptr_equal(match.at[0].place.leaf, leaf->entries ? large->number : leaf);
        assert_string_equal(match.at[1].element.name, "MPI_BYTE");
    }
    free(members.types);
    free(members.lengths);
}

static void indexed_types_may_have_many_blocks(void **state)
{
    struct large *large = *state;
    uint64_t seed = image_seed(130988306);
    int64_t *lengths = malloc(WIDTH * sizeof(*lengths)), sum = 0;
    int64_t *offsets = calloc(WIDTH, sizeof(*offsets));
    assert_true(lengths && offsets);
    for (int64_t i = 0; i < WIDTH; i++) {
        lengths[i] = image_between(&seed, 0, 1000000000);
        sum += lengths[i];
    }
    const struct st_type *type = record(large);
    const struct st_type *indexed =
        forge_indexed(&large->forge, ST_HINDEXED, WIDTH, offsets, lengths, 0, type);
    assert_int_equal(matched(large, indexed, 100, type, sum * 100).verdict, ST_MATCH_EQUAL);
    struct st_match match = matched(large, indexed, 1, type, sum + 1);
    assert_int_equal(match.verdict, ST_MATCH_PREFIX);
    assert_int_equal(match.at[1].place.number, sum * 4);
    free(lengths);
    free(offsets);
}

/* --- trees that unfold to much -------------------------------------------------------------------
 */

/* Fibonacci words and Thue-Morse words: of 2^40 elements and more, without a repetition worth the
 * name; built from the front and from the back. */
static void irregular_types_may_be_long(void **state)
{
    struct large *large = *state;
    const struct st_type *f[81], *g[81], *t[2][61];
    f[0] = g[0] = large->real;
    f[1] = g[1] = two(large, 1, large->real, 1, large->number);
    f[2] = g[2] = two(large, 1, f[1], 1, f[0]);
    f[3] = g[3] = two(large, 1, f[2], 1, f[1]);
    for (int i = 4; i <= 80; i++) {
        f[i] = two(large, 1, f[i - 1], 1, f[i - 2]);
        g[i] = struct_of(large, 3, (int64_t[]){1, 1, 1}, /* f(i-2) f(i-3) f(i-2) */
                         (const struct st_type *[]){g[i - 2], g[i - 3], g[i - 2]});
    }
    assert_int_equal(matched(large, f[80], 1, g[80], 1).verdict, ST_MATCH_EQUAL);
    assert_int_equal(length_of(large, f[80]), INT64_C(61305790721611591));
    struct st_match match = matched(large, f[79], 1, g[80], 1);
    assert_int_equal(match.verdict, ST_MATCH_PREFIX);
    assert_int_equal(match.agreed, length_of(large, f[79]));
    /* f(n-1) f(n-2) and f(n-2) f(n-1) agree but for the last two elements. */
    match = matched(large, two(large, 1, f[78], 1, f[79]), 1, g[80], 1);
    assert_int_equal(match.verdict, ST_MATCH_DIFFERENT);
    assert_int_equal(match.agreed, length_of(large, f[80]) - 2);
    assert_int_equal(match.at[0].place.number, length_of(large, f[80]) - 2);

    t[0][0] = large->real;
    t[1][0] = large->number;
    for (int i = 1; i <= 60; i++) {
        for (int k = 0; k < 2; k++) {
            t[k][i] = two(large, 1, t[k][i - 1], 1, t[!k][i - 1]);
        }
    }
    const struct st_type *four =
        struct_of(large, 4, (int64_t[]){1, 1, 1, 1},
                  (const struct st_type *[]){t[0][58], t[1][58], t[1][58], t[0][58]});
    assert_int_equal(matched(large, four, 1, t[0][60], 1).verdict, ST_MATCH_EQUAL);
    match = matched(large, t[0][60], 1, two(large, 1, t[0][59], 1, t[0][59]), 1);
    assert_int_equal(match.verdict, ST_MATCH_DIFFERENT);
    assert_int_equal(match.agreed, INT64_C(1) << 59);
}

/* --- past the bound
 * -------------------------------------------------------------------------------- */

static void past_the_bound_nothing_is_claimed(void **state)
{
    struct large *large = *state;
    uint64_t seed = image_seed(373955813);
    struct members members;
    draw_members(large, &seed, &members);
    const struct st_type *plain = struct_of(large, 20000, members.lengths, members.types);
    const struct st_type *groups[2] = {
        struct_of(large, 10000, members.lengths, members.types),
        struct_of(large, 10000, members.lengths + 10000, members.types + 10000)};
    const struct st_type *same = two(large, 1, groups[0], 1, groups[1]);
    const struct st_type *other = two(large, 1, groups[1], 1, groups[0]);
    const struct st_type *opaque =
        two(large, 1, same, 1, forge_plain(&large->forge, ST_OPAQUE, 8, 0, 8));
    st_signatures_bound(large->signatures, 5000);
    struct st_match match = matched(large, plain, 3, same, 3);
    assert_int_equal(match.verdict, ST_MATCH_UNDECIDED);
    assert_int_equal(match.hashes, ST_HASHES_EQUAL);
    assert_int_equal(match.length[0], 3 * length_of(large, plain));
    assert_int_equal(match.length[1], 3 * length_of(large, plain));
    assert_int_equal(match.agreed, -1);
    match = matched(large, plain, 3, other, 3);
    assert_int_equal(match.verdict, ST_MATCH_UNDECIDED);
    assert_int_equal(match.hashes, ST_HASHES_DIFFERENT);
    match = matched(large, plain, 3, opaque, 3);
    assert_int_equal(match.verdict, ST_MATCH_UNDECIDED);
    assert_int_equal(match.hashes, ST_HASHES_UNKNOWN);
    /* What is simple is still told. */
    assert_int_equal(matched(large, large->real, 9, large->real, 9).verdict, ST_MATCH_EQUAL);
    st_signatures_bound(large->signatures, ST_MOST_WORK);
    assert_int_equal(matched(large, plain, 3, same, 3).verdict, ST_MATCH_EQUAL);
    assert_int_equal(matched(large, plain, 3, other, 3).verdict, ST_MATCH_DIFFERENT);
    assert_int_equal(matched(large, plain, 3, opaque, 3).verdict, ST_MATCH_OPAQUE);
    free(members.types);
    free(members.lengths);
}

static bool stop_at_third(void *context)
{
    return ++*(int *)context == 3;
}

static void the_caller_may_interrupt(void **state)
{
    struct large *large = *state;
    uint64_t seed = image_seed(662743419);
    struct members members;
    int asked = 0;
    draw_members(large, &seed, &members);
    const struct st_type *type = struct_of(large, WIDTH, members.lengths, members.types);
    st_signatures_interrupt(large->signatures, stop_at_third, &asked);
    assert_int_equal(matched(large, type, 1, type, 2).verdict, ST_MATCH_UNDECIDED);
    assert_true(asked >= 3);
    assert_int_equal(matched(large, type, 1, type, 2).verdict, ST_MATCH_PREFIX);
    free(members.types);
    free(members.lengths);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(equal_however_they_are_grouped),
        TEST(the_first_difference_is_found),
        TEST(unlike_periods_are_told_apart),
        TEST(lengths_are_exact_or_too_long),
        TEST(trees_may_be_deep),
        TEST(structs_may_be_wide),
        TEST(indexed_types_may_have_many_blocks),
        TEST(irregular_types_may_be_long),
        TEST(past_the_bound_nothing_is_claimed),
        TEST(the_caller_may_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
