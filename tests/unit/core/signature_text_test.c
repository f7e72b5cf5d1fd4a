/*
 * Texts of signatures (signature_text.h) of known types, and of such as cannot be unrolled. That
 * texts denote their signatures, and are equal for equal ones, match_test.c tries on random types.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "forge.h"
#include "image.h"
#include "core/signature/signature_text.h"

struct texts {
    struct forge forge;
    struct st_signatures *signatures;
    const struct st_type *real, *letter, *number, *small;
};

static int set_up(void **state)
{
    static struct texts texts;
    texts = (struct texts){.signatures = st_signatures_new()};
    texts.real = forge_named(&texts.forge, "MPI_DOUBLE", 8);
    texts.letter = forge_named(&texts.forge, "MPI_CHAR", 1);
    texts.number = forge_named(&texts.forge, "MPI_INT", 4);
    texts.small = forge_named(&texts.forge, "MPI_FLOAT", 4);
    *state = &texts;
    return texts.signatures ? 0 : -1;
}

static int tear_down(void **state)
{
    struct texts *texts = *state;
    st_signatures_free(texts->signatures);
    forge_deinit(&texts->forge);
    return 0;
}

/* The types of a string, one member each: d, c, i. */
static const struct st_type *spelled(struct texts *texts, const char *letters)
{
    const struct st_type *types[64];
    int64_t lengths[64], count = 0;
    for (; letters[count]; count++) {
        types[count] = letters[count] == 'd'   ? texts->real
                       : letters[count] == 'c' ? texts->letter
                                               : texts->number;
        lengths[count] = 1;
    }
    return forge_struct(&texts->forge, count, NULL, lengths, types);
}

static const struct st_type *times(struct texts *texts, int64_t count, const struct st_type *type)
{
    return forge_contiguous(&texts->forge, count, type);
}

static const struct st_type *one_after(struct texts *texts, const struct st_type *first,
                                       const struct st_type *second)
{
    return forge_struct(&texts->forge, 2, NULL, (int64_t[]){1, 1},
                        (const struct st_type *[]){first, second});
}

static void assert_text(struct texts *texts, const struct st_type *type, int64_t count, size_t most,
                        const char *expected, int64_t left_out)
{
    struct st_signature_text text;
    st_signature_text(texts->signatures, type, count, most, &text);
    assert_int_equal(text.state, ST_SIGNATURE_KNOWN);
    assert_string_equal(text.text, expected);
    assert_int_equal(text.left_out, left_out);
    free(text.text);
}

/* VI.B: dcdcdccc is "(dc)2dc3", not "(dc)3c2". */
static void the_papers_example(void **state)
{
    struct texts *texts = *state;
    const char *expected = "(MPI_DOUBLE MPI_CHAR)2 MPI_DOUBLE MPI_CHAR*3";
    const struct st_type *dc = spelled(texts, "dc");
    assert_text(texts, spelled(texts, "dcdcdccc"), 1, ST_TEXT_ITEMS, expected, 0);
    assert_text(texts, one_after(texts, times(texts, 3, dc), times(texts, 2, texts->letter)), 1,
                ST_TEXT_ITEMS, expected, 0);
    assert_text(texts, one_after(texts, times(texts, 2, dc), spelled(texts, "dccc")), 1,
                ST_TEXT_ITEMS, expected, 0);
    const struct st_type *whole = spelled(texts, "dcdcdccc");
    assert_text(texts, whole, 1000000000000, ST_TEXT_ITEMS,
                "((MPI_DOUBLE MPI_CHAR)2 MPI_DOUBLE MPI_CHAR*3)1000000000000", 0);
}

