#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>

/* Room for `count` times low..high - 1, `extent` apart. */
static bool begin(struct bytes *bytes, int64_t low, int64_t high, int64_t extent, int64_t count)
{
    int64_t last;
    *bytes = (struct bytes){0};
    if (count <= 0 || low == high) {
        return true;
    }
    if (__builtin_mul_overflow(count - 1, extent, &last) ||
        __builtin_add_overflow(low, last < 0 ? last : 0, &low) ||
        __builtin_add_overflow(high, last > 0 ? last : 0, &high) ||
        high / 2 - low / 2 > BYTES_MOST || high - low > BYTES_MOST) {
        return false;
    }
    bytes->low = low;
    bytes->size = (size_t)(high - low);
    bytes->times = calloc(bytes->size, 1);
    if (!bytes->times) {
        fputs("bytes: out of memory\n", stderr);
        exit(2);
    }
    return true;
}

static void name(struct bytes *bytes, int64_t at, int64_t size)
{
    for (int64_t b = 0; b < size; b++) {
        uint8_t *times = &bytes->times[at + b - bytes->low];
        bytes->distinct += *times == 0;
        bytes->twice |= *times > 0;
        *times = (uint8_t)(*times + (*times < 254));
    }
}

bool bytes_of_map(struct bytes *bytes, const struct map *map, int64_t count)
{
    int64_t extent = map->ub - map->lb;
    if (!begin(bytes, map_true_lb(map), map_true_ub(map), extent, count)) {
        return false;
    }
    for (int64_t r = 0; r < count; r++) {
        for (size_t i = 0; i < map->count; i++) {
            name(bytes, r * extent + map->entries[i].at, map->entries[i].size);
        }
    }
    return true;
}

static void walk(struct bytes *bytes, const struct st_place *place)
{
    const struct st_basic *basic = &place->type->basic;
    struct st_place child;
    for (int i = 0; place->leaf && i < 2 && basic->class_ == ST_CLASS_PAIR; i++) {
        name(bytes, (int64_t)place->address + basic->members[i].offset, basic->members[i].size);
    }
    if (place->leaf && basic->class_ != ST_CLASS_PAIR) {
        name(bytes, (int64_t)place->address, basic->size);
    }
    for (int64_t i = 0; i < place->count; i++) {
        if (st_place_child(place, i, &child) == ST_OK && child.type->measure.elements) {
            walk(bytes, &child);
        }
    }
}

bool bytes_of_type(struct bytes *bytes, const struct st_type *type, int64_t count)
{
    const struct st_measure *m = &type->measure;
    int64_t extent = 0, elements;
    if (m->unknown || !st_extent(type, &extent) ||
        __builtin_mul_overflow(m->elements, count, &elements) || elements > BYTES_MOST / 4 ||
        !begin(bytes, m->true_lb, m->true_ub, extent, count)) {
        return false;
    }
    if (bytes->size) {
        struct st_place place = st_place_repeat(type, 0, count);
        walk(bytes, &place);
    }
    return true;
}

void bytes_deinit(struct bytes *bytes)
{
    free(bytes->times);
    *bytes = (struct bytes){0};
}

unsigned bytes_at(const struct bytes *bytes, int64_t displacement)
{
    int64_t at = displacement - bytes->low;
    return at < 0 || (uint64_t)at >= bytes->size ? 0 : bytes->times[at];
}

size_t bytes_shared(const struct bytes *a, const struct bytes *b, int64_t shift)
{
    size_t shared = 0;
    for (size_t i = 0; i < b->size; i++) {
        shared += b->times[i] && bytes_at(a, b->low + (int64_t)i + shift);
    }
    return shared;
}

size_t bytes_pieces(const struct bytes *bytes)
{
    size_t pieces = 0;
    for (size_t i = 0; i < bytes->size; i++) {
        pieces += bytes->times[i] && (i == 0 || !bytes->times[i - 1]);
    }
    return pieces;
}
