/*
 * Element addresses, positions in what MPI sends, and bytes of memory, in all directions, against
 * the unrolled tree (expanded.h) and so against the oracle's type maps. ST_CASES=N ST_SEED=N for
 * more, or for others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/address/address.h"
#include "expanded.h"
#include "fixture.h"
#include "core/address/locate.h"
#include "core/address/typemap.h"

#if defined(__SANITIZE_ADDRESS__)
enum { CASES = 10000 };
#else
enum { CASES = 75000 };
#endif
enum { MOST_DEPTH = 6, SAMPLES = 40, MOST_ELEMENTS = 100000 };
#define AT UINT64_C(0x7f0000010000) /* where the buffer stands */

/* A random type, once or as a repetition, and its tree. */
struct subject {
    struct fixture f;
    struct map map;
    const struct st_type *type;
    struct st_place root;
    int64_t copies; /* ST_ANY_COUNT: the type itself */
    uint64_t base;
    struct expanded tree;
    struct st_indexes indexes;
    uint64_t *seed;
};

static void subject_init(struct subject *s, uint64_t *seed, int depth)
{
    *s = (struct subject){.seed = seed, .base = image_random(seed) % 4 ? AT : 0};
    fixture_init(&s->f);
    uint32_t top = oracle_random(&s->f.image, seed, depth, &s->map);
    fixture_open(&s->f);
    s->type = fixture_type(&s->f, top);
    s->copies = image_between(seed, -1, 3);
    if (s->map.count > 200 && s->copies > 1) {
        s->copies = 1;
    }
    s->root = s->copies == ST_ANY_COUNT ? st_place_of(s->type, s->base)
                                        : st_place_repeat(s->type, s->base, s->copies);
    expanded_init(&s->tree, &s->root);
    expanded_check(&s->tree, &s->map, s->copies == ST_ANY_COUNT ? 1 : s->copies);
    st_indexes_init(&s->indexes);
}

static void subject_deinit(struct subject *s)
{
    st_indexes_deinit(&s->indexes);
    expanded_deinit(&s->tree);
    map_deinit(&s->map);
    fixture_deinit(&s->f);
}

static bool same_place(const struct st_place *a, const struct st_place *b)
{
    return a->type == b->type && a->address == b->address && a->count == b->count &&
           a->kind == b->kind && a->leaf == b->leaf;
}

static void check_at(const struct subject *s, const struct st_route *route, const struct node *node)
{
    assert_true(same_place(&route->place, &node->place));
    assert_int_equal(route->displacement.value, node->at);
    assert_int_equal(route->displacement.laps, 0);
    assert_int_equal(route->depth, node->depth);
    for (size_t i = 0; i < node->depth; i++) {
        assert_int_equal(route->steps[i].index, s->tree.steps[node->path + i]);
    }
}

static const struct node *random_node(struct subject *s)
{
    return &s->tree.nodes[image_random(s->seed) % s->tree.count];
}

static const struct node *leaf_number(const struct subject *s, int64_t number)
{
    return &s->tree.nodes[s->tree.leaves[number]];
}

/* --- each direction -----------------------------------------------------------------------------
 */

static void check_positions(struct subject *s, struct st_route *route, const struct node *node)
{
    struct st_amount number = st_route_number(route, &s->indexes, ST_SENT_ELEMENTS);
    struct st_amount byte = st_route_number(route, &s->indexes, ST_SENT_BYTES);
    struct st_amount elements = st_route_amount(route, ST_SENT_ELEMENTS);
    struct st_amount bytes = st_route_amount(route, ST_SENT_BYTES);
    struct st_bounds bounds = st_route_bounds(route);
    assert_int_equal(number.error | byte.error | elements.error | bytes.error, ST_OK);
    assert_int_equal(number.value, node->number);
    assert_int_equal(byte.value, node->byte);
    assert_int_equal(elements.value, node->elements);
    assert_int_equal(bytes.value, node->bytes);
    assert_true(bounds.exact);
    assert_int_equal(bounds.high - bounds.low, node->high - node->low);
    if (node->high != node->low) {
        assert_int_equal(node->at + bounds.low, node->low);
    }
}

