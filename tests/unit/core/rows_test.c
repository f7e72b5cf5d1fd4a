/* Listings (decode_rows.c): what is in them, and what damage leaves of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"

static void rows_are_live_freed_or_below_in_order_of_creation(void **state)
{
    (void)state;
    struct fixture f;
    struct st_row *rows;
    size_t count;
    struct st_damage damage;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t below = image_contiguous(&f.image, 2, number);
    uint32_t deeper = image_dup(&f.image, number);
    uint32_t live = image_contiguous(&f.image, 3, below);
    uint32_t types[] = {deeper};
    uint32_t entry = image_struct(&f.image, 1, (int64_t[]){0}, (int64_t[]){1}, types, 0, 4, false);
    uint32_t freed = image_vector(&f.image, ST_VECTOR, 1, 1, 1, number);
    uint32_t gone = image_dup(&f.image, number);
    uint32_t moving = image_dup(&f.image, number); /* in the table and in the ring */
    f.image.nodes[number].serial = 100;            /* ordinals are used again; serials are not */
    image_bury(&f.image, below, false);
    image_bury(&f.image, deeper, false);
    image_bury(&f.image, gone, false);
    image_bury(&f.image, freed, true);
    image_bury(&f.image, moving, true);
    f.image.dead[moving] = false;
    fixture_open(&f);
    assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, NULL), ST_OK);
    assert_int_equal(damage.fault.error, ST_OK);
    assert_int_equal(damage.read, damage.all);
    const struct {
        uint32_t ordinal;
        bool live, tombstone;
    } expected[] = {{below, false, false}, {deeper, false, false}, {live, true, false},
                    {entry, true, false},  {freed, false, true},   {moving, true, false},
                    {number, true, false}};
    assert_int_equal(count, 7);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].ordinal, expected[i].ordinal);
        assert_int_equal(rows[i].live, expected[i].live);
        assert_int_equal(rows[i].tombstone, expected[i].tombstone);
        assert_int_equal(rows[i].handle, image_handle(&f.image, rows[i].ordinal));
    }
    free(rows);
    fixture_deinit(&f);
}

/* While the table closes a gap, a node stands in two slots. */
static void a_node_in_two_slots_is_listed_once(void **state)
{
    (void)state;
    struct fixture f;
    struct st_row *rows;
    size_t count;
    struct st_damage damage;
    const struct st_type *type;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t array = image_contiguous(&f.image, 3, number);
    fixture_open(&f);
    const struct st_table *table = image_at(&f.image, f.image.table);
    uint32_t slots = 1u << table->log2_slots;
    uint32_t home = st_table_home(image_handle(&f.image, array), table->log2_slots);
    uint32_t *slot = image_slots(&f.image);
    slot[(home + 1) & (slots - 1)] = array + 1;
    assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, NULL), ST_OK);
    assert_int_equal(count, 2);
    assert_int_equal(damage.fault.error, ST_OK);
    assert_int_equal(damage.read, damage.all);
    assert_int_equal(fixture_find(&f, image_handle(&f.image, array), &type), ST_LIVE);
    free(rows);
    fixture_deinit(&f);
}

static void damaged_nodes_are_counted_and_the_rest_is_listed(void **state)
{
    (void)state;
    struct fixture f;
    struct st_row *rows;
    size_t count;
    struct st_damage damage;
    struct st_fault fault = {0};
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    for (int i = 0; i < 10; i++) {
        image_contiguous(&f.image, i, number);
    }
    fixture_open(&f);
    image_node_at(&f.image, 3)->combiner = 200;
    image_node_at(&f.image, 7)->serial = 0;
    assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, &fault), ST_OK);
    assert_int_equal(count, 9);
    assert_int_equal(damage.all, 11);
    assert_int_equal(damage.read, 9);
    assert_int_equal(damage.fault.error, ST_DAMAGED_NODE);
    free(rows);
    fixture_deinit(&f);
}

/* Where every node is in the table or in the ring, the entries of structs are not looked at. */
static void a_struct_whose_entries_cannot_be_read_is_damage(void **state)
{
    (void)state;
    struct fixture f;
    struct st_row *rows;
    size_t count;
    struct st_damage damage;
    struct st_fault fault = {0};
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t below = image_contiguous(&f.image, 2, number);
    uint32_t types[] = {below};
    uint32_t top = image_struct(&f.image, 1, (int64_t[]){0}, (int64_t[]){1}, types, 0, 4, false);
    image_bury(&f.image, below, false);
    fixture_open(&f);
    struct st_block *block = image_at(&f.image, image_node_at(&f.image, top)->block);
    block->magic++;
    assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, &fault), ST_OK);
    assert_int_equal(count, 2);
    assert_int_equal(damage.all, 2);
    assert_int_equal(damage.read, 1);
    assert_int_equal(damage.fault.error, ST_DAMAGED_NODE);
    assert_int_equal(damage.fault.node, top);
    assert_string_equal(damage.fault.field, "block");
    free(rows);
    fixture_deinit(&f);
}

