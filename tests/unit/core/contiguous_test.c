/*
 * What datatypes are many copies of (contiguous.h), against their type maps element by element
 * (place.h, which place_test.c compares with brute force); and large counts as programs build them.
 *
 *     [ST_SEED=N] [ST_CASES=N] contiguous_test
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/signature/contiguous.h"
#include "grow.h"
#include "image.h"
#include "core/model/place.h"

#ifdef __SANITIZE_ADDRESS__
enum { CASES = 10000 };
#else
enum { CASES = 100000 };
#endif

/* --- brute force ---------------------------------------------------------------------------------
 */

struct entry {
    const char *name;
    int64_t at, size;
    bool gap; /* in the basic type itself */
};

enum { MOST = 6000 };

struct map {
    struct entry entries[MOST];
    size_t count;
};

static void list(const struct st_place *place, struct map *map)
{
    if (place->leaf || place->opaque) {
        if (place->type->measure.size > 0) {
            assert_true(map->count < MOST);
            map->entries[map->count++] = (struct entry){
                place->leaf ? place->type->name : "opaque", (int64_t)place->address,
                place->type->measure.size, place->type->measure.size != place->type->measure.ub};
        }
        return;
    }
    for (int64_t i = 0; i < place->count; i++) {
        struct st_place child;
        assert_int_equal(st_place_child(place, i, &child), ST_OK);
        list(&child, map);
    }
}

static void map_of(const struct st_type *type, struct map *map)
{
    struct st_place place = st_place_of(type, 0);
    map->count = 0;
    list(&place, map);
}

static bool same(const struct entry *a, const struct entry *b)
{
    return a->size == b->size && (a->name == b->name || strcmp(a->name, b->name) == 0);
}

/* Whether it is n basic elements, one after the other. */
static bool is_flat(const struct map *map)
{
    bool flat = map->count > 0 && !map->entries[0].gap;
    for (size_t i = 1; i < map->count; i++) {
        flat = flat && same(&map->entries[i], &map->entries[0]) &&
               map->entries[i].at == map->entries[i - 1].at + map->entries[0].size;
    }
    return flat;
}

/* The answer is right: the type map is that of so many copies. */
static bool is_so(const struct st_contiguous *c, const struct map *map)
{
    static struct map unit;
    int64_t extent;
    if (!c->unit) {
        return map->count == 0;
    }
    map_of(c->unit, &unit);
    assert_true(st_extent(c->unit, &extent));
    if (unit.count * (size_t)c->count != map->count) {
        return false;
    }
    for (size_t i = 0; i < map->count; i++) {
        const struct entry *expected = &unit.entries[i % unit.count];
        int64_t at = c->offset + (int64_t)(i / unit.count) * extent + expected->at;
        if (!same(expected, &map->entries[i]) || map->entries[i].at != at) {
            return false;
        }
    }
    return true;
}

static long flat_ones, gapped_ones, repeated_ones;

static void check(const struct st_type *type, uint64_t seed)
{
    static struct map map;
    struct st_contiguous c;
    assert_int_equal(st_contiguous(type, &c), ST_OK);
    map_of(type, &map);
    bool right = is_so(&c, &map);
    /* ... and each such type is recognized. */
    if (right && is_flat(&map)) {
        flat_ones++;
        right = c.gapless && c.unit->leaf && c.count == (int64_t)map.count;
    } else if (right && c.unit && c.count > 1) {
        gapped_ones += c.unit->leaf;
        repeated_ones += !c.unit->leaf;
        right = !c.gapless;
    }
    if (right && (c.shape == ST_SHAPE_CHUNKS || c.shape == ST_SHAPE_REMAINDER)) {
        right = c.chunk * c.chunks + c.remainder == c.count && c.remainder < c.chunk &&
                (c.remainder > 0) == (c.shape == ST_SHAPE_REMAINDER);
    }
    if (!right) {
        fail_msg("ST_SEED=%llu ST_CASES=1: %lld copies at %lld of a %s", (unsigned long long)seed,
                 (long long)c.count, (long long)c.offset,
                 c.unit ? st_combiner_name(c.unit->combiner) : "-");
    }
}

/* --- random layouts
 * ---------------------------------------------------------------------------------- */

struct layer {
    struct grower grower;
    int mistakes; /* one displacement in so many is wrong; 0: none */
};