static void repetitions_are_folded(void **state)
{
    struct texts *texts = *state;
    const struct st_type *ic = times(texts, 1000, spelled(texts, "ic"));
    assert_text(texts, texts->number, 1, 9, "MPI_INT", 0);
    assert_text(texts, texts->number, 7, 9, "MPI_INT*7", 0);
    assert_text(texts, texts->number, 0, 9, "", 0);
    assert_text(texts, ic, 1, 9, "(MPI_INT MPI_CHAR)1000", 0);
    assert_text(texts, one_after(texts, ic, texts->real), 2, 9,
                "((MPI_INT MPI_CHAR)1000 MPI_DOUBLE)2", 0);
    assert_text(texts, one_after(texts, ic, texts->real), 1000000000, 9,
                "((MPI_INT MPI_CHAR)1000 MPI_DOUBLE)1000000000", 0);
    /* What covers most wins: not (ic)1000 at the front. */
    assert_text(texts, one_after(texts, one_after(texts, ic, texts->real), ic), 500, 9,
                "((MPI_INT MPI_CHAR)1000 MPI_DOUBLE (MPI_INT MPI_CHAR)1000)500", 0);
    /* Equal neighbours are one run, whatever they belong to. */
    assert_text(texts, spelled(texts, "cic"), 1000, 9,
                "MPI_CHAR (MPI_INT MPI_CHAR*2)999 MPI_INT MPI_CHAR", 0);
    assert_text(texts, spelled(texts, "didcdidcdi"), 1, 9,
                "(MPI_DOUBLE MPI_INT MPI_DOUBLE MPI_CHAR)2 MPI_DOUBLE MPI_INT", 0);
}

/* Nested thirty deep: each level is seen. */
static void repetitions_are_folded_in_one_another(void **state)
{
    struct texts *texts = *state;
    const struct st_type *type = spelled(texts, "di");
    char expected[2048] = "MPI_DOUBLE MPI_INT", wider[2048];
    for (int i = 0; i < 30; i++) {
        bool letter = i % 2;
        type = one_after(texts, times(texts, 3, type), letter ? texts->letter : texts->number);
        strcpy(wider, "(");
        strcat(wider, expected);
        strcat(wider, letter ? ")3 MPI_CHAR" : ")3 MPI_INT");
        strcpy(expected, wider);
    }
    /* (...di)3 i is (...di)2 ...d i*2: only the innermost. */
    const char *inner = "((MPI_DOUBLE MPI_INT)3 MPI_INT)3 MPI_CHAR";
    const char *folded = "((MPI_DOUBLE MPI_INT)2 MPI_DOUBLE MPI_INT*2)3 MPI_CHAR";
    char *at = strstr(expected, inner);
    assert_non_null(at);
    strcpy(wider, at + strlen(inner));
    strcpy(at, folded);
    strcat(expected, wider);
    assert_text(texts, type, 1, ST_TEXT_ITEMS, expected, 0);
}

/* Just two copies, of something that is itself mostly copies: the places where they are cut differ
 * at the ends, so that the period shows only from end to end. */
static void two_copies_are_seen(void **state)
{
    struct texts *texts = *state;
    const struct st_type *inner[] = {texts->real,  texts->small, texts->letter,
                                     texts->small, texts->real,  texts->letter};
    const struct st_type *outer[] = {
        times(texts, 823,
              forge_struct(&texts->forge, 6, NULL, (int64_t[]){7, 1, 1, 1, 1, 1}, inner)),
        texts->number, texts->small};
    assert_text(texts, forge_struct(&texts->forge, 3, NULL, (int64_t[]){1, 15, 4}, outer), 2, 64,
                "((MPI_DOUBLE*7 MPI_FLOAT MPI_CHAR MPI_FLOAT MPI_DOUBLE MPI_CHAR)823 MPI_INT*15 "
                "MPI_FLOAT*4)2",
                0);
}

/* A random type: structs and repetitions in one another. It begins and ends with a letter of its
 * own, so that its copies do not run into one another. */
static const struct st_type *draw(struct texts *texts, uint64_t *seed, int depth)
{
    const struct st_type *kinds[] = {texts->real, texts->letter, texts->number}, *types[5];
    int64_t lengths[5], count = image_between(seed, 1, 5);
    if (depth == 0) {
        return kinds[image_between(seed, 0, 2)];
    }
    if (image_between(seed, 0, 2) == 0) {
        return times(texts, image_between(seed, 1, 1000), draw(texts, seed, depth - 1));
    }
    for (int64_t i = 0; i < count; i++) {
        types[i] = draw(texts, seed, depth - 1);
        lengths[i] = image_between(seed, 1, 3);
    }
    return forge_struct(&texts->forge, count, NULL, lengths, types);
}