static void check_texts(struct subject *s, const struct st_route *route, const struct node *node)
{
    struct st_route again;
    struct st_address_fault fault;
    st_route_init(&again, &s->root);
    for (int form = ST_ADDRESS_SHORT; form <= ST_ADDRESS_LONG; form++) {
        char text[1000];
        size_t length = st_address_format(route, (enum st_address_form)form, text, sizeof text);
        assert_true(length < sizeof text);
        assert_int_equal(length, strlen(text));
        if (node->depth == 0 && s->copies != ST_ANY_COUNT) {
            continue; /* the repetition as a whole has no address */
        }
        assert_int_equal(
            st_address_resolve(&again, s->type, s->base, s->copies, text, length, &fault),
            ST_ADDRESS_OK);
        check_at(s, &again, node);
        assert_int_equal(again.member, route->member);
    }
    st_route_deinit(&again);
}

/* By its indices, to its numbers, its bytes and its text. */
static void check_node(struct subject *s, const struct node *node)
{
    struct st_route route;
    st_route_init(&route, &s->root);
    for (size_t i = 0; i < node->depth; i++) {
        assert_int_equal(st_route_down(&route, s->tree.steps[node->path + i]), ST_OK);
    }
    check_at(s, &route, node);
    check_positions(s, &route, node);
    check_texts(s, &route, node);
    assert_int_equal(st_route_down(&route, node->place.count), ST_OUT_OF_RANGE);
    assert_int_equal(st_route_down(&route, -1), ST_OUT_OF_RANGE);
    check_at(s, &route, node);
    if (node->place.leaf && node->place.type->basic.class_ == ST_CLASS_PAIR) {
        for (route.member = 0; route.member < 2; route.member++) {
            const struct st_pair_member *member = &node->place.type->basic.members[route.member];
            assert_int_equal(st_route_bounds(&route).low, member->offset);
            assert_int_equal(st_route_bounds(&route).high, member->offset + member->size);
            assert_int_equal(st_route_amount(&route, ST_SENT_BYTES).value, member->size);
            assert_int_equal(st_route_number(&route, &s->indexes, ST_SENT_BYTES).value,
                             node->byte + (route.member ? 2 : 0));
            check_texts(s, &route, node);
        }
    }
    st_route_deinit(&route);
}

/* From a number, and from each of its bytes, to a leaf. */
static void check_numbers(struct subject *s, const struct node *leaf)
{
    struct st_route route;
    int64_t rest;
    st_route_init(&route, &s->root);
    assert_int_equal(st_route_at(&route, &s->indexes, ST_SENT_ELEMENTS, leaf->number, &rest),
                     ST_OK);
    check_at(s, &route, leaf);
    assert_int_equal(rest, 0);
    for (int64_t i = 0; i < leaf->bytes; i++) {
        assert_int_equal(st_route_at(&route, &s->indexes, ST_SENT_BYTES, leaf->byte + i, &rest),
                         ST_OK);
        check_at(s, &route, leaf);
        bool pair = leaf->place.type->basic.class_ == ST_CLASS_PAIR;
        assert_int_equal(route.member, pair ? i >= 2 : -1);
        assert_int_equal(rest, pair && i >= 2 ? i - 2 : i);
    }
    st_route_deinit(&route);
}

static void check_ends(struct subject *s)
{
    const struct node *root = &s->tree.nodes[0];
    struct st_route route;
    int64_t rest;
    st_route_init(&route, &s->root);
    for (int unit = ST_SENT_ELEMENTS; unit <= ST_SENT_BYTES; unit++) {
        int64_t end = unit == ST_SENT_ELEMENTS ? root->elements : root->bytes;
        int64_t past[] = {-1, end, end + 1, INT64_MAX};
        for (size_t i = 0; i < sizeof past / sizeof *past; i++) {
            assert_int_equal(st_route_at(&route, &s->indexes, (enum st_unit)unit, past[i], &rest),
                             ST_OUT_OF_RANGE);
        }
    }
    st_route_deinit(&route);
}