static int64_t between(struct layer *layer, int64_t low, int64_t high)
{
    return image_between(&layer->grower.seed, low, high);
}

/* The displacement that would be right, or not. */
static int64_t at(struct layer *layer, int64_t right)
{
    if (layer->mistakes && between(layer, 1, layer->mistakes) == 1) {
        return right + between(layer, -1, 1) * between(layer, 1, 8);
    }
    return right;
}

static int64_t extent_of(const struct st_type *type)
{
    int64_t extent = 0;
    assert_true(st_extent(type, &extent));
    return extent;
}

static const struct st_type *lay(struct layer *layer, int64_t count, const struct st_type *base,
                                 int depth);

/* Blocks of the base itself. */
static const struct st_type *lay_blocks(struct layer *layer, int64_t count,
                                        const struct st_type *base)
{
    int64_t offsets[6], lengths[6], used = 0, end = between(layer, -5, 5);
    bool bytes = between(layer, 0, 1);
    for (int64_t left = count; used < 6; used++) {
        lengths[used] = used == 5 ? left : between(layer, 0, left);
        offsets[used] = at(layer, end) * (bytes ? extent_of(base) : 1);
        end += lengths[used];
        left -= lengths[used];
        if (lengths[used] == 0) {
            offsets[used] = between(layer, -99, 99); /* of nothing */
        }
    }
    return forge_indexed(&layer->grower.forge, bytes ? ST_HINDEXED : ST_INDEXED, used, offsets,
                         lengths, 0, base);
}

/* Two parts, made in their own ways. */
static const struct st_type *lay_struct(struct layer *layer, int64_t count,
                                        const struct st_type *base, int depth)
{
    int64_t part = between(layer, 0, count), zero = between(layer, -50, 50);
    const struct st_type *types[] = {forge_named(&layer->grower.forge, "MPI_LB", 0),
                                     lay(layer, part, base, depth - 1),
                                     lay(layer, count - part, base, depth - 1)};
    struct st_contiguous first, second;
    st_contiguous(types[1], &first);
    st_contiguous(types[2], &second);
    int64_t offsets[] = {between(layer, -99, 99), zero - first.offset,
                         at(layer, zero + part * extent_of(base) - second.offset)};
    return forge_struct(&layer->grower.forge, 3, offsets, (int64_t[]){1, 1, 1}, types);
}

static const struct st_type *lay_array(struct layer *layer, int64_t slow, int64_t fast,
                                       const struct st_type *base)
{
    int64_t start = between(layer, 0, 2), wider = layer->mistakes ? between(layer, 0, 1) : 0;
    bool fortran = between(layer, 0, 1);
    int64_t sizes[] = {slow + start + 1, fast + wider}, subsizes[] = {slow, fast};
    int64_t starts[] = {start, 0};
    if (fortran) {
        return forge_subarray(&layer->grower.forge, 2, (int64_t[]){sizes[1], sizes[0]},
                              (int64_t[]){subsizes[1], subsizes[0]},
                              (int64_t[]){starts[1], starts[0]}, true, base);
    }
    return forge_subarray(&layer->grower.forge, 2, sizes, subsizes, starts, false, base);
}

/* One process's part of a distributed array: without a gap where it has whole blocks. With
 * mistakes, of any number of elements. */
static const struct st_type *lay_darray(struct layer *layer, int64_t count,
                                        const struct st_type *base)
{
    int64_t processes = between(layer, 1, 3), rank = between(layer, 0, processes - 1);
    int64_t gsize = count * processes, darg = between(layer, 1, 2) == 1 ? count : 1;
    int64_t distrib = between(layer, 0, 1) ? ST_DISTRIBUTE_CYCLIC : ST_DISTRIBUTE_BLOCK;
    if (distrib == ST_DISTRIBUTE_BLOCK) {
        darg = ST_DARG_DEFAULT;
    } else if (layer->mistakes) {
        darg = between(layer, 1, 4);
        gsize = between(layer, 0, 2 * count);
    }
    return forge_darray(&layer->grower.forge, processes, rank, 1, &gsize, &distrib, &darg,
                        &processes, false, base);
}

