#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_ENTRIES = 400, MOST_BLOCKS = 4, MOST_DIMS = 3 };

unsigned long oracle_drawn[ST_COMBINER_END];
bool oracle_pairs_and_markers;

void map_deinit(struct map *map)
{
    free(map->entries);
    *map = (struct map){0};
}

int64_t map_size(const struct map *map)
{
    int64_t size = 0;
    for (size_t i = 0; i < map->count; i++) {
        size += map->entries[i].size;
    }
    return size;
}

int64_t map_true_lb(const struct map *map)
{
    int64_t low = map->count ? map->entries[0].at : 0;
    for (size_t i = 0; i < map->count; i++) {
        low = map->entries[i].at < low ? map->entries[i].at : low;
    }
    return low;
}

int64_t map_true_ub(const struct map *map)
{
    int64_t high = map->count ? map->entries[0].at + map->entries[0].size : 0;
    for (size_t i = 0; i < map->count; i++) {
        int64_t end = map->entries[i].at + map->entries[i].size;
        high = end > high ? end : high;
    }
    return high;
}

static void map_entry(struct map *map, struct entry entry)
{
    if (map->count == map->capacity) {
        map->capacity = map->capacity ? map->capacity * 2 : 64;
        map->entries = realloc(map->entries, map->capacity * sizeof(*map->entries));
        if (!map->entries) {
            fputs("oracle: out of memory\n", stderr);
            exit(2);
        }
    }
    map->entries[map->count++] = entry;
}

/* One copy of `base`, displaced: its elements and its bounds. */
static void map_copy(struct map *map, const struct map *base, int64_t at)
{
    for (size_t i = 0; i < base->count; i++) {
        struct entry entry = base->entries[i];
        entry.at += at;
        map_entry(map, entry);
    }
    map->lb = map->any && map->lb < base->lb + at ? map->lb : base->lb + at;
    map->ub = map->any && map->ub > base->ub + at ? map->ub : base->ub + at;
    map->any = true;
}

static void map_block(struct map *map, const struct map *base, int64_t at, int64_t length)
{
    for (int64_t i = 0; i < length; i++) {
        map_copy(map, base, at + i * (base->ub - base->lb));
    }
}

/* Explicit bounds (resized, struct, subarray, darray) replace what the copies gave. */
static void map_bounds(struct map *map, int64_t lb, int64_t ub)
{
    map->lb = lb;
    map->ub = ub;
    map->any = true;
}

static uint32_t leaf(struct image *image, uint64_t *seed, struct map *map)
{
    static const struct {
        const char *name;
        int64_t size;
    } leaves[] = {{"MPI_CHAR", 1},   {"MPI_SHORT", 2},     {"MPI_INT", 4},
                  {"MPI_DOUBLE", 8}, {"MPI_SHORT_INT", 8}, {"MPI_LB", 0}};
    size_t which = (size_t)image_between(seed, 0, oracle_pairs_and_markers ? 5 : 3);
    uint32_t ordinal = image_named(image, leaves[which].name, leaves[which].size);
    if (which == 4) {
        image->nodes[ordinal].args[0] = 6; /* of 8 bytes in memory, two are a gap */
    }
    if (leaves[which].size) {
        map_entry(map, (struct entry){ordinal, 0, leaves[which].size});
    }
    map_bounds(map, 0, leaves[which].size);
    return ordinal;
}

static uint32_t draw_struct(struct image *image, uint64_t *seed, int depth, struct map *map)
{
    int64_t offsets[MOST_BLOCKS], lengths[MOST_BLOCKS];
    uint32_t types[MOST_BLOCKS];
    int64_t count = image_between(seed, 0, MOST_BLOCKS);
    for (int64_t i = 0; i < count; i++) {
        struct map base = {0};
        types[i] = oracle_random(image, seed, depth - 1, &base);
        offsets[i] = image_between(seed, -50, 50);
        lengths[i] = image_between(seed, 0, 2);
        map_block(map, &base, offsets[i], lengths[i]);
        map_deinit(&base);
    }
    int64_t padding = image_between(seed, 0, 3); /* the implementation's epsilon */
    map_bounds(map, map->any ? map->lb : 0, (map->any ? map->ub : 0) + padding);
    return image_struct(image, count, offsets, lengths, types, map->lb, map->ub - map->lb,
                        image_random(seed) & 1);
}

