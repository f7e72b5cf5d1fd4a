/* What is read again after a change, and what is not (registry.h, "what never changes"). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"

enum { BLOCKS = 100000 };

/* The rank did something: at an even count it is done. */
static void change(struct fixture *f, uint64_t steps)
{
    bool changed;
    image_root(&f->image)->changes += steps;
    assert_int_equal(st_registry_refresh(f->registry, &changed, NULL), ST_OK);
    assert_true(changed);
}

/* Bytes that the next look at a node reads. */
static uint64_t cost(struct fixture *f, uint32_t ordinal, const struct st_type **type)
{
    uint64_t before = f->image.bytes;
    assert_int_equal(fixture_find(f, image_handle(&f->image, ordinal), type), ST_LIVE);
    return f->image.bytes - before;
}

static uint32_t many_blocks(struct image *image, uint32_t base)
{
    int64_t *offsets = malloc(BLOCKS * sizeof(*offsets));
    int64_t *lengths = malloc(BLOCKS * sizeof(*lengths));
    assert_true(offsets && lengths);
    for (int64_t i = 0; i < BLOCKS; i++) {
        offsets[i] = 16 * i;
        lengths[i] = 1 + i % 3;
    }
    uint32_t node = image_indexed(image, ST_HINDEXED, BLOCKS, offsets, lengths, 0, base, true);
    free(offsets);
    free(lengths);
    return node;
}

/* 50,000 types, and some that are looked at. */
struct world {
    struct fixture f;
    uint32_t number, vector, blocks;
};

static void build(struct world *w)
{
    fixture_init(&w->f);
    struct image *image = &w->f.image;
    image->nodes_per_chunk = 4096;
    w->number = image_named(image, "MPI_INT", 4);
    for (int i = 0; i < 50000; i++) {
        image_vector(image, ST_VECTOR, 3, 1, i, w->number);
    }
    w->vector = image_vector(image, ST_VECTOR, 3, 2, 4, w->number);
    image_set_name(image, w->vector, "face");
    w->blocks = many_blocks(image, w->number);
    fixture_open(&w->f);
    image_root(image)->state = ST_STATE_INITIALIZED;
    change(&w->f, 2);
}

static void a_look_after_a_change_reads_a_few_pages(void **state)
{
    (void)state;
    struct world w;
    const struct st_type *type;
    build(&w);
    uint64_t reads = w.f.image.reads;
    assert_true(cost(&w.f, w.vector, &type) <= 8 * ST_PAGE);
    change(&w.f, 2);
    reads = w.f.image.reads;
    /* table, slot, node and name: neither the chunk's address nor the base */
    assert_true(cost(&w.f, w.vector, &type) <= 4 * ST_PAGE);
    assert_true(w.f.image.reads - reads <= 4);
    assert_string_equal(type->base->name, "MPI_INT");
    assert_int_equal(type->base->basic.class_, ST_CLASS_SIGNED);
    assert_int_equal(type->measure.size, 24);
    fixture_deinit(&w.f);
}

static void long_arrays_are_read_once(void **state)
{
    (void)state;
    struct world w;
    const struct st_type *type, *again;
    build(&w);
    assert_true(cost(&w.f, w.blocks, &type) >= 16 * BLOCKS);
    struct st_types *types = st_registry_types(w.f.registry); /* as a value in gdb's history does */
    change(&w.f, 2);
    assert_true(cost(&w.f, w.blocks, &again) <= 8 * ST_PAGE);
    assert_ptr_not_equal(again, type);
    assert_int_equal(again->entries, BLOCKS);
    assert_int_equal(again->offsets[BLOCKS - 1], 16 * (BLOCKS - 1));
    assert_int_equal(again->lengths[BLOCKS - 1], 1 + (BLOCKS - 1) % 3);
    assert_int_equal(again->measure.size, type->measure.size);
    /* also where nobody looked at it in between */
    change(&w.f, 2);
    change(&w.f, 2);
    assert_true(cost(&w.f, w.blocks, &again) <= 8 * ST_PAGE);
    fixture_deinit(&w.f);
    assert_int_equal(type->offsets[1], 16); /* held */
    st_types_release(types);
}

static void what_can_change_is_read_again(void **state)
{
    (void)state;
    struct world w;
    const struct st_type *type;
    build(&w);
    cost(&w.f, w.vector, &type);
    assert_string_equal(type->name, "face");
    assert_false(type->flags & ST_COMMITTED);
    struct st_node *node = image_node_at(&w.f.image, w.vector);
    memcpy(image_at(&w.f.image, node->name + sizeof(struct st_block)), "edge", 4);
    node->flags |= ST_COMMITTED;
    node->references = 9;
    change(&w.f, 2);
    cost(&w.f, w.vector, &type);
    assert_string_equal(type->name, "edge");
    assert_true(type->flags & ST_COMMITTED);
    assert_int_equal(type->references, 9);
    /* the node as another type, with another identity */
    node->serial = 60000;
    node->args[0] = 7;
    change(&w.f, 2);
    cost(&w.f, w.vector, &type);
    assert_int_equal(type->args[0], 7);
    fixture_deinit(&w.f);
}

static void other_arrays_at_the_same_place_are_other_arrays(void **state)
{
    (void)state;
    struct world w;
    const struct st_type *type;
    build(&w);
    cost(&w.f, w.blocks, &type);
    struct st_node *node = image_node_at(&w.f.image, w.blocks);
    int64_t *offsets = image_at(&w.f.image, node->block + sizeof(struct st_block));
    offsets[5] = 77;
    node->serial = 70000;
    change(&w.f, 2);
    assert_true(cost(&w.f, w.blocks, &type) >= 16 * BLOCKS);
    assert_int_equal(type->offsets[5], 77);
    /* let go of, as a large tombstone's */
    node->flags |= ST_ELIDED;
    node->block = 0;
    change(&w.f, 2);
    cost(&w.f, w.blocks, &type);
    assert_int_equal(type->entries, 0);
    fixture_deinit(&w.f);
}