/* `count` copies of the base, side by side but for mistakes. */
static const struct st_type *lay(struct layer *layer, int64_t count, const struct st_type *base,
                                 int depth)
{
    struct forge *forge = &layer->grower.forge;
    int64_t extent = extent_of(base), part = count ? between(layer, 1, count) : 1;
    while (count % part) {
        part--;
    }
    if (depth <= 0 || count == 0) {
        return forge_contiguous(forge, count, base);
    }
    switch (between(layer, 0, 9)) {
    case 0:
        return forge_vector(forge, ST_VECTOR, count / part, part, at(layer, part), base);
    case 1:
        return forge_vector(forge, ST_HVECTOR, count / part, part, at(layer, part * extent), base);
    case 2:
        return lay_blocks(layer, count, base);
    case 3:
    case 4:
        return lay_struct(layer, count, base, depth);
    case 5:
        return lay_array(layer, count / part, part, base);
    case 6:
        return lay_darray(layer, count, base);
    case 7: { /* blocks of blocks */
        const struct st_type *inner = lay(layer, part, base, depth - 1);
        if (extent_of(inner) != part * extent) {
            inner = forge_resized(forge, between(layer, -9, 9), at(layer, part * extent), inner);
        }
        return lay(layer, count / part, inner, depth - 1);
    }
    case 8:
        return forge_dup(forge, lay(layer, count, base, depth - 1));
    default:
        return forge_contiguous(forge, count, base);
    }
}

static const struct st_type *draw_unit(struct layer *layer)
{
    struct forge *forge = &layer->grower.forge;
    const struct st_type *number = forge_named(forge, "MPI_INT", 4);
    switch (between(layer, 0, 5)) {
    case 0:
        return forge_gapped(forge, "MPI_DOUBLE_INT", 12, 16);
    case 1: {
        const struct st_type *types[] = {forge_named(forge, "MPI_CHAR", 1), number};
        const struct st_type *record =
            forge_struct(forge, 2, (int64_t[]){0, 4}, (int64_t[]){1, 1}, types);
        return between(layer, 0, 1) ? record : forge_resized(forge, 0, 12, record);
    }
    case 2:
        return forge_resized(forge, 0, between(layer, -2, 8), number);
    default:
        return number;
    }
}

static void what_is_said_is_so(void **state)
{
    (void)state;
    const char *wanted = getenv("ST_CASES");
    long cases = wanted ? strtol(wanted, NULL, 10) : CASES;
    uint64_t seed = image_seed(246068437);
    for (long i = 0; i < cases; i++) {
        uint64_t one = seed + (uint64_t)i; /* all that the case depends on */
        struct layer layer = {.grower = {.seed = one, .markers = true},
                              .mistakes = (int)(one % 3) * 3};
        check(lay(&layer, between(&layer, 0, 24), draw_unit(&layer), 4), one);
        if (one % 8 == 0) {
            check(grow_tree(&layer.grower, 4, 1).type, one);
        }
        grower_deinit(&layer.grower);
    }
    printf("# %ld without a gap, %ld of pairs, %ld of derived types\n", flat_ones, gapped_ones,
           repeated_ones);
    assert_true(flat_ones >= cases / 5 && gapped_ones >= cases / 50 && repeated_ones >= cases / 50);
}

/* --- large counts
 * --------------------------------------------------------------------------------- */

#define INT64_INT_MAX INT64_C(2147483647)

static struct st_contiguous seen(const struct st_type *type)
{
    struct st_contiguous c;
    assert_int_equal(st_contiguous(type, &c), ST_OK);
    return c;
}

/* BigMPI, figure 2 */
static const struct st_type *contiguous_x(struct forge *forge, int64_t count,
                                          const struct st_type *oldtype, int64_t mistake)
{
    int64_t c = count / INT64_INT_MAX, r = count % INT64_INT_MAX;
    const struct st_type *types[] = {
        forge_vector(forge, ST_VECTOR, c, INT64_INT_MAX, INT64_INT_MAX, oldtype),
        forge_contiguous(forge, r, oldtype)};
    int64_t offsets[] = {0, c * INT64_INT_MAX * extent_of(oldtype) + mistake};
    return forge_struct(forge, 2, offsets, (int64_t[]){1, 1}, types);
}