/* Three copies or more of anything are seen as that. */
static void copies_are_seen(void **state)
{
    struct texts *texts = *state;
    uint64_t seed = image_seed(485868271);
    int seen = 0;
    for (int i = 0; i < 300; i++) {
        const struct st_type *parts[] = {
            texts->small, draw(texts, &seed, (int)image_between(&seed, 0, 4)), texts->number};
        const struct st_type *type =
            forge_struct(&texts->forge, 3, NULL, (int64_t[]){1, 1, 1}, parts);
        struct st_signature_text one;
        st_signature_text(texts->signatures, type, 1, 1000, &one);
        size_t length = strlen(one.text) + 20;
        char *expected = malloc(length);
        assert_non_null(expected);
        for (int copies = 3; copies < 6 && one.left_out == 0; copies++) {
            snprintf(expected, length, "(%s)%d", one.text, copies);
            assert_text(texts, type, copies, 1000, expected, 0);
            seen++;
        }
        free(expected);
        free(one.text);
    }
    assert_true(seen > 600);
}

static void long_texts_end_honestly(void **state)
{
    struct texts *texts = *state;
    const struct st_type *type = spelled(texts, "dcicdid");
    assert_text(texts, type, 1, 3, "MPI_DOUBLE MPI_CHAR MPI_INT ... 4 more elements", 4);
    assert_text(texts, type, 1, 6,
                "MPI_DOUBLE MPI_CHAR MPI_INT MPI_CHAR MPI_DOUBLE MPI_INT ... 1 more element", 1);
    assert_text(texts, type, 1, 7,
                "MPI_DOUBLE MPI_CHAR MPI_INT MPI_CHAR MPI_DOUBLE MPI_INT MPI_DOUBLE", 0);
    /* A repetition that is not written to its end has been written once. */
    assert_text(texts, one_after(texts, spelled(texts, "ididc"), texts->real), 1000, 3,
                "(MPI_INT MPI_DOUBLE)2 MPI_CHAR ... 5995 more elements", 5995);
    assert_text(texts, spelled(texts, "idc"), 1000000000000, 2,
                "MPI_INT MPI_DOUBLE ... 2999999999998 more elements", 2999999999998);
    assert_text(texts, spelled(texts, "idc"), 1000000000000, 0,
                "MPI_INT ... 2999999999999 more elements", 2999999999999);
}

/* The same elements, a hundred thousand irregular ones, grouped in two ways; and words that have no
 * period at all. */
static void irregular_types_have_equal_texts(void **state)
{
    struct texts *texts = *state;
    enum { MANY = 100000 };
    uint64_t seed = image_seed(271828182);
    const struct st_type *kinds[] = {texts->real, texts->letter, texts->number};
    const struct st_type **types = malloc(MANY * sizeof(*types));
    int64_t *lengths = malloc(MANY * sizeof(*lengths));
    assert_true(types && lengths);
    for (int i = 0; i < MANY; i++) {
        types[i] = kinds[image_between(&seed, 0, 2)];
        lengths[i] = image_between(&seed, 1, 3);
    }
    const struct st_type *whole = forge_struct(&texts->forge, MANY, NULL, lengths, types);
    const struct st_type *halves[2];
    halves[0] = forge_struct(&texts->forge, MANY / 3, NULL, lengths, types);
    halves[1] =
        forge_struct(&texts->forge, MANY - MANY / 3, NULL, lengths + MANY / 3, types + MANY / 3);
    struct st_signatures *others = st_signatures_new();
    struct st_signature_text a, b;
    st_signature_text(texts->signatures, whole, 3000000, ST_TEXT_ITEMS, &a);
    st_signature_text(others, one_after(texts, halves[0], halves[1]), 3000000, ST_TEXT_ITEMS, &b);
    assert_string_equal(a.text, b.text);
    assert_true(a.left_out > 0 && a.left_out == b.left_out);
    free(a.text);
    free(b.text);

    const struct st_type *f[81];
    f[0] = texts->real;
    f[1] = one_after(texts, texts->real, texts->number);
    for (int i = 2; i <= 80; i++) {
        f[i] = one_after(texts, f[i - 1], f[i - 2]);
    }
    const struct st_type *other = forge_struct(&texts->forge, 3, NULL, (int64_t[]){1, 1, 1},
                                               (const struct st_type *[]){f[78], f[77], f[78]});
    st_signature_text(texts->signatures, f[80], 1, ST_TEXT_ITEMS, &a);
    st_signature_text(others, other, 1, ST_TEXT_ITEMS, &b);
    assert_string_equal(a.text, b.text);
    free(a.text);
    free(b.text);
    st_signatures_free(others);
    free(types);
    free(lengths);
}