/* Each of these is another program, or the same at another time: nothing of before holds. */
static void what_did_not_come_from_it_is_read_anew(void **state)
{
    (void)state;
    for (int how = 0; how < 6; how++) {
        struct world w;
        const struct st_type *type;
        build(&w);
        cost(&w.f, w.blocks, &type);
        struct st_root *root = image_root(&w.f.image);
        struct st_node *node = image_node_at(&w.f.image, w.blocks);
        int64_t *offsets = image_at(&w.f.image, node->block + sizeof(struct st_block));
        offsets[5] = 77; /* with the same serial, at the same place */
        struct st_node *number = image_node_at(&w.f.image, w.number);
        memcpy(image_at(&w.f.image, number->name + sizeof(struct st_block)), "MPI_UND", 7);
        switch (how) {
        case 0: /* a debugger ran it backward, or ran another */
            change(&w.f, UINT64_C(0) - 2);
            break;
        case 1: /* stopped in the middle of a change: that may be undone */
            change(&w.f, 1);
            offsets[5] = 78;
            change(&w.f, 1);
            offsets[5] = 77;
            change(&w.f, 2);
            break;
        case 2:
            root->nodes_used--;
            change(&w.f, 2);
            root->nodes_used++;
            change(&w.f, 2);
            break;
        case 3:
            root->state = ST_STATE_LOADED;
            change(&w.f, 2);
            break;
        case 4:
            root->mpi = ST_MPI_OPENMPI;
            root->handle_bytes = root->pointer_bytes;
            change(&w.f, 2);
            break;
        default: /* a debugger wrote */
            assert_int_equal(st_registry_forget(w.f.registry, NULL), ST_OK);
        }
        assert_true(cost(&w.f, w.blocks, &type) >= 16 * BLOCKS);
        assert_int_equal(type->offsets[5], 77);
        assert_string_equal(type->base->name, "MPI_UND");
        fixture_deinit(&w.f);
    }
}

/* Their sizes come when MPI is initialized. */
static void predefined_types_are_kept_when_they_are_settled(void **state)
{
    (void)state;
    struct fixture f;
    const struct st_type *type;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", -1);
    uint32_t two = image_contiguous(&f.image, 2, number);
    fixture_open(&f);
    image_root(&f.image)->state = ST_STATE_LOADED;
    change(&f, 2);
    cost(&f, two, &type);
    assert_int_equal(type->base->args[0], -1);
    image_root(&f.image)->state = ST_STATE_INITIALIZED;
    change(&f, 2);
    cost(&f, two, &type);
    assert_int_equal(type->base->args[0], -1);
    struct st_node *node = image_node_at(&f.image, number);
    node->args[0] = node->args[1] = node->args[2] = 4;
    change(&f, 2);
    cost(&f, two, &type);
    assert_int_equal(type->base->args[0], 4);
    node->references = 1000;
    change(&f, 2);
    cost(&f, number, &type); /* itself, it is read again */
    assert_int_equal(type->references, 1000);
    fixture_deinit(&f);
}

static void arrays_that_are_kept_have_a_limit(void **state)
{
    (void)state;
    enum { TYPES = 40, WIDE = 500000 }; /* 8 MB each: more than are kept */
    struct fixture f;
    uint32_t ordinals[TYPES];
    int64_t *numbers = calloc(WIDE, sizeof(*numbers));
    const struct st_type *type;
    assert_non_null(numbers);
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    for (int i = 0; i < TYPES; i++) {
        numbers[0] = i;
        ordinals[i] = image_indexed(&f.image, ST_HINDEXED, WIDE, numbers, numbers, 0, number, true);
    }
    free(numbers);
    fixture_open(&f);
    for (int i = 0; i < TYPES; i++) {
        change(&f, 2); /* so that nothing but what is kept is left */
        cost(&f, ordinals[i], &type);
        assert_int_equal(type->offsets[0], i);
    }
    change(&f, 2);
    assert_true(cost(&f, ordinals[TYPES - 1], &type) <= 8 * ST_PAGE);
    assert_true(cost(&f, ordinals[0], &type) >= 8 * WIDE);
    assert_int_equal(type->offsets[0], 0);
    fixture_deinit(&f);
}

static void the_predefined_types_cost_a_few_pages(void **state)
{
    (void)state;
    struct world w;
    struct st_row *rows;
    size_t count;
    build(&w);
    uint64_t bytes = w.f.image.bytes;
    assert_int_equal(st_registry_predefined(w.f.registry, &rows, &count, NULL), ST_OK);
    assert_int_equal(count, 1);
    assert_int_equal(rows[0].ordinal, w.number);
    assert_int_equal(rows[0].handle, image_handle(&w.f.image, w.number));
    assert_true(w.f.image.bytes - bytes <= 1200 * sizeof(struct st_node) + 20 * ST_PAGE);
    free(rows);
    fixture_deinit(&w.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_after_a_change_reads_a_few_pages),
        cmocka_unit_test(long_arrays_are_read_once),
        cmocka_unit_test(what_can_change_is_read_again),
        cmocka_unit_test(other_arrays_at_the_same_place_are_other_arrays),
        cmocka_unit_test(what_did_not_come_from_it_is_read_anew),
        cmocka_unit_test(predefined_types_are_kept_when_they_are_settled),
        cmocka_unit_test(arrays_that_are_kept_have_a_limit),
        cmocka_unit_test(the_predefined_types_cost_a_few_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