static void assert_large(const struct st_type *type, int64_t count, const struct st_type *unit)
{
    struct st_contiguous c = seen(type);
    assert_int_equal(c.count, count);
    assert_ptr_equal(c.unit, unit);
    assert_int_equal(c.offset, 0);
    assert_true(c.repeats);
    assert_int_equal(c.gapless, unit->leaf);
    assert_true(c.bigmpi);
    assert_int_equal(c.chunk, INT64_INT_MAX);
    assert_int_equal(c.chunks, count / INT64_INT_MAX);
    assert_int_equal(c.remainder, count % INT64_INT_MAX);
    assert_int_equal(c.shape, c.remainder ? ST_SHAPE_REMAINDER : ST_SHAPE_CHUNKS);
}

static void bigmpis_idiom_is_seen(void **state)
{
    (void)state;
    struct forge forge = {0};
    const struct st_type *real = forge_named(&forge, "MPI_FLOAT", 4);
    const struct st_type *types[] = {real, forge_named(&forge, "MPI_CHAR", 1)};
    const struct st_type *record =
        forge_struct(&forge, 2, (int64_t[]){0, 4}, (int64_t[]){2, 3}, types);
    static const int64_t counts[] = {3000000000,        INT64_INT_MAX + 1,
                                     2 * INT64_INT_MAX, 2 * INT64_INT_MAX + 1,
                                     1000000000000,     INT64_MAX / 64};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_large(contiguous_x(&forge, counts[i], real, 0), counts[i], real);
        assert_large(contiguous_x(&forge, counts[i], record, 0), counts[i], record);
        assert_int_equal(seen(contiguous_x(&forge, counts[i], real, 4)).count,
                         counts[i] % INT64_INT_MAX ? 1 : counts[i]);
    }
    /* Its variants. */
    int64_t more = 12345, extent = 4 * INT64_INT_MAX;
    int64_t lengths[] = {INT64_INT_MAX, INT64_INT_MAX, more};
    int64_t offsets[] = {0, extent, 2 * extent};
    int64_t all = 2 * INT64_INT_MAX + more;
    const struct st_type *chunk = forge_contiguous(&forge, INT64_INT_MAX, real);
    const struct st_type *rest = forge_contiguous(&forge, more, real);
    assert_large(forge_indexed(&forge, ST_HINDEXED, 3, offsets, lengths, 0, real), all, real);
    assert_large(forge_indexed(&forge, ST_HINDEXED_BLOCK, 2, offsets, NULL, INT64_INT_MAX, real),
                 all - more, real);
    assert_large(forge_contiguous(&forge, 2, chunk), all - more, real);
    assert_large(forge_vector(&forge, ST_VECTOR, 2, 1, 1, chunk), all - more, real);
    assert_large(forge_vector(&forge, ST_HVECTOR, 2, 1, extent,
                              forge_vector(&forge, ST_VECTOR, INT64_INT_MAX, 1, 1, real)),
                 all - more, real);
    assert_large(forge_struct(&forge, 3, offsets, (int64_t[]){1, 1, 1},
                              (const struct st_type *[]){chunk, chunk, rest}),
                 all, real);
    assert_large(forge_struct(&forge, 2, (int64_t[]){0, 2 * extent}, (int64_t[]){2, 1},
                              (const struct st_type *[]){chunk, rest}),
                 all, real);
    assert_large(forge_dup(&forge, contiguous_x(&forge, all, real, 0)), all, real);
    forge_deinit(&forge);
}