static void what_has_no_text(void **state)
{
    struct texts *texts = *state;
    struct st_signature_text text;
    const struct st_type *opaque = forge_plain(&texts->forge, ST_OPAQUE, 8, 0, 8);
    st_signature_text(texts->signatures, one_after(texts, texts->real, opaque), 3, 9, &text);
    assert_int_equal(text.state, ST_SIGNATURE_OPAQUE);
    assert_string_equal(text.text, "(MPI_DOUBLE OPAQUE)3");
    free(text.text);
    st_signature_text(texts->signatures, spelled(texts, "dc"), INT64_MAX, 9, &text);
    assert_int_equal(text.state, ST_SIGNATURE_TOO_LONG);
    assert_null(text.text);
    st_signatures_bound(texts->signatures, 3);
    st_signature_text(texts->signatures, spelled(texts, "dccdcdcdccdcd"), 1, 9, &text);
    assert_int_equal(text.state, ST_SIGNATURE_UNDECIDED);
    assert_null(text.text);
}

static bool at_last(void *context)
{
    return --*(long *)context == 0;
}

/* It stops whenever it is asked to, and the next call is complete again. */
static void an_interruption_ends_it(void **state)
{
    struct texts *texts = *state;
    enum { MANY = 20000 };
    static int64_t lengths[MANY];
    static const struct st_type *types[MANY];
    struct st_signature_text text;
    for (int64_t i = 0; i < MANY; i++) {
        lengths[i] = 1 + i * i % 1009;
        types[i] = i % 2 ? texts->real : texts->number;
    }
    const struct st_type *irregular = forge_struct(&texts->forge, MANY, NULL, lengths, types);
    struct st_sequence sequence;
    long until = 3, interrupted = 0;
    st_signatures_interrupt(texts->signatures, at_last, &until);
    assert_int_equal(st_signatures_sequence(texts->signatures, irregular, 1, &sequence),
                     ST_SIGNATURE_UNDECIDED);
    assert_int_equal(until, 0);
    for (long nth = 1;; nth++) {
        until = nth;
        st_signatures_interrupt(texts->signatures, at_last, &until);
        st_signature_text(texts->signatures, irregular, 1, 7, &text);
        if (until > 0) {
            break;
        }
        assert_int_equal(until, 0); /* at once */
        assert_int_equal(text.state, ST_SIGNATURE_UNDECIDED);
        assert_null(text.text);
        interrupted++;
    }
    assert_true(interrupted >= 7);
    assert_int_equal(text.state, ST_SIGNATURE_KNOWN);
    assert_true(strncmp(text.text, "MPI_INT MPI_DOUBLE*2 MPI_INT*5 ", 31) == 0);
    free(text.text);
}

/* Names that are longer than any of MPI's: cut, never written past. */
static void long_names(void **state)
{
    struct texts *texts = *state;
    char name[500], expected[500];
    memset(name, 'X', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memcpy(expected, name, ST_ELEMENT_TEXT - 1);
    strcpy(expected + ST_ELEMENT_TEXT - 1, "*2");
    assert_text(texts, forge_named(&texts->forge, name, 4), 2, 9, expected, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_papers_example),
        TEST(repetitions_are_folded),
        TEST(repetitions_are_folded_in_one_another),
        TEST(two_copies_are_seen),
        TEST(copies_are_seen),
        TEST(long_texts_end_honestly),
        TEST(irregular_types_have_equal_texts),
        TEST(what_has_no_text),
        TEST(an_interruption_ends_it),
        TEST(long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