static uint64_t node_at(const struct fixture *f, uint32_t ordinal)
{
    const void *node = image_node_at(&f->image, ordinal);
    return (uint64_t)((const unsigned char *)node - f->image.data) + IMAGE_BASE;
}

/* Past a page that is not there, nodes are listed that somebody names: the table, the ring, or a type
 * above them. */
static void past_a_gap_nodes_are_listed_all_the_same(void **state)
{
    (void)state;
    struct fixture f;
    struct st_row *rows;
    size_t count;
    struct st_damage damage;
    struct st_fault fault = {0};
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4), below = 0;
    for (int i = 0; i < 299; i++) {
        uint32_t made = image_contiguous(&f.image, i, number);
        below = i == 280 ? made : below;
        if (i % 10 == 5) {
            image_bury(&f.image, made, i == 275); /* the others: not even in the ring */
        }
    }
    image_bury(&f.image, below, false);
    uint32_t top = image_dup(&f.image, below);
    fixture_open(&f);
    uint32_t first = 0, gone = 0; /* nodes in a page that is not there */
    f.image.hole = (node_at(&f, 30) / ST_PAGE + 1) * ST_PAGE;
    f.image.hole_end = f.image.hole + ST_PAGE;
    for (uint32_t i = 0; i < 301; i++) {
        uint64_t at = node_at(&f, i);
        if (at < f.image.hole_end && at + sizeof(struct st_node) > f.image.hole) {
            first = first ? first : i;
            gone++;
        }
    }
    assert_true(first > 20 && first + gone < 270);
    assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, &fault), ST_OK);
    size_t listed = 0;
    for (uint32_t i = 0; i < 301; i++) {
        bool there = (i < first || i >= first + gone) && (i % 10 != 6 || i == 276);
        assert_true(!there || rows[listed].ordinal == i);
        listed += there;
    }
    assert_int_equal(count, listed);
    assert_true(damage.all > count && damage.all <= count + gone);
    assert_int_equal(damage.read, count);
    assert_int_equal(damage.fault.error, ST_UNREADABLE);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].tombstone, rows[i].ordinal == 276);
        assert_int_equal(rows[i].live, rows[i].ordinal != 276 && rows[i].ordinal != below);
    }
    assert_int_equal(rows[count - 1].ordinal, top);
    free(rows);
    fixture_deinit(&f);
}

/* Chunks lie anywhere: that one is gone says nothing of those before it. */
static void a_gap_hides_no_chunk_that_lies_before_it(void **state)
{
    (void)state;
    struct fixture f;
    struct st_row *rows;
    size_t count;
    struct st_damage damage;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    for (int i = 0; i < 99; i++) {
        image_contiguous(&f.image, i, number);
    }
    image_finish(&f.image);
    *(uint64_t *)image_at(&f.image, f.image.node_chunks) = IMAGE_BASE + f.image.size;
    struct st_fault fault;
    assert_int_equal(st_registry_open(&f.registry, image_read, &f.image, f.image.root, &fault),
                     ST_OK);
    assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, NULL), ST_OK);
    assert_int_equal(count, 96); /* all but the first chunk */
    assert_int_equal(damage.all, 100);
    assert_int_equal(damage.read, 96);
    free(rows);
    fixture_deinit(&f);
}

static void a_listing_reads_large_pieces(void **state)
{
    (void)state;
    struct fixture f;
    struct st_row *rows;
    size_t count;
    struct st_damage damage;
    fixture_init(&f);
    f.image.nodes_per_chunk = 4096;
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    for (int i = 0; i < 50000; i++) {
        image_vector(&f.image, ST_VECTOR, 3, 1, i, number);
    }
    fixture_open(&f);
    uint64_t reads = f.image.reads;
    assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, NULL), ST_OK);
    assert_int_equal(count, 50001);
    assert_true(f.image.reads - reads < 100);
    free(rows);
    fixture_deinit(&f);
}

/* --- names and sites
 * ------------------------------------------------------------------------------ */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_live_freed_or_below_in_order_of_creation),
        cmocka_unit_test(a_node_in_two_slots_is_listed_once),
        cmocka_unit_test(damaged_nodes_are_counted_and_the_rest_is_listed),
        cmocka_unit_test(a_struct_whose_entries_cannot_be_read_is_damage),
        cmocka_unit_test(past_a_gap_nodes_are_listed_all_the_same),
        cmocka_unit_test(a_gap_hides_no_chunk_that_lies_before_it),
        cmocka_unit_test(a_listing_reads_large_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
