/*
 * Type matching (signature_match.h), and the texts of signatures (signature_text.h), against the
 * elements by brute force (grow.h); and the standard's rules, one by one.
 *
 *     [ST_SEED=N] [ST_CASES=N] match_test
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grow.h"
#include "image.h"
#include "core/signature/signature_match.h"
#include "core/signature/signature_text.h"

#ifdef __SANITIZE_ADDRESS__
enum { CASES = 20000 };
#else
enum { CASES = 200000 };
#endif
enum { TOGETHER = 32, MOST = 4000 };

/* --- brute force --------------------------------------------------------------------------------
 */

/* What is compared: `count` copies. */
struct list {
    const struct st_type *type;
    int64_t copies;
    uint8_t codes[MOST], starts[MOST];
    size_t count;
};

static void fill(struct list *list, const struct grown *grown, int64_t copies)
{
    list->type = grown->type;
    list->copies = copies;
    list->count = 0;
    for (int64_t i = 0; i < copies; i++) {
        memcpy(list->codes + list->count, grown->codes, grown->count);
        memcpy(list->starts + list->count, grown->leaf_starts, grown->count);
        list->count += grown->count;
    }
}

static bool all_packed(const struct list *list)
{
    bool packed = list->count > 0;
    for (size_t i = 0; i < list->count; i++) {
        packed = packed && list->codes[i] == GROW_PACKED;
    }
    return packed;
}

static int64_t bytes_of(const struct list *list)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < list->count; i++) {
        bytes += grow_bytes(list->codes[i]);
    }
    return bytes;
}

