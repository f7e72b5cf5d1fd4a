/*
 * What the decoder takes is paid for by what was read (decode.h): hostile registries that claim much
 * and deliver little, and sound ones, which are never refused. Every allocation is counted (heap.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"
#include "heap.h"

/* A mapping of which only the ends are there. */
#define FAR UINT64_C(0x600000000000)
#define FAR_BYTES (UINT64_C(3) << 30)

static enum st_read_result read_far(uint64_t address, void *buffer, size_t length, void *context)
{
    struct image *image = context;
    uint64_t at = address - FAR;
    if (at >= FAR_BYTES) {
        return image_read(address, buffer, length, context);
    }
    bool first = at + length <= 2 * ST_PAGE, last = at >= FAR_BYTES - 2 * ST_PAGE;
    if ((!first && !last) || length > FAR_BYTES - at) {
        return ST_READ_FAILED;
    }
    memset(buffer, 0, length);
    if (at == 0 && length >= sizeof(struct st_block)) {
        struct st_block block = {.magic = ST_BLOCK_MAGIC, .bytes = FAR_BYTES - sizeof block};
        memcpy(buffer, &block, sizeof block);
    }
    image->bytes += length;
    return ST_READ_OK;
}

/* Everything that reads: the first fault in *first. */
static void read_everything(struct st_registry *registry, uint32_t nodes, struct st_fault *first)
{
    struct st_fault fault = {0};
    struct st_row *rows = NULL;
    struct st_damage damage;
    size_t count;
    *first = (struct st_fault){0};
    if (!st_registry_rows(registry, &rows, &count, &damage, &fault)) {
        free(rows);
        fault = damage.fault;
    }
    *first = fault.error && !first->error ? fault : *first;
    if (!st_registry_predefined(registry, &rows, &count, &fault)) {
        free(rows);
    }
    for (uint32_t i = 0; i < nodes; i++) {
        const struct st_type *type;
        fault = (struct st_fault){0};
        st_registry_type(registry, i, 0, &type, &fault);
        *first = fault.error && !first->error ? fault : *first;
        st_registry_find(registry, IMAGE_HANDLE + i, &type, &fault);
    }
}

/* Reads it all; what was taken at a time is paid for. Returns the first fault. */
static struct st_fault is_paid(struct image *image)
{
    struct st_registry *registry;
    struct st_fault fault = {0};
    size_t before = heap_watch();
    uint64_t delivered = image->bytes;
    assert_int_equal(st_registry_open(&registry, read_far, image, image->root, &fault), ST_OK);
    read_everything(registry, image->node_count, &fault);
    st_registry_close(registry);
    heap_must_be_paid(before, image->bytes - delivered);
    assert_int_equal(heap_watch(), before);
    return fault;
}

static void nodes_that_are_not_there_cost_nothing(void **state)
{
    (void)state;
    struct image image;
    image_init(&image);
    image.nodes_per_chunk = 4096;
    uint32_t number = image_named(&image, "MPI_INT", 4);
    for (int i = 0; i < 20; i++) {
        image_contiguous(&image, i, number);
    }
    image_finish(&image);
    image_root(&image)->node_chunk_count = 1u << 20;
    image_root(&image)->nodes_used = UINT32_MAX - 1;
    struct st_fault fault = is_paid(&image);
    assert_int_equal(fault.error, ST_OK); /* all that somebody names is there */
    image_slots(&image)[0] = UINT32_MAX - 2;
    fault = is_paid(&image);
    assert_int_equal(fault.error, ST_UNREADABLE);
    image_deinit(&image);
}

static void arrays_that_are_not_there_cost_nothing(void **state)
{
    (void)state;
    static const bool wide[] = {false, true};
    for (size_t i = 0; i < 2; i++) {
        struct image image;
        image_init(&image);
        uint32_t number = image_named(&image, "MPI_INT", 4);
        uint32_t top =
            image_indexed(&image, ST_INDEXED_BLOCK, 2, (int64_t[]){0, 1}, NULL, 1, number, wide[i]);
        image_finish(&image);
        image_node_at(&image, top)->block = FAR;
        image_node_at(&image, top)->args[0] =
            (int64_t)(FAR_BYTES - 2 * sizeof(struct st_block)) / (wide[i] ? 8 : 4);
        struct st_fault fault = is_paid(&image);
        assert_int_equal(fault.error, ST_UNREADABLE);
        assert_string_equal(fault.field, "block");
        image_node_at(&image, top)->args[0] = INT64_C(1) << 40;
        fault = is_paid(&image);
        assert_int_equal(fault.error, ST_DAMAGED_NODE);
        assert_string_equal(fault.field, "length");
        image_deinit(&image);
    }
}

/* `entries` numbers that the nodes of 2000 types share: what is read once is not paid for again. */
static void share_a_block(int64_t entries)
{
    struct image image;
    image_init(&image);
    uint32_t number = image_named(&image, "MPI_INT", 4), first = 0;
    int64_t *offsets = calloc((size_t)entries, sizeof(*offsets));
    assert_non_null(offsets);
    first = image_indexed(&image, ST_INDEXED_BLOCK, entries, offsets, NULL, 1, number, false);
    uint64_t block = image.nodes[first].block;
    for (int i = 0; i < 2000; i++) {
        image_node(&image, (struct st_node){.combiner = ST_INDEXED_BLOCK,
                                            .args = {entries, 1},
                                            .extent = ST_EXTENT_UNKNOWN,
                                            .base = number,
                                            .block = block});
    }
    free(offsets);
    image_finish(&image);
    struct st_fault fault = is_paid(&image);
    assert_int_equal(fault.error, ST_DAMAGED_NODE);
    assert_string_equal(fault.field, "length");
    image_deinit(&image);
}

