/* SPDX-License-Identifier: BSD-3-Clause */
/* Type matching (signature_match.h): the standard's rules, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "forge.h"
#include "core/signature/signature_match.h"

struct rules {
    struct forge forge;
    struct st_signatures *signatures;
};

static int set_up(void **state)
{
    static struct rules rules;
    rules = (struct rules){.signatures = st_signatures_new()};
    *state = &rules;
    return rules.signatures ? 0 : -1;
}

static int tear_down(void **state)
{
    struct rules *rules = *state;
    st_signatures_free(rules->signatures);
    forge_deinit(&rules->forge);
    return 0;
}

static struct st_match matched(struct rules *rules, const struct st_type *a, int64_t m,
                               const struct st_type *b, int64_t n)
{
    struct st_match match;
    st_match(rules->signatures, a, m, b, n, &match);
    return match;
}

static enum st_match_verdict verdict(struct rules *rules, const char *a, const char *b)
{
    return matched(rules, forge_named(&rules->forge, a, 8), 2, forge_named(&rules->forge, b, 8), 2)
        .verdict;
}

static void basic_types_match_themselves_and_their_synonyms(void **state)
{
    struct rules *rules = *state;
    assert_int_equal(verdict(rules, "MPI_INT", "MPI_INT"), ST_MATCH_EQUAL);
    assert_int_equal(verdict(rules, "MPI_LONG_LONG", "MPI_LONG_LONG_INT"), ST_MATCH_EQUAL);
    assert_int_equal(verdict(rules, "MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX"), ST_MATCH_EQUAL);
    assert_int_equal(verdict(rules, "MPI_CXX_COMPLEX", "MPI_CXX_FLOAT_COMPLEX"), ST_MATCH_EQUAL);
    static const char *const alike[][2] = {
        {"MPI_INT", "MPI_INTEGER"},
        {"MPI_INT", "MPI_INT32_T"},
        {"MPI_LONG", "MPI_LONG_LONG"},
        {"MPI_FLOAT", "MPI_REAL"},
        {"MPI_REAL", "MPI_REAL4"},
        {"MPI_DOUBLE", "MPI_DOUBLE_PRECISION"},
        {"MPI_CHAR", "MPI_SIGNED_CHAR"},
        {"MPI_CHAR", "MPI_CHARACTER"},
        {"MPI_AINT", "MPI_OFFSET"},
        {"MPI_C_COMPLEX", "MPI_COMPLEX"},
        {"MPI_C_COMPLEX", "MPI_CXX_COMPLEX"},
        {"MPI_C_BOOL", "MPI_CXX_BOOL"},
        {"MPI_BYTE", "MPI_CHAR"},
        {"MPI_BYTE", "MPI_UINT8_T"},
        {"MPI_INT", "MPI_BYTE"},
        {"MPI_LOGICAL", "MPI_INTEGER"},
        {"MPI_VENDOR_A", "MPI_VENDOR_B"},
    };
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        assert_int_equal(verdict(rules, alike[i][0], alike[i][1]), ST_MATCH_DIFFERENT);
        assert_int_equal(verdict(rules, alike[i][0], alike[i][0]), ST_MATCH_EQUAL);
    }
}

static void pair_types_are_their_two_members(void **state)
{
    struct rules *rules = *state;
    static const char *const pairs[][3] = {
        {"MPI_FLOAT_INT", "MPI_FLOAT", "MPI_INT"},
        {"MPI_DOUBLE_INT", "MPI_DOUBLE", "MPI_INT"},
        {"MPI_LONG_INT", "MPI_LONG", "MPI_INT"},
        {"MPI_SHORT_INT", "MPI_SHORT", "MPI_INT"},
        {"MPI_LONG_DOUBLE_INT", "MPI_LONG_DOUBLE", "MPI_INT"},
        {"MPI_2INT", "MPI_INT", "MPI_INT"},
        {"MPI_2INTEGER", "MPI_INTEGER", "MPI_INTEGER"},
        {"MPI_2REAL", "MPI_REAL", "MPI_REAL"},
        {"MPI_2DOUBLE_PRECISION", "MPI_DOUBLE_PRECISION", "MPI_DOUBLE_PRECISION"},
        {"MPI_2COMPLEX", "MPI_COMPLEX", "MPI_COMPLEX"},
        {"MPI_2DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct st_type *pair = forge_gapped(&rules->forge, pairs[i][0], 32, 32);
        const struct st_type *members[2] = {forge_named(&rules->forge, pairs[i][1], 8),
                                            forge_named(&rules->forge, pairs[i][2], 4)};
        const struct st_type *both =
            forge_struct(&rules->forge, 2, NULL, (int64_t[]){1, 1}, members);
        assert_int_equal(pair->basic.class_, ST_CLASS_PAIR);
        assert_int_equal(matched(rules, pair, 3, both, 3).verdict, ST_MATCH_EQUAL);
        struct st_match match = matched(rules, both, 3, pair, 4);
        assert_int_equal(match.verdict, ST_MATCH_PREFIX);
        assert_int_equal(match.agreed, 6);
        assert_int_equal(match.length[1], 8);
        assert_int_equal(match.at[1].place.number, 3);
        assert_int_equal(match.at[1].place.member, 0);
    }
}

/* MPI-4.0, 19.1.9 */
static void f90_types_match_by_precision_and_range(void **state)
{
    struct rules *rules = *state;
    struct forge *forge = &rules->forge;
    const struct st_type *real = forge_plain(forge, ST_F90_REAL, 15, 307, 8);
    const struct st_type *open = forge_plain(forge, ST_F90_REAL, 15, ST_F90_UNDEFINED, 8);
    const struct st_type *integer = forge_plain(forge, ST_F90_INTEGER, 0, 9, 4);
    const struct st_type *same[] = {forge_plain(forge, ST_F90_REAL, 15, 307, 8),
                                    forge_dup(forge, real), forge_contiguous(forge, 1, real)};
    const struct st_type *others[] = {open,
                                      forge_plain(forge, ST_F90_REAL, 6, 307, 8),
                                      forge_plain(forge, ST_F90_COMPLEX, 15, 307, 16),
                                      integer,
                                      forge_named(forge, "MPI_DOUBLE_PRECISION", 8),
                                      forge_named(forge, "MPI_REAL", 8),
                                      forge_named(forge, "MPI_REAL8", 8)};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_int_equal(matched(rules, real, 5, same[i], 5).verdict, ST_MATCH_EQUAL);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(matched(rules, real, 1, others[i], 1).verdict, ST_MATCH_DIFFERENT);
    }
    char text[ST_ELEMENT_TEXT];
    struct st_match match = matched(rules, open, 1, integer, 1);
    st_element_text(&match.at[0].element, text);
    assert_string_equal(text, "F90_REAL(15,MPI_UNDEFINED)");
    st_element_text(&match.at[1].element, text);
    assert_string_equal(text, "F90_INTEGER(9)");
}

