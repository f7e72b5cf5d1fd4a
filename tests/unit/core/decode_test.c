/* The decoder (decode.h) on sound registries: what a handle means, listings, names, sites. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"

static void live_tombstone_and_unknown_handles(void **state)
{
    (void)state;
    struct fixture f;
    const struct st_type *type;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t live = image_contiguous(&f.image, 3, number);
    uint32_t old = image_contiguous(&f.image, 4, number);
    uint32_t newer = image_contiguous(&f.image, 5, number);
    uint32_t newest = image_contiguous(&f.image, 6, number);
    /* MPI hands the same handle out again at once. */
    f.image.nodes[old].handle = f.image.nodes[newer].handle = f.image.nodes[newest].handle = 77;
    image_bury(&f.image, old, true);
    image_bury(&f.image, newer, true);
    image_bury(&f.image, newest, true);
    fixture_open(&f);

    assert_int_equal(fixture_find(&f, image_handle(&f.image, live), &type), ST_LIVE);
    assert_int_equal(type->ordinal, live);
    assert_int_equal(type->base->ordinal, number);
    assert_string_equal(type->base->name, "MPI_INT");
    assert_int_equal(fixture_find(&f, 77, &type), ST_TOMBSTONE);
    assert_int_equal(type->ordinal, newest);
    assert_int_equal(type->flags & ST_FREED, ST_FREED);
    assert_int_equal(fixture_find(&f, 78, &type), ST_UNKNOWN_HANDLE);
    assert_int_equal(fixture_find(&f, 0, &type), ST_UNKNOWN_HANDLE);
    fixture_deinit(&f);
}

static void a_live_type_wins_over_a_tombstone_of_its_handle(void **state)
{
    (void)state;
    struct fixture f;
    const struct st_type *type;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t old = image_contiguous(&f.image, 4, number);
    uint32_t live = image_contiguous(&f.image, 5, number);
    f.image.nodes[old].handle = f.image.nodes[live].handle = 77;
    image_bury(&f.image, old, true);
    fixture_open(&f);
    assert_int_equal(fixture_find(&f, 77, &type), ST_LIVE);
    assert_int_equal(type->ordinal, live);
    fixture_deinit(&f);
}

static void the_ring_goes_round(void **state)
{
    (void)state;
    struct fixture f;
    const struct st_type *type;
    fixture_init(&f);
    f.image.ring_slots = 4;
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t freed[7];
    for (int i = 0; i < 7; i++) {
        freed[i] = image_contiguous(&f.image, i, number);
        f.image.nodes[freed[i]].handle = 77;
        image_bury(&f.image, freed[i], true);
    }
    fixture_open(&f);
    assert_int_equal(image_root(&f.image)->ring_next, 3);
    assert_int_equal(fixture_find(&f, 77, &type), ST_TOMBSTONE);
    assert_int_equal(type->ordinal, freed[6]);
    fixture_deinit(&f);
}

static const struct st_row *row_of(const struct st_row *rows, size_t count, uint32_t ordinal)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].ordinal == ordinal) {
            return &rows[i];
        }
    }
    return NULL;
}

/* The recorder is freeing the last of `freed`: how it stands in the list, and the first. */
static void check_freeing(struct image *image, const uint32_t *freed, bool gone)
{
    struct fixture f = {.image = *image};
    struct st_row *rows;
    struct st_fault fault;
    size_t count;
    struct st_damage damage;
    const struct st_type *type;
    assert_int_equal(st_registry_open(&f.registry, image_read, image, image->root, &fault), ST_OK);
    assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, &fault), ST_OK);
    const struct st_row *last = row_of(rows, count, freed[3]);
    assert_int_equal(damage.fault.error, ST_OK);
    assert_int_equal(damage.read, damage.all);
    assert_int_equal(last->live, !gone);
    assert_int_equal(last->tombstone, gone);
    assert_int_equal(last->flags & ST_FREED, gone ? ST_FREED : 0);
    assert_int_equal(row_of(rows, count, freed[0]) == NULL, gone);
    free(rows);
    assert_int_equal(fixture_find(&f, 103, &type), gone ? ST_TOMBSTONE : ST_LIVE);
    assert_int_equal(type->flags & ST_FREED, gone ? ST_FREED : 0);
    assert_int_equal(type->freed, gone ? 7 : ST_NO_SITE);
    assert_int_equal(fixture_find(&f, 100, &type), gone ? ST_UNKNOWN_HANDLE : ST_TOMBSTONE);
    assert_int_equal(fixture_find(&f, 101, &type), ST_TOMBSTONE);
    st_registry_close(f.registry);
}