/* The place of an element of an array in its storage order, in elements. */
static int64_t linear(const int64_t *index, const int64_t *sizes, int64_t ndims, bool fortran)
{
    int64_t at = 0;
    for (int64_t i = 0; i < ndims; i++) {
        int64_t d = fortran ? ndims - 1 - i : i;
        at = at * sizes[d] + index[d];
    }
    return at;
}

/* The next index in storage order; false: that was the last. */
static bool advance(int64_t *index, const int64_t *sizes, int64_t ndims, bool fortran)
{
    for (int64_t i = ndims; i-- > 0;) {
        int64_t d = fortran ? ndims - 1 - i : i;
        if (++index[d] < sizes[d]) {
            return true;
        }
        index[d] = 0;
    }
    return false;
}

static uint32_t draw_subarray(struct image *image, uint64_t *seed, uint32_t base,
                              const struct map *base_map, struct map *map)
{
    int64_t sizes[MOST_DIMS], subsizes[MOST_DIMS], starts[MOST_DIMS], index[MOST_DIMS] = {0};
    int64_t ndims = image_between(seed, 1, MOST_DIMS), all = 1;
    int64_t extent = base_map->ub - base_map->lb;
    bool fortran = image_random(seed) & 1;
    for (int64_t d = 0; d < ndims; d++) {
        sizes[d] = image_between(seed, 1, 5);
        subsizes[d] = image_between(seed, 1, sizes[d]);
        starts[d] = image_between(seed, 0, sizes[d] - subsizes[d]);
        all *= sizes[d];
    }
    do {
        bool inside = true;
        for (int64_t d = 0; d < ndims; d++) {
            inside = inside && index[d] >= starts[d] && index[d] < starts[d] + subsizes[d];
        }
        if (inside) {
            map_copy(map, base_map, linear(index, sizes, ndims, fortran) * extent);
        }
    } while (advance(index, sizes, ndims, fortran));
    map_bounds(map, 0, all * extent);
    return image_subarray(image, ndims, sizes, subsizes, starts, fortran, base);
}

/* The process coordinate that owns global index `g` of one dimension (MPI-4.0, 5.1.4). */
static int64_t owner(int64_t g, int64_t distrib, int64_t darg, int64_t gsize, int64_t psize)
{
    if (distrib == ST_DISTRIBUTE_NONE) {
        return 0;
    }
    if (distrib == ST_DISTRIBUTE_BLOCK) {
        return g / (darg == ST_DARG_DEFAULT ? (gsize + psize - 1) / psize : darg);
    }
    return g / (darg == ST_DARG_DEFAULT ? 1 : darg) % psize;
}

static uint32_t draw_darray(struct image *image, uint64_t *seed, uint32_t base,
                            const struct map *base_map, struct map *map)
{
    int64_t gsizes[MOST_DIMS], distribs[MOST_DIMS], dargs[MOST_DIMS], psizes[MOST_DIMS];
    int64_t index[MOST_DIMS] = {0}, ndims = image_between(seed, 1, MOST_DIMS), all = 1, size = 1;
    int64_t extent = base_map->ub - base_map->lb;
    bool fortran = image_random(seed) & 1;
    for (int64_t d = 0; d < ndims; d++) {
        gsizes[d] = image_between(seed, 1, 6);
        distribs[d] = image_between(seed, 0, 2);
        psizes[d] = distribs[d] == ST_DISTRIBUTE_NONE ? 1 : image_between(seed, 1, 3);
        int64_t least =
            distribs[d] == ST_DISTRIBUTE_BLOCK ? (gsizes[d] + psizes[d] - 1) / psizes[d] : 1;
        dargs[d] = image_random(seed) % 3 ? image_between(seed, least, least + 2) : ST_DARG_DEFAULT;
        all *= gsizes[d];
        size *= psizes[d];
    }
    int64_t rank = image_between(seed, 0, size - 1);
    do {
        int64_t process = 0; /* row-major over the process grid, whatever the array's order */
        for (int64_t d = 0; d < ndims; d++) {
            process =
                process * psizes[d] + owner(index[d], distribs[d], dargs[d], gsizes[d], psizes[d]);
        }
        if (process == rank) {
            map_copy(map, base_map, linear(index, gsizes, ndims, fortran) * extent);
        }
    } while (advance(index, gsizes, ndims, fortran));
    map_bounds(map, 0, all * extent);
    return image_darray(image, size, rank, ndims, gsizes, distribs, dargs, psizes, fortran, base);
}