static void packed_matches_anything_of_its_length(void **state)
{
    struct rules *rules = *state;
    struct forge *forge = &rules->forge;
    const struct st_type *packed = forge_contiguous(forge, 4, forge_named(forge, "MPI_PACKED", 1));
    const struct st_type *number = forge_named(forge, "MPI_INT", 4);
    const struct st_type *pair = forge_gapped(forge, "MPI_DOUBLE_INT", 12, 16);
    const struct st_type *mixed =
        forge_struct(forge, 2, NULL, (int64_t[]){1, 1}, (const struct st_type *[]){packed, number});
    struct st_match match = matched(rules, packed, 3, number, 3);
    assert_true(match.bytes);
    assert_int_equal(match.verdict, ST_MATCH_EQUAL);
    assert_int_equal(match.agreed, 12);
    match = matched(rules, pair, 1, packed, 3); /* what is sent, not the gap */
    assert_int_equal(match.verdict, ST_MATCH_EQUAL);
    match = matched(rules, packed, 1, number, 2);
    assert_int_equal(match.verdict, ST_MATCH_PREFIX);
    assert_int_equal(match.longer, 1);
    assert_int_equal(match.length[1], 8);
    assert_int_equal(match.agreed, 4);
    match = matched(rules, packed, 2, packed, 3); /* one by one: bytes all the same */
    assert_int_equal(match.verdict, ST_MATCH_PREFIX);
    assert_int_equal(match.agreed, 8);
    /* With something else, MPI_PACKED matches MPI_PACKED. */
    assert_int_equal(matched(rules, mixed, 1, number, 2).verdict, ST_MATCH_DIFFERENT);
    assert_int_equal(matched(rules, mixed, 1, packed, 2).verdict, ST_MATCH_EQUAL);
    assert_true(matched(rules, mixed, 1, packed, 2).bytes);
    assert_int_equal(matched(rules, mixed, 2, mixed, 2).verdict, ST_MATCH_EQUAL);
    assert_false(matched(rules, mixed, 2, mixed, 2).bytes);
    /* As many bytes as leave 64 bits; a size that is not known. */
    const struct st_type *many = forge_contiguous(forge, INT64_MAX, number);
    const struct st_type *unknown = forge_named(forge, "MPI_INT", -1);
    assert_int_equal(matched(rules, many, 1, packed, 1).verdict, ST_MATCH_TOO_LONG);
    assert_int_equal(matched(rules, packed, 1, unknown, 1).verdict, ST_MATCH_OPAQUE);
    assert_int_equal(matched(rules, number, 1, unknown, 1).verdict, ST_MATCH_EQUAL);
}