/* One store makes a type a tombstone and ends the oldest: what leads to it and what follows it
 * cannot be seen (registry.h). */
static void a_free_is_one_store(void **state)
{
    (void)state;
    struct image image;
    image_init(&image);
    image.ring_slots = 4;
    uint32_t number = image_named(&image, "MPI_INT", 4);
    uint32_t freed[4];
    for (uint32_t i = 0; i < 4; i++) {
        freed[i] = image_contiguous(&image, i, number);
        image.nodes[freed[i]].handle = 100 + i;
        if (i < 3) {
            image_bury(&image, freed[i], true);
        }
    }
    image_finish(&image);
    uint32_t *ring = image_at(&image, image.ring_at);
    uint32_t *slot = image_slots(&image);
    check_freeing(&image, freed, false);
    image_node_at(&image, freed[3])->freed = 7;
    check_freeing(&image, freed, false);
    image_node_at(&image, freed[3])->flags |= ST_FREED;
    check_freeing(&image, freed, false);
    ring[3] = freed[3] + 1;
    check_freeing(&image, freed, false);
    while (*slot != freed[3] + 1) {
        slot++;
    }
    *slot = 0;
    check_freeing(&image, freed, true);
    ring[0] = 0;
    check_freeing(&image, freed, true);
    image_root(&image)->ring_next = 0;
    check_freeing(&image, freed, true);
    image_deinit(&image);
}

static void what_is_written_before_it_counts(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t type = image_contiguous(&f.image, 3, number);
    f.image.nodes[number].args[1] = -1;
    f.image.nodes[type].committed = 5;
    image_finish(&f.image);
    image_root(&f.image)->state = ST_STATE_LOADED;
    image_root(&f.image)->world_rank = -1;
    struct st_fault fault;
    assert_int_equal(st_registry_open(&f.registry, image_read, &f.image, f.image.root, &fault),
                     ST_OK);
    assert_int_equal(fixture_type(&f, number)->args[0], -1);
    assert_int_equal(fixture_type(&f, number)->args[2], -1);
    assert_int_equal(fixture_type(&f, type)->committed, ST_NO_SITE);
    assert_int_equal(st_registry_root(f.registry)->world_size, -1);
    assert_int_equal(st_registry_root(f.registry)->mpi_version[0], 0);
    fixture_deinit(&f);
}

static void handles_that_collide_are_told_apart(void **state)
{
    (void)state;
    struct fixture f;
    const struct st_type *type;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    for (uint64_t i = 1; i < 500; i++) {
        uint32_t ordinal = image_contiguous(&f.image, (int64_t)i, number);
        f.image.nodes[ordinal].handle = i << 40; /* all of a few homes */
    }
    fixture_open(&f);
    for (uint64_t i = 1; i < 500; i++) {
        assert_int_equal(fixture_find(&f, i << 40, &type), ST_LIVE);
        assert_int_equal(type->args[0], i);
    }
    fixture_deinit(&f);
}

static void a_node_is_known_by_its_serial(void **state)
{
    (void)state;
    struct fixture f;
    const struct st_type *type;
    struct st_fault fault;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t array = image_contiguous(&f.image, 3, number);
    f.image.nodes[array].serial = 41;
    fixture_open(&f);
    assert_int_equal(st_registry_type(f.registry, array, 41, &type, &fault), ST_OK);
    assert_int_equal(type->serial, 41);
    assert_int_equal(st_registry_type(f.registry, array, 0, &type, &fault), ST_OK);
    assert_int_equal(st_registry_type(f.registry, array, 42, &type, &fault), ST_NO_SUCH_NODE);
    assert_int_equal(fault.node, array);
    assert_int_equal(st_registry_type(f.registry, 99, 0, &type, &fault), ST_NO_SUCH_NODE);
    assert_int_equal(fault.node, 99);
    assert_int_equal(st_registry_type(f.registry, array, 42, &type, NULL), ST_NO_SUCH_NODE);
    fixture_deinit(&f);
}