static void other_shapes_are_told(void **state)
{
    (void)state;
    struct forge forge = {0};
    const struct st_type *real = forge_named(&forge, "MPI_FLOAT", 4);
    const struct st_type *same = forge_named(&forge, "MPI_FLOAT", 4);
    const struct st_type *five = forge_contiguous(&forge, 5, real);
    assert_int_equal(seen(real).shape, ST_SHAPE_UNIT);
    assert_int_equal(seen(real).count, 1);
    assert_int_equal(seen(five).shape, ST_SHAPE_PLAIN);
    assert_false(seen(five).bigmpi);
    struct st_contiguous c = seen(forge_contiguous(&forge, 3, five));
    assert_int_equal(c.shape, ST_SHAPE_CHUNKS);
    assert_int_equal(c.chunk, 5);
    assert_int_equal(c.chunks, 3);
    /* A large count by one call (MPI_Type_contiguous_c) is no idiom. */
    c = seen(forge_contiguous(&forge, 3000000000, real));
    assert_int_equal(c.count, 3000000000);
    assert_int_equal(c.shape, ST_SHAPE_PLAIN);
    assert_false(c.bigmpi);
    /* The shorter chunk first. */
    const struct st_type *types[] = {real, five};
    c = seen(forge_struct(&forge, 2, (int64_t[]){0, 4}, (int64_t[]){1, 1}, types));
    assert_int_equal(c.count, 6);
    assert_int_equal(c.shape, ST_SHAPE_OTHER);
    /* Out of order: the same bytes, another type map. */
    c = seen(forge_struct(&forge, 2, (int64_t[]){20, 0}, (int64_t[]){1, 1},
                          (const struct st_type *[]){five, five}));
    assert_int_equal(c.count, 1);
    /* Two handles of one basic type; one that only looks like it. */
    types[0] = five;
    types[1] = same;
    assert_int_equal(
        seen(forge_struct(&forge, 2, (int64_t[]){0, 20}, (int64_t[]){1, 1}, types)).count, 6);
    types[1] = forge_named(&forge, "MPI_REAL", 4);
    assert_int_equal(
        seen(forge_struct(&forge, 2, (int64_t[]){0, 20}, (int64_t[]){1, 1}, types)).count, 1);
    /* Bounds that do not fit: copies of it are no copies of the unit. */
    c = seen(forge_resized(&forge, 0, 24, five));
    assert_int_equal(c.count, 5);
    assert_false(c.repeats);
    assert_int_equal(seen(forge_contiguous(&forge, 2, forge_resized(&forge, 0, 24, five))).count,
                     2);
    assert_int_equal(seen(forge_contiguous(&forge, 2, forge_resized(&forge, 0, 20, five))).count,
                     10);
    c = seen(forge_contiguous(&forge, 2, forge_dup(&forge, forge_resized(&forge, 0, 24, five))));
    assert_int_equal(c.count, 2);
    assert_int_equal(c.shape, ST_SHAPE_PLAIN);
    /* Nothing. */
    assert_null(seen(forge_contiguous(&forge, 0, real)).unit);
    assert_null(seen(forge_named(&forge, "MPI_UB", 0)).unit);
    /* MPI_LB first, and an offset. */
    types[0] = forge_named(&forge, "MPI_LB", 0);
    types[1] = five;
    c = seen(forge_struct(&forge, 2, (int64_t[]){-8, 12}, (int64_t[]){1, 1}, types));
    assert_int_equal(c.count, 5);
    assert_int_equal(c.offset, 12);
    assert_true(c.gapless);
    /* What is not known is a unit. */
    const struct st_type *opaque = forge_plain(&forge, ST_OPAQUE, 8, 0, 8);
    c = seen(forge_contiguous(&forge, 9, opaque));
    assert_ptr_equal(c.unit, opaque);
    assert_int_equal(c.count, 9);
    assert_false(c.gapless);
    forge_deinit(&forge);
}

static void numbers_may_leave_64_bits(void **state)
{
    (void)state;
    struct forge forge = {0};
    const struct st_type *real = forge_named(&forge, "MPI_FLOAT", 4);
    const struct st_type *many = forge_contiguous(&forge, INT64_MAX, real);
    struct st_contiguous c = seen(many);
    assert_int_equal(c.count, INT64_MAX);
    assert_false(c.repeats);
    assert_int_equal(seen(forge_contiguous(&forge, 2, many)).count, 1);
    assert_int_equal(seen(forge_vector(&forge, ST_VECTOR, 3, 1, INT64_MAX, real)).count, 1);
    assert_int_equal(
        seen(forge_indexed(&forge, ST_INDEXED, 2, (int64_t[]){INT64_MIN, INT64_MAX}, NULL, 1, real))
            .count,
        1);
    int64_t sizes[] = {INT64_MAX, INT64_MAX}, zeros[] = {0, 0};
    assert_int_equal(seen(forge_subarray(&forge, 2, sizes, sizes, zeros, false, real)).count, 1);
    const struct st_type *deep = real;
    for (int i = 0; i < 100000; i++) {
        deep = forge_contiguous(&forge, i % 5000 ? 1 : 2, deep);
    }
    assert_int_equal(seen(deep).count, 1 << 20);
    forge_deinit(&forge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_is_so),
        cmocka_unit_test(bigmpis_idiom_is_seen),
        cmocka_unit_test(other_shapes_are_told),
        cmocka_unit_test(numbers_may_leave_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