static void markers_and_empty_types_are_nothing(void **state)
{
    struct rules *rules = *state;
    struct forge *forge = &rules->forge;
    const struct st_type *number = forge_named(forge, "MPI_INT", 4);
    const struct st_type *marker = forge_named(forge, "MPI_UB", 0);
    const struct st_type *bounded = forge_struct(
        forge, 3, NULL, (int64_t[]){1, 3, 1}, (const struct st_type *[]){marker, number, marker});
    const struct st_type *none = forge_contiguous(forge, 0, number);
    assert_int_equal(matched(rules, bounded, 2, number, 6).verdict, ST_MATCH_EQUAL);
    assert_int_equal(matched(rules, marker, 7, none, 1).verdict, ST_MATCH_EQUAL);
    assert_int_equal(matched(rules, number, 0, bounded, -3).verdict, ST_MATCH_EQUAL);
    struct st_match match = matched(rules, number, 0, number, 5);
    assert_int_equal(match.verdict, ST_MATCH_PREFIX);
    assert_int_equal(match.longer, 1);
    assert_int_equal(match.agreed, 0);
    assert_false(match.at[0].present);
    assert_true(match.at[1].present);
}

static void what_is_not_known_matches_only_itself(void **state)
{
    struct rules *rules = *state;
    struct forge *forge = &rules->forge;
    const struct st_type *number = forge_named(forge, "MPI_INT", 4);
    const struct st_type *unknown[] = {forge_plain(forge, ST_OPAQUE, 8, 0, 8),
                                       forge_elided(forge, ST_INDEXED, 9),
                                       forge_named(forge, "MPI_DATATYPE_NULL", -1),
                                       forge_named(forge, NULL, 4), forge_named(forge, "", 4)};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        const struct st_type *both[2] = {number, unknown[i]};
        const struct st_type *mixed = forge_struct(forge, 2, NULL, (int64_t[]){2, 1}, both);
        struct st_signature hash;
        struct st_match match = matched(rules, unknown[i], 1, number, 1);
        assert_int_equal(match.verdict, ST_MATCH_OPAQUE);
        assert_int_equal(match.agreed, 0);
        match = matched(rules, unknown[i], 2, forge_contiguous(forge, 2, unknown[i]), 1);
        assert_int_equal(match.verdict, ST_MATCH_EQUAL);
        assert_int_equal(match.length[0], -1);
        match = matched(rules, mixed, 1, number, 9);
        assert_int_equal(match.verdict, ST_MATCH_OPAQUE);
        assert_int_equal(match.agreed, 2);
        assert_int_equal(match.at[0].element.kind, ST_OPAQUE);
        assert_ptr_equal(match.at[0].place.leaf, unknown[i]);
        /* after the same unknown: it does differ, the number of the element is not known */
        match = matched(rules, mixed, 2, unknown[i], 1);
        assert_int_equal(match.verdict, ST_MATCH_OPAQUE);
        const struct st_type *real = forge_named(forge, "MPI_DOUBLE", 8);
        const struct st_type *other = forge_struct(forge, 2, NULL, (int64_t[]){1, 1},
                                                   (const struct st_type *[]){mixed, real});
        match = matched(rules, mixed, 2, other, 1);
        assert_int_equal(match.verdict, ST_MATCH_DIFFERENT);
        assert_int_equal(match.agreed, -1);
        assert_int_equal(match.at[1].place.number, -1);
        assert_int_equal(st_signatures_of(rules->signatures, mixed, 1, &hash), ST_SIGNATURE_OPAQUE);
        assert_int_equal(st_signatures_of(rules->signatures, mixed, 0, &hash), ST_SIGNATURE_KNOWN);
    }
    /* An OPAQUE type has data if it has a size; a tombstone may have none. */
    const struct st_type *mixed[2];
    for (int i = 0; i < 2; i++) {
        mixed[i] = forge_struct(forge, 2, NULL, (int64_t[]){1, 1},
                                (const struct st_type *[]){number, unknown[i]});
    }
    assert_int_equal(matched(rules, number, 1, mixed[0], 1).verdict, ST_MATCH_PREFIX);
    assert_int_equal(matched(rules, number, 1, mixed[1], 1).verdict, ST_MATCH_OPAQUE);
    assert_int_equal(matched(rules, number, 1, forge_plain(forge, ST_OPAQUE, 0, 0, 8), 5).verdict,
                     ST_MATCH_PREFIX);
}