static uint32_t draw_blocks(struct image *image, uint64_t *seed, unsigned combiner, uint32_t base,
                            const struct map *base_map, struct map *map)
{
    int64_t offsets[MOST_BLOCKS], lengths[MOST_BLOCKS];
    int64_t count = image_between(seed, 0, MOST_BLOCKS), same = image_between(seed, 0, 3);
    bool bytes = combiner == ST_HINDEXED || combiner == ST_HINDEXED_BLOCK;
    bool each = combiner == ST_INDEXED || combiner == ST_HINDEXED;
    int64_t unit = bytes ? 1 : base_map->ub - base_map->lb;
    for (int64_t i = 0; i < count; i++) {
        offsets[i] = image_between(seed, -9, 9);
        lengths[i] = each ? image_between(seed, 0, 3) : same;
        map_block(map, base_map, offsets[i] * unit, lengths[i]);
    }
    uint32_t ordinal = image_indexed(image, combiner, count, offsets, each ? lengths : NULL, same,
                                     base, image_random(seed) & 1);
    if (bytes && image_random(seed) % 2) { /* Open MPI pads these */
        map_bounds(map, map->lb, map->ub + image_between(seed, 0, 3));
        image_set_bounds(image, ordinal, map->lb, map->ub - map->lb);
    }
    return ordinal;
}

static uint32_t draw_above(struct image *image, uint64_t *seed, unsigned combiner, uint32_t base,
                           const struct map *base_map, struct map *map)
{
    int64_t extent = base_map->ub - base_map->lb;
    int64_t count = image_between(seed, 0, 4), length = image_between(seed, 0, 3);
    int64_t stride = image_between(seed, -7, 7), lb = image_between(seed, -20, 20);
    switch (combiner) {
    case ST_DUP:
        map_copy(map, base_map, 0);
        return image_dup(image, base);
    case ST_CONTIGUOUS:
        map_block(map, base_map, 0, count);
        return image_contiguous(image, count, base);
    case ST_VECTOR:
    case ST_HVECTOR:
        for (int64_t i = 0; i < count; i++) {
            map_block(map, base_map, i * stride * (combiner == ST_VECTOR ? extent : 1), length);
        }
        return image_vector(image, combiner, count, length, stride, base);
    case ST_RESIZED:
        map_copy(map, base_map, 0);
        extent = image_between(seed, -8, 40);
        map_bounds(map, lb, lb + extent);
        return image_resized(image, lb, extent, base);
    case ST_SUBARRAY:
        return draw_subarray(image, seed, base, base_map, map);
    case ST_DARRAY:
        return draw_darray(image, seed, base, base_map, map);
    default:
        return draw_blocks(image, seed, combiner, base, base_map, map);
    }
}

uint32_t oracle_random(struct image *image, uint64_t *seed, int depth, struct map *map)
{
    unsigned combiner = (unsigned)image_between(seed, ST_NAMED, ST_RESIZED);
    uint32_t ordinal;
    if (depth <= 0 || combiner == ST_NAMED) {
        combiner = ST_NAMED;
        ordinal = leaf(image, seed, map);
    } else if (combiner == ST_STRUCT) {
        ordinal = draw_struct(image, seed, depth, map);
    } else {
        struct map base = {0};
        uint32_t below = oracle_random(image, seed, depth - 1, &base);
        if (base.count > MOST_ENTRIES) {
            combiner = ST_DUP;
        }
        ordinal = draw_above(image, seed, combiner, below, &base, map);
        map_deinit(&base);
    }
    oracle_drawn[combiner]++;
    return ordinal;
}
