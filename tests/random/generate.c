#include "generate.h"

#include <stdlib.h>
#include <string.h>

uint64_t rng_next(struct rng *rng) /* splitmix64 */
{
    uint64_t z = (rng->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

int64_t rng_in(struct rng *rng, int64_t low, int64_t high)
{
    return low + (int64_t)(rng_next(rng) % (uint64_t)(high - low + 1));
}

/* Predefined as well, but by a call: the same handle each time. */
static MPI_Datatype parametrized(struct rng *rng)
{
    MPI_Datatype type = MPI_DOUBLE;
    switch (rng_in(rng, 0, 2)) {
    case 0:
        MPI_Type_create_f90_real((int)rng_in(rng, 1, 15), MPI_UNDEFINED, &type);
        break;
    case 1:
        MPI_Type_create_f90_complex(MPI_UNDEFINED, 30, &type);
        break;
    default:
        MPI_Type_create_f90_integer((int)rng_in(rng, 1, 9), &type);
        break;
    }
    return type;
}

static MPI_Datatype predefined(struct rng *rng)
{
    const MPI_Datatype types[] = {
        MPI_CHAR,
        MPI_SIGNED_CHAR,
        MPI_UNSIGNED_CHAR,
        MPI_SHORT,
        MPI_INT,
        MPI_LONG,
        MPI_LONG_LONG_INT,
        MPI_UNSIGNED_SHORT,
        MPI_UNSIGNED,
        MPI_UNSIGNED_LONG,
        MPI_FLOAT,
        MPI_DOUBLE,
        MPI_LONG_DOUBLE,
        MPI_INT8_T,
        MPI_INT16_T,
        MPI_INT32_T,
        MPI_INT64_T,
        MPI_UINT8_T,
        MPI_C_BOOL,
        MPI_C_DOUBLE_COMPLEX,
        MPI_C_FLOAT_COMPLEX,
        MPI_BYTE,
        MPI_WCHAR,
        MPI_FLOAT_INT,
        MPI_DOUBLE_INT,
        MPI_LONG_INT,
        MPI_SHORT_INT,
        MPI_2INT,
        MPI_AINT,
        MPI_LONG_DOUBLE_INT,
        MPI_DOUBLE,
        MPI_INT,
        MPI_CHAR,
    };
    if (rng_in(rng, 0, 15) == 0) {
        return parametrized(rng);
    }
    return types[rng_next(rng) % (sizeof types / sizeof *types)];
}

/* A constructor's draw: fills *made and returns MPI's answer. The bases are draw.base[0..]. */
enum { MOST_ENTRIES = 6 };
struct draw {
    struct rng *rng;
    MPI_Datatype base[MOST_ENTRIES];
    int bases;
};

static int count_of(struct draw *draw)
{
    return (int)rng_in(draw->rng, rng_in(draw->rng, 0, 9) ? 1 : 0, MOST_ENTRIES);
}

static int length_of(struct draw *draw)
{
    return (int)rng_in(draw->rng, rng_in(draw->rng, 0, 6) ? 1 : 0, 4);
}

static int displacement_of(struct draw *draw)
{
    return (int)rng_in(draw->rng, rng_in(draw->rng, 0, 3) ? 0 : -12, 24);
}

struct arrays {
    int lengths[MOST_ENTRIES], offsets[MOST_ENTRIES];
    MPI_Aint bytes[MOST_ENTRIES];
};

static int draw_arrays(struct draw *draw, struct arrays *arrays)
{
    int count = count_of(draw);
    for (int i = 0; i < MOST_ENTRIES; i++) {
        arrays->lengths[i] = length_of(draw);
        arrays->offsets[i] = displacement_of(draw);
        arrays->bytes[i] = (MPI_Aint)displacement_of(draw) * rng_in(draw->rng, 1, 16);
    }
    return count;
}

static int contiguous(struct draw *draw, MPI_Datatype *made)
{
    return MPI_Type_contiguous(count_of(draw), draw->base[0], made);
}

static int vector(struct draw *draw, MPI_Datatype *made)
{
    int count = count_of(draw), length = length_of(draw);
    return MPI_Type_vector(count, length, displacement_of(draw), draw->base[0], made);
}

static int hvector(struct draw *draw, MPI_Datatype *made)
{
    int count = count_of(draw), length = length_of(draw);
    MPI_Aint stride = (MPI_Aint)displacement_of(draw) * 8;
    return MPI_Type_create_hvector(count, length, stride, draw->base[0], made);
}

static int indexed(struct draw *draw, MPI_Datatype *made)
{
    struct arrays a;
    int count = draw_arrays(draw, &a);
    return MPI_Type_indexed(count, a.lengths, a.offsets, draw->base[0], made);
}

static int hindexed(struct draw *draw, MPI_Datatype *made)
{
    struct arrays a;
    int count = draw_arrays(draw, &a);
    return MPI_Type_create_hindexed(count, a.lengths, a.bytes, draw->base[0], made);
}

static int indexed_block(struct draw *draw, MPI_Datatype *made)
{
    struct arrays a;
    int count = draw_arrays(draw, &a), length = length_of(draw);
    return MPI_Type_create_indexed_block(count, length, a.offsets, draw->base[0], made);
}

static int hindexed_block(struct draw *draw, MPI_Datatype *made)
{
    struct arrays a;
    int count = draw_arrays(draw, &a), length = length_of(draw);
    return MPI_Type_create_hindexed_block(count, length, a.bytes, draw->base[0], made);
}

static int structure(struct draw *draw, MPI_Datatype *made)
{
    struct arrays a;
    MPI_Datatype types[MOST_ENTRIES];
    int count = draw_arrays(draw, &a);
    for (int i = 0; i < MOST_ENTRIES; i++) {
        types[i] = draw->base[rng_next(draw->rng) % (uint64_t)draw->bases];
    }
    return MPI_Type_create_struct(count, a.lengths, a.bytes, types, made);
}

static int resized(struct draw *draw, MPI_Datatype *made)
{
    MPI_Aint lb = displacement_of(draw);
    MPI_Aint extent =
        rng_in(draw->rng, 0, 8) ? rng_in(draw->rng, 1, 96) : rng_in(draw->rng, -40, 0);
    return MPI_Type_create_resized(draw->base[0], lb, extent, made);
}

static int dup(struct draw *draw, MPI_Datatype *made)
{
    return MPI_Type_dup(draw->base[0], made);
}

static int order_of(struct draw *draw)
{
    return rng_in(draw->rng, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
}

static int subarray(struct draw *draw, MPI_Datatype *made)
{
    int ndims = (int)rng_in(draw->rng, 1, 3);
    int sizes[3], subsizes[3], starts[3];
    for (int i = 0; i < ndims; i++) {
        sizes[i] = (int)rng_in(draw->rng, 1, 6);
        subsizes[i] = (int)rng_in(draw->rng, 1, sizes[i]);
        starts[i] = (int)rng_in(draw->rng, 0, sizes[i] - subsizes[i]);
    }
    return MPI_Type_create_subarray(ndims, sizes, subsizes, starts, order_of(draw), draw->base[0],
                                    made);
}

static int darray(struct draw *draw, MPI_Datatype *made)
{
    int ndims = (int)rng_in(draw->rng, 1, 3), size = 1;
    int gsizes[3], distribs[3], dargs[3], psizes[3];
    for (int i = 0; i < ndims; i++) {
        const int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
        distribs[i] = kinds[rng_next(draw->rng) % 3];
        gsizes[i] = (int)rng_in(draw->rng, 1, 9);
        psizes[i] = distribs[i] == MPI_DISTRIBUTE_NONE ? 1 : (int)rng_in(draw->rng, 1, 3);
        dargs[i] = MPI_DISTRIBUTE_DFLT_DARG;
        if (rng_in(draw->rng, 0, 1) && distribs[i] != MPI_DISTRIBUTE_NONE) {
            int least =
                distribs[i] == MPI_DISTRIBUTE_BLOCK ? (gsizes[i] + psizes[i] - 1) / psizes[i] : 1;
            dargs[i] = (int)rng_in(draw->rng, least, least + 3);
        }
        size *= psizes[i];
    }
    int rank = (int)rng_in(draw->rng, 0, size - 1);
    return MPI_Type_create_darray(size, rank, ndims, gsizes, distribs, dargs, psizes,
                                  order_of(draw), draw->base[0], made);
}

#if MPI_VERSION >= 4 /* large counts */
#define HAVE_LARGE_COUNTS 1

static int vector_c(struct draw *draw, MPI_Datatype *made)
{
    MPI_Count count = count_of(draw), length = length_of(draw);
    return MPI_Type_vector_c(count, length, displacement_of(draw), draw->base[0], made);
}

static int contiguous_c(struct draw *draw, MPI_Datatype *made)
{
    return MPI_Type_contiguous_c(count_of(draw), draw->base[0], made);
}

struct large_arrays {
    MPI_Count lengths[MOST_ENTRIES], offsets[MOST_ENTRIES], bytes[MOST_ENTRIES];
};

static MPI_Count draw_large(struct draw *draw, struct large_arrays *large)
{
    struct arrays a;
    int count = draw_arrays(draw, &a);
    for (int i = 0; i < MOST_ENTRIES; i++) {
        large->lengths[i] = a.lengths[i];
        large->offsets[i] = a.offsets[i];
        large->bytes[i] = a.bytes[i];
    }
    return count;
}

static int indexed_c(struct draw *draw, MPI_Datatype *made)
{
    struct large_arrays a;
    MPI_Count count = draw_large(draw, &a);
    return MPI_Type_indexed_c(count, a.lengths, a.offsets, draw->base[0], made);
}

static int hindexed_block_c(struct draw *draw, MPI_Datatype *made)
{
    struct large_arrays a;
    MPI_Count count = draw_large(draw, &a);
    return MPI_Type_create_hindexed_block_c(count, length_of(draw), a.bytes, draw->base[0], made);
}

static int structure_c(struct draw *draw, MPI_Datatype *made)
{
    struct large_arrays a;
    MPI_Datatype types[MOST_ENTRIES];
    MPI_Count count = draw_large(draw, &a);
    for (int i = 0; i < MOST_ENTRIES; i++) {
        types[i] = draw->base[rng_next(draw->rng) % (uint64_t)draw->bases];
    }
    return MPI_Type_create_struct_c(count, a.lengths, a.bytes, types, made);
}

static int subarray_c(struct draw *draw, MPI_Datatype *made)
{
    MPI_Count sizes[2], subsizes[2], starts[2];
    for (int i = 0; i < 2; i++) {
        sizes[i] = rng_in(draw->rng, 1, 6);
        subsizes[i] = rng_in(draw->rng, 1, sizes[i]);
        starts[i] = rng_in(draw->rng, 0, sizes[i] - subsizes[i]);
    }
    return MPI_Type_create_subarray_c(2, sizes, subsizes, starts, order_of(draw), draw->base[0],
                                      made);
}
#endif

typedef int (*constructor)(struct draw *, MPI_Datatype *);
static const constructor constructors[] = {
    contiguous,     vector,       hvector,   indexed,          hindexed,    indexed_block,
    hindexed_block, structure,    structure, resized,          dup,         subarray,
    darray,
#ifdef HAVE_LARGE_COUNTS
    vector_c,       contiguous_c, indexed_c, hindexed_block_c, structure_c, subarray_c,
#endif
};
const char *const constructor_names[] = {
    "contiguous",     "vector",       "hvector",   "indexed",          "hindexed", "indexed_block",
    "hindexed_block", "struct",       "struct",    "resized",          "dup",      "subarray",
    "darray",
#ifdef HAVE_LARGE_COUNTS
    "vector_c",       "contiguous_c", "indexed_c", "hindexed_block_c", "struct_c", "subarray_c",
#endif
};
enum { CONSTRUCTORS = sizeof constructors / sizeof *constructors };
unsigned long constructor_uses[CONSTRUCTORS];
const int constructor_count = CONSTRUCTORS;

/* Whether the type is small enough to pack a few of it. */
static int manageable(MPI_Datatype type)
{
    MPI_Count size, lb, extent, true_lb, true_extent;
    MPI_Type_size_x(type, &size);
    MPI_Type_get_extent_x(type, &lb, &extent);
    MPI_Type_get_true_extent_x(type, &true_lb, &true_extent);
    return size >= 0 && size <= MOST_SIZE && llabs(true_lb) < MOST_REACH / 8 &&
           true_extent < MOST_REACH / 8 && llabs(extent) < MOST_REACH / 8 &&
           llabs(lb) < MOST_REACH / 8;
}

struct generated generate(struct rng *rng, int depth)
{
    struct generated made = {.type = predefined(rng), .depth = 0};
    struct generated below[2] = {{.depth = 0}, {.depth = 0}};
    if (depth == 0) {
        return made;
    }
    struct draw draw = {.rng = rng, .bases = 3};
    below[0] = generate(rng, (int)rng_in(rng, depth - 1, depth - 1));
    below[1] = generate(rng, (int)rng_in(rng, 0, depth - 1) / 2);
    draw.base[0] = below[0].type;
    draw.base[1] = below[1].type;
    draw.base[2] = predefined(rng);
    for (int attempt = 0; attempt < 20; attempt++) {
        int which = (int)(rng_next(rng) % CONSTRUCTORS);
        if (constructors[which](&draw, &made.type) != MPI_SUCCESS) {
            continue;
        }
        if (manageable(made.type)) {
            made.depth = (below[0].depth > below[1].depth ? below[0].depth : below[1].depth) + 1;
            constructor_uses[which]++;
            break;
        }
        MPI_Type_free(&made.type);
        made.type = draw.base[2];
        made.depth = 0;
    }
    for (int i = 0; i < 2; i++) {
        if (below[i].depth) {
            MPI_Type_free(&below[i].type);
        }
    }
    if (made.depth) {
        MPI_Type_commit(&made.type);
    }
    return made;
}