static void types_below_are_shared(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t pair = image_contiguous(&f.image, 2, number);
    uint32_t types[] = {pair, number, pair};
    uint32_t top =
        image_struct(&f.image, 3, (int64_t[]){0, 8, 16}, (int64_t[]){1, 2, 3}, types, 0, 40, false);
    fixture_open(&f);
    const struct st_type *type = fixture_type(&f, top);
    assert_int_equal(type->entries, 3);
    assert_ptr_equal(type->types[0], type->types[2]);
    assert_ptr_equal(type->types[0]->base, type->types[1]);
    assert_int_equal(type->lengths[2], 3);
    assert_int_equal(type->offsets[1], 8);
    assert_int_equal(type->measure.depth, 2);
    assert_ptr_equal(fixture_type(&f, pair), type->types[0]);
    fixture_deinit(&f);
}

static void numbers_are_64_bits_wherever_they_stand(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    const int64_t big = INT64_C(1) << 40;
    uint32_t number = image_named(&f.image, "MPI_BYTE", 1);
    uint32_t narrow = image_indexed(&f.image, ST_HINDEXED, 2, (int64_t[]){-7, INT32_MAX},
                                    (int64_t[]){1, 2}, 0, number, false);
    uint32_t wide = image_indexed(&f.image, ST_HINDEXED, 2, (int64_t[]){-big, big},
                                  (int64_t[]){big, 2}, 0, number, true);
    fixture_open(&f);
    const struct st_type *type = fixture_type(&f, narrow);
    assert_int_equal(type->offsets[0], -7);
    assert_int_equal(type->offsets[1], INT32_MAX);
    assert_int_equal(type->measure.true_ub, INT64_C(2) + INT32_MAX);
    type = fixture_type(&f, wide);
    assert_int_equal(type->offsets[0], -big);
    assert_int_equal(type->lengths[0], big);
    assert_int_equal(type->measure.size, big + 2);
    assert_int_equal(type->measure.lb, -big);
    fixture_deinit(&f);
}

/* --- refresh ------------------------------------------------------------------------------------
 */

static void refresh_reads_one_root_if_nothing_changed(void **state)
{
    (void)state;
    struct fixture f;
    bool changed = true;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t array = image_contiguous(&f.image, 3, number);
    fixture_open(&f);
    fixture_type(&f, array);
    uint64_t reads = f.image.reads, bytes = f.image.bytes;
    assert_int_equal(st_registry_refresh(f.registry, &changed, NULL), ST_OK);
    assert_false(changed);
    assert_int_equal(f.image.reads, reads + 1);
    assert_int_equal(f.image.bytes, bytes + sizeof(struct st_root));
    fixture_type(&f, array);
    assert_int_equal(f.image.reads, reads + 1); /* and what was decoded is still there */
    fixture_deinit(&f);
}

static void refresh_sees_a_change_and_keeps_what_is_held(void **state)
{
    (void)state;
    struct fixture f;
    bool changed = false;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t array = image_contiguous(&f.image, 3, number);
    fixture_open(&f);
    const struct st_type *before = fixture_type(&f, array);
    struct st_types *held = st_registry_types(f.registry);
    image_node_at(&f.image, array)->args[0] = 4;
    image_root(&f.image)->changes += 2;
    assert_int_equal(st_registry_refresh(f.registry, &changed, NULL), ST_OK);
    assert_true(changed);
    assert_int_equal(fixture_type(&f, array)->args[0], 4);
    assert_int_equal(before->args[0], 3);
    assert_string_equal(before->base->name, "MPI_INT");
    st_types_release(held);
    fixture_deinit(&f);
}

static void what_was_read_in_the_middle_of_a_change_is_read_again(void **state)
{
    (void)state;
    struct fixture f;
    bool changed = false;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t array = image_contiguous(&f.image, 3, number);
    fixture_open(&f);
    image_root(&f.image)->changes = 3;
    assert_int_equal(st_registry_refresh(f.registry, &changed, NULL), ST_OK);
    fixture_type(&f, array);
    image_node_at(&f.image, array)->args[0] = 4;
    assert_int_equal(st_registry_refresh(f.registry, &changed, NULL), ST_OK);
    assert_true(changed);
    assert_int_equal(fixture_type(&f, array)->args[0], 4);
    fixture_deinit(&f);
}

