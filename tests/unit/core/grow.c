#include "grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

enum { MOST_ELEMENTS = 600, MOST_PARTS = 5 };

static const struct {
    const char *name, *synonym;
    int64_t size;
} basics[GROW_CODES] = {
    {"MPI_DOUBLE", "MPI_DOUBLE", 8},
    {"MPI_INT", "MPI_INT", 4},
    {"MPI_CHAR", "MPI_CHAR", 1},
    {"MPI_LONG_LONG_INT", "MPI_LONG_LONG", 8},
    {"MPI_BYTE", "MPI_BYTE", 1},
    {"MPI_PACKED", "MPI_PACKED", 1},
    {"MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX", 8},
    {"F90_REAL(15,307)", NULL, 8},
};

static int64_t between(struct grower *grower, int64_t low, int64_t high)
{
    return image_between(&grower->seed, low, high);
}

static bool one_in(struct grower *grower, int n)
{
    return between(grower, 1, n) == 1;
}

void grower_deinit(struct grower *grower)
{
    forge_deinit(&grower->forge);
}

const char *grow_name(unsigned code)
{
    return code < GROW_CODES ? basics[code].name : "OPAQUE";
}

int64_t grow_bytes(unsigned code)
{
    return code < GROW_CODES ? basics[code].size : 8;
}

/* --- elements ----------------------------------------------------------------------------------
 */

static struct grown room(struct grower *grower, size_t count)
{
    uint8_t *data = st_pool_take(&grower->forge.pool, 2 * count + 1);
    if (!data) {
        fputs("grow: out of memory\n", stderr);
        exit(2);
    }
    return (struct grown){.codes = data, .leaf_starts = data + count};
}

static void add(struct grown *grown, const struct grown *part, int64_t times)
{
    for (int64_t i = 0; i < times; i++) {
        memcpy(grown->codes + grown->count, part->codes, part->count);
        memcpy(grown->leaf_starts + grown->count, part->leaf_starts, part->count);
        grown->count += part->count;
    }
}

static struct grown repeated(struct grower *grower, const struct grown *part, int64_t times)
{
    struct grown grown = room(grower, part->count * (size_t)times);
    add(&grown, part, times);
    return grown;
}

static struct grown leaf_of(struct grower *grower, unsigned code)
{
    struct grown grown = room(grower, 1);
    const char *name = one_in(grower, 2) ? basics[code].name : basics[code].synonym;
    grown.type = basics[code].synonym ? forge_named(&grower->forge, name, basics[code].size)
                                      : forge_plain(&grower->forge, ST_F90_REAL, 15, 307, 8);
    grown.codes[0] = (uint8_t)code;
    grown.leaf_starts[0] = 1;
    grown.count = 1;
    return grown;
}

/* MPI_DOUBLE_INT, MPI_2INT */
static struct grown pair_of(struct grower *grower, unsigned first)
{
    struct grown grown = room(grower, 2);
    grown.type = first == 0 ? forge_gapped(&grower->forge, "MPI_DOUBLE_INT", 12, 16)
                            : forge_named(&grower->forge, "MPI_2INT", 8);
    grown.codes[0] = (uint8_t)first;
    grown.codes[1] = 1;
    grown.leaf_starts[0] = 1;
    grown.leaf_starts[1] = 0;
    grown.count = 2;
    return grown;
}

struct grown grow_opaque(struct grower *grower)
{
    struct grown grown = room(grower, 1);
    grown.type = forge_plain(&grower->forge, ST_OPAQUE, 8, 0, 8);
    grown.codes[0] = (uint8_t)(GROW_OPAQUE + grower->opaque++);
    grown.leaf_starts[0] = 1;
    grown.count = 1;
    return grown;
}

static struct grown nothing(struct grower *grower)
{
    struct grown grown = room(grower, 0);
    switch (between(grower, 0, 2)) {
    case 0:
        grown.type = forge_named(&grower->forge, one_in(grower, 2) ? "MPI_LB" : "MPI_UB", 0);
        break;
    case 1:
        grown.type = forge_struct(&grower->forge, 0, NULL, NULL, NULL);
        break;
    default:
        grown.type = forge_contiguous(&grower->forge, 0, leaf_of(grower, 2).type);
        break;
    }
    return grown;
}