static bool opaque_before(const struct list *list, size_t end)
{
    bool opaque = false;
    for (size_t i = 0; i < end; i++) {
        opaque = opaque || list->codes[i] >= GROW_OPAQUE;
    }
    return opaque;
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("# line %d: %s\n", __LINE__, #condition);                                       \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool check_bytes(const struct st_match *match, const struct list *a, const struct list *b)
{
    int64_t x = bytes_of(a), y = bytes_of(b);
    CHECK(match->bytes);
    CHECK(match->length[0] == x && match->length[1] == y);
    CHECK(match->agreed == (x < y ? x : y));
    CHECK(match->verdict == (x == y ? ST_MATCH_EQUAL : ST_MATCH_PREFIX));
    CHECK(x == y || match->longer == (y > x));
    return true;
}

/* The side's element at `at`. */
static bool check_place(const struct st_match_element *element, const struct list *list, size_t at)
{
    char text[ST_ELEMENT_TEXT];
    int64_t number = -1;
    CHECK(element->present == (at < list->count));
    if (!element->present) {
        return true;
    }
    for (size_t i = 0; i <= at; i++) {
        number += list->starts[i];
    }
    bool first = list->starts[at] && at + 1 < list->count && !list->starts[at + 1];
    st_element_text(&element->element, text);
    CHECK(strcmp(text, grow_name(list->codes[at])) == 0);
    CHECK(element->place.number == (opaque_before(list, at) ? -1 : number));
    CHECK(element->place.member == (!list->starts[at] ? 1 : first ? 0 : -1));
    return true;
}

static bool check_match(const struct st_match *match, const struct list *a, const struct list *b)
{
    size_t agreed = 0, least = a->count < b->count ? a->count : b->count;
    if (all_packed(a) != all_packed(b)) {
        return check_bytes(match, a, b);
    }
    while (agreed < least && a->codes[agreed] == b->codes[agreed]) {
        agreed++;
    }
    CHECK(!match->bytes);
    CHECK(match->length[0] == (opaque_before(a, a->count) ? -1 : (int64_t)a->count));
    CHECK(match->length[1] == (opaque_before(b, b->count) ? -1 : (int64_t)b->count));
    CHECK(match->agreed == (opaque_before(a, agreed) ? -1 : (int64_t)agreed));
    if (agreed == a->count && agreed == b->count) {
        CHECK(match->verdict == ST_MATCH_EQUAL);
        return true;
    }
    CHECK(check_place(&match->at[0], a, agreed));
    CHECK(check_place(&match->at[1], b, agreed));
    if (agreed == least) { /* an opaque type of 8 bytes has data */
        CHECK(match->verdict == ST_MATCH_PREFIX);
        CHECK(match->longer == (b->count > a->count));
    } else {
        bool opaque = a->codes[agreed] >= GROW_OPAQUE || b->codes[agreed] >= GROW_OPAQUE;
        CHECK(match->verdict == (opaque ? ST_MATCH_OPAQUE : ST_MATCH_DIFFERENT));
    }
    return true;
}

/* --- texts ---------------------------------------------------------------------------------------
 */

/* Writes what a text denotes. It is read as a user would read it. */
static const char *read_text(const char *text, uint8_t *codes, size_t *count)
{
    while (*text && *text != ')' && strncmp(text, "... ", 4) != 0) {
        size_t start = *count, length;
        if (*text == ' ') {
            text++;
            continue;
        }
        if (*text == '(') {
            text = read_text(text + 1, codes, count);
            assert_int_equal(*text, ')');
            text++;
        } else {
            unsigned code = GROW_CODES; /* some opaque one */
            for (unsigned i = 0; i < GROW_CODES; i++) {
                if (strncmp(text, grow_name(i), strlen(grow_name(i))) == 0) {
                    code = i;
                }
            }
            assert_true(strncmp(text, grow_name(code), strlen(grow_name(code))) == 0);
            text += strlen(grow_name(code));
            codes[(*count)++] = (uint8_t)code;
            text += *text == '*';
        }
        long times = *text >= '0' && *text <= '9' ? strtol(text, (char **)(uintptr_t)&text, 10) : 1;
        assert_true(times > 0);
        length = *count - start;
        for (long i = 1; i < times; i++) {
            assert_true(*count + length <= MOST);
            memmove(codes + *count, codes + start, length);
            *count += length;
        }
    }
    return text;
}

static bool check_text(struct st_signatures *signatures, const struct list *list, size_t most,
                       struct st_signature_text *text)
{
    uint8_t codes[MOST];
    size_t count = 0;
    st_signature_text(signatures, list->type, list->copies, most, text);
    CHECK(text->state ==
          (opaque_before(list, list->count) ? ST_SIGNATURE_OPAQUE : ST_SIGNATURE_KNOWN));
    const char *rest = read_text(text->text, codes, &count);
    CHECK(text->elements == (int64_t)list->count);
    CHECK(text->left_out == (int64_t)(list->count - count));
    CHECK((*rest != '\0') == (text->left_out > 0));
    CHECK(!*rest || strtol(rest + 4, NULL, 10) == text->left_out);
    for (size_t i = 0; i < count; i++) {
        CHECK(codes[i] == (list->codes[i] < GROW_OPAQUE ? list->codes[i] : GROW_CODES));
    }
    return true;
}

static bool check_texts(struct st_signatures *signatures, const struct list *a,
                        const struct list *b, bool equal, size_t most)
{
    struct st_signature_text x, y;
    bool right = check_text(signatures, a, most, &x) && check_text(signatures, b, most, &y);
    if (right && x.state == ST_SIGNATURE_KNOWN && y.state == ST_SIGNATURE_KNOWN) {
        bool same = strcmp(x.text, y.text) == 0;
        right = equal ? same : !same || x.left_out > 0;
    }
    free(x.text);
    free(y.text);
    return right;
}

static bool check_hashes(struct st_signatures *signatures, const struct list *a,
                         const struct list *b, bool equal)
{
    struct st_signature x, y;
    enum st_signature_state state = st_signatures_of(signatures, a->type, a->copies, &x);
    CHECK(state == (opaque_before(a, a->count) ? ST_SIGNATURE_OPAQUE : ST_SIGNATURE_KNOWN));
    if (state || st_signatures_of(signatures, b->type, b->copies, &y)) {
        return true;
    }
    CHECK(x.length == (int64_t)a->count);
    CHECK(st_signature_equal(&x, &y) == equal);
    return true;
}

/* How often each verdict has been checked. */
static long seen[ST_MATCH_NO_MEMORY + 1];

static bool check_case(struct st_signatures *signatures, const struct list *a, const struct list *b,
                       bool texts)
{
    struct st_match match;
    st_match(signatures, a->type, a->copies, b->type, b->copies, &match);
    CHECK(check_match(&match, a, b));
    seen[match.verdict]++;
    bool equal = a->count == b->count && memcmp(a->codes, b->codes, a->count) == 0;
    CHECK(check_hashes(signatures, a, b, equal));
    if (texts) {
        CHECK(check_texts(signatures, a, b, equal, 64));
        CHECK(check_texts(signatures, a, b, equal, a->count % 5));
    }
    return true;
}

/* --- random cases
 * ---------------------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Elements with some repetition in them. */
static size_t draw_codes(struct grower *grower, uint8_t *codes)
{
    size_t count = (size_t)image_between(&grower->seed, 0, 40);
    size_t period = (size_t)image_between(&grower->seed, 1, 9);
    int64_t alphabet = image_between(&grower->seed, 1, GROW_CODES);
    for (size_t i = 0; i < count; i++) {
        codes[i] = i < period || image_between(&grower->seed, 0, 19) == 0
                       ? (uint8_t)image_between(&grower->seed, 0, alphabet - 1)
                       : codes[i - period];
    }
    return count;
}

/* Two types that nearly match, or do. */
static void draw_related(struct grower *grower, struct list *a, struct list *b)
{
    uint8_t codes[MOST];
    size_t count = draw_codes(grower, codes);
    int64_t copies = image_between(&grower->seed, 1, 4);
    struct grown first = grow_from(grower, codes, count, 4);
    fill(a, &first, copies);
    count = a->count;
    memcpy(codes, a->codes, count);
    if (image_between(&grower->seed, 0, 2) == 0) {
        count = (size_t)image_between(&grower->seed, 0, (int64_t)count); /* a prefix */
    }
    if (count && image_between(&grower->seed, 0, 2) == 0) {
        codes[image_between(&grower->seed, 0, (int64_t)count - 1)] =
            (uint8_t)image_between(&grower->seed, 0, GROW_CODES - 1);
    }
    struct grown second = grow_from(grower, codes, count, 4);
    fill(b, &second, 1);
}

static void draw_any(struct grower *grower, struct list *lists[2])
{
    unsigned alphabet = (unsigned)image_between(&grower->seed, 1, 3);
    for (int i = 0; i < 2; i++) {
        struct grown grown = grow_tree(grower, (int)image_between(&grower->seed, 0, 5), alphabet);
        int64_t most = (int64_t)smaller(6, MOST / (grown.count + 1));
        fill(lists[i], &grown, image_between(&grower->seed, 0, most));
    }
}

/* Something opaque, on both sides or on one. */
static void draw_opaque(struct grower *grower, struct list *a, struct list *b)
{
    struct grown known = grow_tree(grower, 2, 2), opaque = grow_opaque(grower);
    struct grown other = image_between(&grower->seed, 0, 1) ? opaque : grow_opaque(grower);
    struct list *lists[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        struct list part;
        const struct grown *parts[3] = {&known, i ? &other : &opaque, &known};
        const struct st_type *types[3];
        int64_t lengths[3];
        lists[i]->count = 0;
        for (int k = 0; k < 3; k++) {
            types[k] = parts[k]->type;
            lengths[k] = image_between(&grower->seed, k == 1 ? 0 : 1, 2);
            fill(&part, parts[k], lengths[k]);
            memcpy(lists[i]->codes + lists[i]->count, part.codes, part.count);
            memcpy(lists[i]->starts + lists[i]->count, part.starts, part.count);
            lists[i]->count += part.count;
        }
        lists[i]->type = forge_struct(&grower->forge, 3, NULL, lengths, types);
        lists[i]->copies = 1;
    }
}

static bool draw_case(struct grower *grower, struct st_signatures *signatures, long number)
{
    static struct list a, b;
    grower->markers = number % 2;
    switch (number % 8) {
    case 0:
    case 1:
        draw_any(grower, (struct list *[2]){&a, &b});
        break;
    case 2:
        if (grower->opaque < 100) {
            draw_opaque(grower, &a, &b);
            break;
        } /* fall through */
    default:
        draw_related(grower, &a, &b);
        break;
    }
    return check_case(signatures, &a, &b, number % 4 == 3);
}

/* `weakened` bits of the order in which names are cut are left. */
static void run_cases(uint64_t seed, long cases, uint64_t order_mask)
{
    for (long first = 0; first < cases; first += TOGETHER) {
        struct grower grower = {.seed = seed + (uint64_t)first};
        struct st_signatures *signatures = st_signatures_new();
        st_signatures_sequences(signatures)->order_mask = order_mask;
        for (long i = first; i < first + TOGETHER; i++) {
            if (!draw_case(&grower, signatures, i)) {
                fail_msg("case %ld of ST_SEED=%llu: have it again with ST_SEED=%llu ST_CASES=%d",
                         i - first, (unsigned long long)grower.seed,
                         (unsigned long long)(seed + (uint64_t)first), TOGETHER);
            }
        }
        st_signatures_free(signatures);
        grower_deinit(&grower);
    }
}

static long cases_wanted(long otherwise)
{
    const char *text = getenv("ST_CASES");
    return text ? strtol(text, NULL, 10) : otherwise;
}

static void verdicts_are_those_of_brute_force(void **state)
{
    (void)state;
    long cases = cases_wanted(CASES);
    run_cases(image_seed(141421356), cases, UINT64_MAX);
    printf("# %ld equal, %ld prefix, %ld different, %ld opaque\n", seen[ST_MATCH_EQUAL],
           seen[ST_MATCH_PREFIX], seen[ST_MATCH_DIFFERENT], seen[ST_MATCH_OPAQUE]);
    for (int i = ST_MATCH_EQUAL; i <= ST_MATCH_OPAQUE; i++) {
        assert_true(seen[i] >= cases / 100);
    }
}

/* An order that tells few names apart, or none, makes other cuts, and worse ones: never another
 * verdict. */
static void no_verdict_rests_on_a_hash(void **state)
{
    (void)state;
    uint64_t seed = image_seed(173205080);
    run_cases(seed, cases_wanted(CASES) / 20, 0);
    run_cases(seed, cases_wanted(CASES) / 20, 3);
}

/* --- the standard's rules
 * ---------------------------------------------------------------------------- */

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
        cmocka_unit_test(verdicts_are_those_of_brute_force),
        cmocka_unit_test(no_verdict_rests_on_a_hash),
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