/* All leaves from a random one on, one after the other. */
static void check_typemap(struct subject *s)
{
    int64_t count = s->tree.nodes[0].elements;
    int64_t start = count ? image_between(s->seed, 0, count - 1) : 0;
    struct st_typemap map;
    st_typemap_init(&map, &s->indexes, &s->root);
    enum st_error error = st_typemap_seek(&map, start);
    for (int64_t i = start; i < count; i++) {
        const struct node *node = leaf_number(s, i);
        assert_int_equal(error, ST_OK);
        check_at(s, &map.route, node);
        assert_int_equal(map.number.error | map.byte.error, ST_OK);
        assert_int_equal(map.number.value, i);
        assert_int_equal(map.byte.value, node->byte);
        error = st_typemap_next(&map);
    }
    assert_int_equal(error, ST_OUT_OF_RANGE);
    st_typemap_deinit(&map);
}

/* From a byte of memory to all leaves that hold it, each once. */
static void check_byte(struct subject *s, int64_t byte)
{
    struct st_locate locate;
    enum st_located found;
    int64_t count = 0;
    int member;
    bool seen[MOST_ELEMENTS] = {false};
    st_locate_init(&locate, &s->indexes, &s->root, byte);
    while ((found = st_locate_next(&locate)) == ST_LOCATED) {
        struct st_amount number = st_route_number(&locate.route, &s->indexes, ST_SENT_ELEMENTS);
        assert_false(seen[number.value]);
        seen[number.value] = true;
        const struct node *node = leaf_number(s, number.value);
        assert_true(expanded_holds(node, byte, &member));
        assert_int_equal(locate.route.member, member);
        int64_t offset = member < 0 ? 0 : node->place.type->basic.members[member].offset;
        assert_int_equal(locate.within, byte - node->at - offset);
        check_at(s, &locate.route, node);
        count++;
    }
    assert_int_equal(found, ST_LOCATE_END);
    for (int64_t i = 0; i < s->tree.nodes[0].elements; i++) {
        count -= expanded_holds(leaf_number(s, i), byte, &member);
    }
    assert_int_equal(count, 0);
    st_locate_deinit(&locate);
}

static void check_bytes(struct subject *s)
{
    const struct node *root = &s->tree.nodes[0];
    check_byte(s, root->low - 1);
    check_byte(s, root->high);
    for (int i = 0; i < SAMPLES / 4; i++) {
        check_byte(s, image_between(s->seed, root->low, root->high));
    }
}

static void all_directions_agree_with_the_unrolled_tree(void **state)
{
    (void)state;
    const char *wanted = getenv("ST_CASES");
    long cases = wanted ? strtol(wanted, NULL, 10) : CASES;
    uint64_t seed = image_seed(20251101);
    oracle_pairs_and_markers = true;
    memset(oracle_drawn, 0, sizeof oracle_drawn);
    for (long i = 0; i < cases; i++) {
        struct subject s;
        uint64_t one = seed + (uint64_t)i, drawing = one;
        if (i % 10000 == 0) {
            print_message("# from ST_SEED=%llu ST_CASES=10000\n", (unsigned long long)one);
        }
        subject_init(&s, &drawing, (int)(one % (MOST_DEPTH + 1)));
        for (int k = 0; k < SAMPLES; k++) {
            const struct node *node = k ? random_node(&s) : &s.tree.nodes[0];
            check_node(&s, node);
            if (node->place.leaf && node->elements) {
                check_numbers(&s, node);
            }
        }
        check_ends(&s);
        check_typemap(&s);
        check_bytes(&s);
        subject_deinit(&s);
    }
    oracle_pairs_and_markers = false;
    for (unsigned combiner = ST_NAMED; combiner <= ST_RESIZED && cases >= 1000; combiner++) {
        assert_true(oracle_drawn[combiner] > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_directions_agree_with_the_unrolled_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