/* --- repetitions ---------------------------------------------------------------------------------
 */

/* `times` split into at most MOST_PARTS block lengths. */
static int64_t split(struct grower *grower, int64_t times, int64_t lengths[MOST_PARTS])
{
    int64_t count = 0;
    while (count < MOST_PARTS - 1 && times > 0) {
        lengths[count] = between(grower, 0, times);
        times -= lengths[count++];
    }
    lengths[count++] = times;
    return count;
}

/* times = a * b */
static int64_t divisor(struct grower *grower, int64_t times)
{
    int64_t a = between(grower, 1, times);
    while (times % a) {
        a--;
    }
    return a;
}

static const struct st_type *array_of(struct grower *grower, int64_t times,
                                      const struct st_type *base)
{
    int64_t slow = divisor(grower, times), fast = times / slow;
    bool fortran = one_in(grower, 2);
    int64_t subsizes[2] = {fortran ? fast : slow, fortran ? slow : fast}, sizes[2], starts[2];
    for (int d = 0; d < 2; d++) {
        starts[d] = between(grower, 0, 2);
        sizes[d] = subsizes[d] + starts[d] + between(grower, 0, 2);
    }
    return forge_subarray(&grower->forge, 2, sizes, subsizes, starts, fortran, base);
}

static const struct st_type *distributed(struct grower *grower, int64_t times,
                                         const struct st_type *base)
{
    int64_t processes = between(grower, 1, 3), rank = between(grower, 0, processes - 1);
    bool cyclic = one_in(grower, 2);
    int64_t gsize = times * processes,
            distrib = cyclic ? ST_DISTRIBUTE_CYCLIC : ST_DISTRIBUTE_BLOCK;
    int64_t darg = ST_DARG_DEFAULT;
    return forge_darray(&grower->forge, processes, rank, 1, &gsize, &distrib, &darg, &processes,
                        one_in(grower, 2), base);
}

/* `times` > 0 copies of a base by a constructor that has just one. */
static const struct st_type *copies_of(struct grower *grower, int64_t times,
                                       const struct st_type *base)
{
    struct forge *forge = &grower->forge;
    int64_t lengths[MOST_PARTS], offsets[MOST_PARTS], count = split(grower, times, lengths);
    int64_t a = divisor(grower, times), stride = between(grower, -9, 9);
    for (int i = 0; i < MOST_PARTS; i++) {
        offsets[i] = between(grower, -50, 50);
    }
    switch (between(grower, 0, times == 1 ? 8 : 6)) {
    case 0:
        return forge_vector(forge, ST_VECTOR, a, times / a, stride, base);
    case 1:
        return forge_vector(forge, ST_HVECTOR, a, times / a, stride, base);
    case 2:
        return forge_indexed(forge, one_in(grower, 2) ? ST_INDEXED : ST_HINDEXED, count, offsets,
                             lengths, 0, base);
    case 3:
        if (a > MOST_PARTS) {
            break;
        }
        return forge_indexed(forge, one_in(grower, 2) ? ST_INDEXED_BLOCK : ST_HINDEXED_BLOCK, a,
                             offsets, NULL, times / a, base);
    case 4:
        return array_of(grower, times, base);
    case 5:
        return distributed(grower, times, base);
    case 7:
        return forge_dup(forge, base);
    case 8:
        return forge_resized(forge, between(grower, -9, 9), between(grower, -9, 60), base);
    default:
        break;
    }
    return forge_contiguous(forge, times, base);
}

/* --- trees ---------------------------------------------------------------------------------------
 */