static void a_root_that_went_away_is_said_and_the_old_one_stays(void **state)
{
    (void)state;
    struct fixture f;
    struct st_fault fault;
    bool changed = true;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    fixture_open(&f);
    f.image.hole = f.image.root;
    f.image.hole_end = f.image.root + 1;
    assert_int_equal(st_registry_refresh(f.registry, &changed, &fault), ST_UNREADABLE);
    assert_false(changed);
    assert_int_equal(fault.address, f.image.root);
    assert_int_equal(fault.value, sizeof(struct st_root));
    assert_int_equal(st_registry_root(f.registry)->nodes_used, number + 1);
    fixture_deinit(&f);
}

/* --- listings
 * ------------------------------------------------------------------------------------- */

static void names_are_those_that_were_set(void **state)
{
    (void)state;
    struct fixture f;
    struct st_fault fault;
    char *name;
    char longest[4097];
    memset(longest, 'x', 4096);
    longest[4096] = '\0';
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t face = image_contiguous(&f.image, 3, number);
    uint32_t empty = image_contiguous(&f.image, 3, number);
    uint32_t lengthy = image_contiguous(&f.image, 3, number);
    uint32_t none = image_contiguous(&f.image, 3, number);
    image_set_name(&f.image, face, "face");
    image_set_name(&f.image, empty, "");
    image_set_name(&f.image, lengthy, longest);
    fixture_open(&f);
    assert_string_equal(fixture_type(&f, face)->name, "face");
    assert_string_equal(fixture_type(&f, empty)->name, "");
    assert_string_equal(fixture_type(&f, lengthy)->name, longest);
    assert_null(fixture_type(&f, none)->name);
    const struct st_node *node = image_node_at(&f.image, face);
    assert_int_equal(st_registry_name(f.registry, face, node->name, &name, &fault), ST_OK);
    assert_string_equal(name, "face");
    free(name);
    struct st_block *block = image_at(&f.image, image_node_at(&f.image, lengthy)->name);
    block->bytes = 4097;
    image_root(&f.image)->changes += 2;
    bool changed;
    assert_int_equal(st_registry_refresh(f.registry, &changed, NULL), ST_OK);
    node = image_node_at(&f.image, lengthy);
    assert_int_equal(st_registry_name(f.registry, lengthy, node->name, &name, &fault),
                     ST_DAMAGED_NODE);
    assert_null(name);
    fixture_deinit(&f);
}

static void sites_are_return_addresses_innermost_first(void **state)
{
    (void)state;
    struct fixture f;
    struct st_fault fault;
    uint64_t pcs[8];
    size_t count;
    fixture_init(&f);
    image_named(&f.image, "MPI_INT", 4);
    for (uint64_t i = 0; i < 5; i++) {
        image_site(&f.image, (uint64_t[]){100 + i, 200 + i, 300 + i}, (uint32_t)(i % 3 + 1));
    }
    fixture_open(&f);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(st_registry_site(f.registry, i, pcs, 8, &count, &fault), ST_OK);
        assert_int_equal(count, i % 3 + 1);
        for (size_t j = 0; j < count; j++) {
            assert_int_equal(pcs[j], 100 * (j + 1) + i);
        }
    }
    assert_int_equal(st_registry_site(f.registry, 2, pcs, 2, &count, &fault), ST_OK);
    assert_int_equal(count, 2);
    assert_int_equal(st_registry_site(f.registry, ST_NO_SITE, pcs, 8, &count, &fault), ST_OK);
    assert_int_equal(count, 0);
    assert_int_equal(st_registry_site(f.registry, 5, pcs, 8, &count, &fault), ST_DAMAGED_ROOT);
    assert_string_equal(fault.field, "call site");
    assert_int_equal(fault.value, 5);
    fixture_deinit(&f);
}

static void a_frame_may_be_a_text(void **state)
{
    (void)state;
    static const char place[] = "/home/script.py:12\nmake";
    struct fixture f;
    struct st_fault fault;
    uint64_t frames[8];
    size_t count;
    char *text = NULL;
    fixture_init(&f);
    image_named(&f.image, "MPI_INT", 4);
    uint64_t block = image_block(&f.image, place, sizeof place - 1);
    image_site(&f.image, (uint64_t[]){ST_SITE_TEXT | block, 200}, 2);
    image_site(&f.image, (uint64_t[]){ST_SITE_TEXT | (block + 8)}, 1); /* damaged */
    fixture_open(&f);
    assert_int_equal(st_registry_site(f.registry, 0, frames, 8, &count, &fault), ST_OK);
    assert_int_equal(count, 2);
    assert_true(frames[0] & ST_SITE_TEXT);
    assert_int_equal(frames[1], 200);
    assert_int_equal(st_registry_frame_text(f.registry, frames[0], &text, &fault), ST_OK);
    assert_string_equal(text, place);
    free(text);
    assert_int_equal(st_registry_site(f.registry, 1, frames, 8, &count, &fault), ST_OK);
    assert_int_not_equal(st_registry_frame_text(f.registry, frames[0], &text, &fault), ST_OK);
    assert_null(text);
    fixture_deinit(&f);
}