static void a_block_pays_once(void **state)
{
    (void)state;
    share_a_block(4000);  /* kept with the types */
    share_a_block(16000); /* a long one, in the cache of pages all the same */
}

static void a_name_pays_once(void **state)
{
    (void)state;
    struct image image;
    char name[4001];
    memset(name, 'n', sizeof name);
    name[4000] = '\0';
    image_init(&image);
    uint32_t number = image_named(&image, "MPI_INT", 4);
    uint32_t first = image_dup(&image, number);
    image_set_name(&image, first, name);
    for (int i = 0; i < 10000; i++) {
        uint32_t made = image_dup(&image, number);
        image.nodes[made].name = image.nodes[first].name;
    }
    image_finish(&image);
    struct st_fault fault = is_paid(&image); /* there is room for a name no more, or for a node */
    assert_true(fault.error == ST_DAMAGED_NODE || fault.error == ST_DAMAGED_ROOT);
    image_deinit(&image);
}

/* A directory of chunks that are all the same one, whose nodes stand for millions. */
static void a_chunk_pays_once(void **state)
{
    (void)state;
    enum { CHUNKS = 1 << 16, LOG2_SLOTS = 18 };
    struct image image;
    image_init(&image);
    image.nodes_per_chunk = 64;
    for (int i = 0; i < 64; i++) {
        image_named(&image, "MPI_INT", 4);
    }
    image_finish(&image);
    uint64_t chunk = *(uint64_t *)image_at(&image, image.node_chunks);
    uint64_t directory = image_add(&image, NULL, CHUNKS * sizeof(uint64_t));
    uint64_t table = image_add(&image, NULL, sizeof(struct st_table) + (4u << LOG2_SLOTS));
    image_add(&image, NULL, ST_PAGE);
    for (size_t i = 1; i < CHUNKS; i++) { /* the first one cannot be read */
        ((uint64_t *)image_at(&image, directory))[i] = chunk;
    }
    struct st_table *header = image_at(&image, table);
    *header = (struct st_table){.magic = ST_TABLE_MAGIC, .log2_slots = LOG2_SLOTS};
    uint32_t *slots = (uint32_t *)image_at(&image, table + sizeof *header);
    for (uint32_t i = 0; i < 1u << LOG2_SLOTS; i++) {
        slots[i] = i + 1;
    }
    struct st_root *root = image_root(&image);
    root->node_chunks = directory;
    root->node_chunk_count = CHUNKS;
    root->nodes_used = CHUNKS * 64;
    root->table = table;
    assert_int_not_equal(is_paid(&image).error, ST_OK);
    *(uint64_t *)image_at(&image, directory) = chunk; /* now it can: each of them was read */
    image.node_count = 0;
    is_paid(&image);
    image_deinit(&image);
}

/* Trying again and again is free. */
static void a_damaged_type_costs_once(void **state)
{
    (void)state;
    struct fixture f;
    const struct st_type *type;
    struct st_fault fault;
    int64_t offsets[1000] = {0};
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t bad = image_contiguous(&f.image, 3, number);
    uint32_t array = image_indexed(&f.image, ST_INDEXED_BLOCK, 1000, offsets, NULL, 1, bad, false);
    uint32_t top = image_dup(&f.image, array);
    fixture_open(&f);
    image_node_at(&f.image, bad)->args[0] = -3;
    size_t before = 0;
    for (int i = 0; i < 20000; i++) {
        assert_int_equal(st_registry_type(f.registry, top, 0, &type, &fault), ST_DAMAGED_NODE);
        assert_int_equal(fault.node, bad);
        assert_string_equal(fault.field, "count");
        before = i ? before : heap_watch();
    }
    assert_int_equal(heap_watch(), before);
    fixture_deinit(&f);
}

static void a_sound_registry_is_never_refused(void **state)
{
    (void)state;
    struct image image;
    uint64_t seed = image_seed(31);
    image_init(&image);
    image.nodes_per_chunk = 8192;
    uint32_t number = image_named(&image, "MPI_INT", 4);
    for (int i = 0; i < 20000; i++) {
        int64_t offsets[16], lengths[16];
        uint32_t types[16];
        int64_t count = image_between(&seed, 0, 16);
        for (int64_t j = 0; j < count; j++) {
            offsets[j] = 4 * j;
            lengths[j] = 1;
            types[j] = j ? number : image.node_count - 1;
        }
        uint32_t made = image_struct(&image, count, offsets, lengths, types, 0, 4, i % 2);
        if (i % 16 == 0) {
            image_set_name(&image, made, "a type with a name of some length");
        }
        if (i % 64 == 0) {
            image_dup(&image, number);
        }
    }
    int64_t *many = calloc(1000000, sizeof(*many));
    assert_non_null(many);
    image_indexed(&image, ST_INDEXED, 1000000, many, many, 0, number, false);
    free(many);
    image_finish(&image);
    assert_int_equal(is_paid(&image).error, ST_OK);
    image_deinit(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_are_not_there_cost_nothing),
        cmocka_unit_test(arrays_that_are_not_there_cost_nothing),
        cmocka_unit_test(a_block_pays_once),
        cmocka_unit_test(a_name_pays_once),
        cmocka_unit_test(a_chunk_pays_once),
        cmocka_unit_test(a_damaged_type_costs_once),
        cmocka_unit_test(a_sound_registry_is_never_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