static struct grown struct_of(struct grower *grower, const struct grown *parts,
                              const int64_t *lengths, int64_t count)
{
    int64_t offsets[2 * MOST_PARTS + 1];
    const struct st_type *types[2 * MOST_PARTS + 1];
    size_t elements = 0;
    for (int64_t i = 0; i < count; i++) {
        offsets[i] = between(grower, -90, 90);
        types[i] = parts[i].type;
        elements += parts[i].count * (size_t)lengths[i];
    }
    struct grown grown = room(grower, elements);
    for (int64_t i = 0; i < count; i++) {
        add(&grown, &parts[i], lengths[i]);
    }
    grown.type = forge_struct(&grower->forge, count, offsets, lengths, types);
    return grown;
}

struct grown grow_tree(struct grower *grower, int depth, unsigned alphabet)
{
    struct grown parts[MOST_PARTS];
    int64_t lengths[MOST_PARTS];
    if (depth <= 0 || one_in(grower, 8)) {
        if (grower->markers && one_in(grower, 12)) {
            return nothing(grower);
        }
        if (alphabet >= 2 && one_in(grower, 8)) {
            return pair_of(grower, (unsigned)between(grower, 0, 1));
        }
        return leaf_of(grower, (unsigned)between(grower, 0, (int64_t)alphabet - 1));
    }
    if (one_in(grower, 2)) {
        struct grown base = grow_tree(grower, depth - 1, alphabet);
        int64_t times = between(grower, 0, 7);
        if (base.count * 7 > MOST_ELEMENTS) {
            times = 1;
        }
        struct grown grown = repeated(grower, &base, times);
        grown.type = times ? copies_of(grower, times, base.type)
                           : forge_contiguous(&grower->forge, 0, base.type);
        return grown;
    }
    int64_t count = between(grower, 0, MOST_PARTS);
    size_t elements = 0;
    for (int64_t i = 0; i < count; i++) {
        parts[i] = grow_tree(grower, depth - 2, alphabet);
        lengths[i] = between(grower, 0, 3);
        elements += parts[i].count * 3;
        if (elements > MOST_ELEMENTS) {
            count = i;
        }
    }
    return struct_of(grower, parts, lengths, count);
}

/* The codes as `times` copies of their beginning; the least is taken at times. */
static size_t period_of(struct grower *grower, const uint8_t *codes, size_t count)
{
    for (size_t period = 1; period <= count / 2; period++) {
        if (count % period == 0 && memcmp(codes, codes + period, count - period) == 0 &&
            !one_in(grower, 3)) {
            return period;
        }
    }
    return 0;
}

struct grown grow_from(struct grower *grower, const uint8_t *codes, size_t count, int depth)
{
    struct grown parts[2 * MOST_PARTS + 1];
    int64_t lengths[2 * MOST_PARTS + 1], used = 0;
    if (count == 0) {
        return nothing(grower);
    }
    if (depth > 0 && one_in(grower, 6)) { /* something around it that changes nothing */
        struct grown inner = grow_from(grower, codes, count, depth - 1);
        inner.type = copies_of(grower, 1, inner.type);
        return inner;
    }
    if (count == 1) {
        return leaf_of(grower, codes[0]);
    }
    if (count == 2 && codes[0] < 2 && codes[1] == 1 && one_in(grower, 2)) {
        return pair_of(grower, codes[0]);
    }
    size_t period = period_of(grower, codes, count);
    if (period) {
        struct grown base = grow_from(grower, codes, period, depth - 1);
        struct grown grown = repeated(grower, &base, (int64_t)(count / period));
        grown.type = copies_of(grower, (int64_t)(count / period), base.type);
        return grown;
    }
    for (size_t at = 0; at < count;) {
        size_t part = (size_t)between(grower, 1, (int64_t)(count - at));
        if (used >= 2 * MOST_PARTS - 1 || (depth <= 0 && used >= 2)) {
            part = count - at;
        }
        if (part == count) {
            part = count - 1; /* at least two parts */
        }
        if (grower->markers && one_in(grower, 9) && used < 2 * MOST_PARTS - 1) {
            lengths[used] = between(grower, 0, 5);
            parts[used++] = nothing(grower);
        }
        parts[used] = grow_from(grower, codes + at, part, depth - 1);
        lengths[used++] = 1;
        at += part;
    }
    return struct_of(grower, parts, lengths, used);
}