/* --- large and deep
 * ------------------------------------------------------------------------------- */

enum { DEEP = 100000 };

static uint32_t one_more(struct image *image, int kind, uint32_t base)
{
    switch (kind) {
    case 0:
        return image_dup(image, base);
    case 1:
        return image_contiguous(image, 1, base);
    case 2:
        return image_resized(image, -1, 9, base);
    default:
        return image_struct(image, 1, (int64_t[]){0}, (int64_t[]){1}, &base, 0, 4, false);
    }
}

static void chains_of_100000_constructors_decode(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        struct fixture f;
        struct st_row *rows;
        size_t count;
        struct st_damage damage;
        fixture_init(&f);
        f.image.nodes_per_chunk = 1000;
        uint32_t top = image_named(&f.image, "MPI_INT", 4);
        for (int i = 0; i < DEEP; i++) {
            top = one_more(&f.image, kind, top);
            image_bury(&f.image, top, false);
        }
        f.image.dead[top] = false;
        fixture_open(&f);
        const struct st_type *type = fixture_type(&f, top);
        assert_int_equal(type->measure.depth, DEEP);
        assert_int_equal(type->measure.size, 4);
        assert_int_equal(st_registry_rows(f.registry, &rows, &count, &damage, NULL), ST_OK);
        assert_int_equal(count, DEEP + 1);
        free(rows);
        fixture_deinit(&f);
    }
}

static void a_million_blocks_decode(void **state)
{
    (void)state;
    enum { BLOCKS = 1000000 };
    struct fixture f;
    int64_t *offsets = malloc(BLOCKS * sizeof(*offsets)),
            *lengths = malloc(BLOCKS * sizeof(*lengths));
    assert_true(offsets && lengths);
    for (int64_t i = 0; i < BLOCKS; i++) {
        offsets[i] = (i * 7919 % BLOCKS) * 16;
        lengths[i] = i % 3;
    }
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t top = image_indexed(&f.image, ST_HINDEXED, BLOCKS, offsets, lengths, 0, number, true);
    fixture_open(&f);
    const struct st_type *type = fixture_type(&f, top);
    assert_int_equal(type->entries, BLOCKS);
    assert_int_equal(type->measure.elements, 999999);
    assert_memory_equal(type->offsets, offsets, BLOCKS * sizeof(*offsets));
    assert_memory_equal(type->lengths, lengths, BLOCKS * sizeof(*lengths));
    free(offsets);
    free(lengths);
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_tombstone_and_unknown_handles),
        cmocka_unit_test(a_live_type_wins_over_a_tombstone_of_its_handle),
        cmocka_unit_test(the_ring_goes_round),
        cmocka_unit_test(a_free_is_one_store),
        cmocka_unit_test(what_is_written_before_it_counts),
        cmocka_unit_test(handles_that_collide_are_told_apart),
        cmocka_unit_test(a_node_is_known_by_its_serial),
        cmocka_unit_test(types_below_are_shared),
        cmocka_unit_test(numbers_are_64_bits_wherever_they_stand),
        cmocka_unit_test(refresh_reads_one_root_if_nothing_changed),
        cmocka_unit_test(refresh_sees_a_change_and_keeps_what_is_held),
        cmocka_unit_test(what_was_read_in_the_middle_of_a_change_is_read_again),
        cmocka_unit_test(a_root_that_went_away_is_said_and_the_old_one_stays),
        cmocka_unit_test(names_are_those_that_were_set),
        cmocka_unit_test(sites_are_return_addresses_innermost_first),
        cmocka_unit_test(a_frame_may_be_a_text),
        cmocka_unit_test(chains_of_100000_constructors_decode),
        cmocka_unit_test(a_million_blocks_decode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