/* SESSIONS: "element 5 is MPI_INT ...; MPI_DOUBLE at ..." */
static void a_difference_tells_both_sides(void **state)
{
    struct rules *rules = *state;
    struct forge *forge = &rules->forge;
    const struct st_type *number = forge_named(forge, "MPI_INT", 4);
    const struct st_type *pair = forge_gapped(forge, "MPI_DOUBLE_INT", 12, 16);
    const struct st_type *real = forge_named(forge, "MPI_DOUBLE", 8);
    const struct st_type *send =
        forge_struct(forge, 2, NULL, (int64_t[]){2, 1}, (const struct st_type *[]){pair, number});
    const struct st_type *receive =
        forge_struct(forge, 2, NULL, (int64_t[]){4, 4}, (const struct st_type *[]){real, number});
    struct st_match match = matched(rules, send, 4, receive, 2);
    assert_int_equal(match.verdict, ST_MATCH_DIFFERENT);
    assert_int_equal(match.agreed, 1);
    assert_int_equal(match.length[0], 20);
    assert_int_equal(match.length[1], 16);
    assert_string_equal(match.at[0].element.name, "MPI_INT");
    assert_ptr_equal(match.at[0].place.leaf, pair);
    assert_int_equal(match.at[0].place.number, 0);
    assert_int_equal(match.at[0].place.member, 1);
    assert_string_equal(match.at[1].element.name, "MPI_DOUBLE");
    assert_ptr_equal(match.at[1].place.leaf, real);
    assert_int_equal(match.at[1].place.number, 1);
    assert_int_equal(match.at[1].place.member, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(basic_types_match_themselves_and_their_synonyms, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(pair_types_are_their_two_members, set_up, tear_down),
        cmocka_unit_test_setup_teardown(f90_types_match_by_precision_and_range, set_up, tear_down),
        cmocka_unit_test_setup_teardown(packed_matches_anything_of_its_length, set_up, tear_down),
        cmocka_unit_test_setup_teardown(markers_and_empty_types_are_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_known_matches_only_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_difference_tells_both_sides, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
