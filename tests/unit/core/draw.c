#include "draw.h"

#include "image.h"

enum { MOST_BLOCKS = 24, MOST_DIMS = 3 };

static int64_t between(uint64_t *seed, int64_t low, int64_t high)
{
    return image_between(seed, low, high);
}

int64_t draw_number(uint64_t *seed, enum draw_kind kind)
{
    int64_t sign = image_random(seed) % 4 ? 1 : -1;
    if (kind == DRAW_HOSTILE && image_random(seed) % 2) {
        uint64_t power = UINT64_C(1) << between(seed, 0, 63);
        uint64_t number = power + (uint64_t)between(seed, -2, 2);
        return (int64_t)(sign < 0 ? 0 - number : number);
    }
    return sign * between(seed, 0, kind == DRAW_SMALL ? 7 : 60);
}

/* How many: of blocks, of elements. */
static int64_t amount(uint64_t *seed, enum draw_kind kind)
{
    if (kind == DRAW_HOSTILE && image_random(seed) % 3 == 0) {
        int64_t number = draw_number(seed, kind);
        return number < 0 ? 0 : number;
    }
    return between(seed, 0, kind == DRAW_WIDE && image_random(seed) % 2 ? 40 : 4);
}

static int64_t blocks(uint64_t *seed, enum draw_kind kind)
{
    return between(seed, 0, kind == DRAW_WIDE ? MOST_BLOCKS : 4);
}

static const struct st_type *leaf(struct st_pool *pool, uint64_t *seed)
{
    static const int64_t sizes[] = {1, 1, 2, 4, 8, 16, 3, 0};
    uint64_t which = image_random(seed) % 9;
    return which == 8 ? hand_pair(pool) : hand_basic(pool, sizes[which]);
}

/* Offsets of blocks: anywhere; or side by side with gaps, so that they mostly don't overlap; or in
 * steps, so that they are regular in truth. */
static void draw_offsets(uint64_t *seed, enum draw_kind kind, int64_t count, int64_t *offsets,
                         int64_t apart)
{
    uint64_t how = image_random(seed) % 3;
    int64_t at = between(seed, -20, 20);
    for (int64_t i = 0; i < count; i++) {
        if (how == 0 || kind == DRAW_HOSTILE) {
            offsets[i] = draw_number(seed, kind);
        } else {
            offsets[i] = at;
            at += apart + (how == 1 ? between(seed, 0, 9) : 3);
        }
    }
    for (int64_t i = count; how == 1 && i-- > 1;) { /* in any order */
        int64_t j = between(seed, 0, i), other = offsets[j];
        offsets[j] = offsets[i];
        offsets[i] = other;
    }
}

static const struct st_type *draw_blocks(struct st_pool *pool, uint64_t *seed, enum draw_kind kind,
                                         enum st_combiner combiner, const struct st_type *base)
{
    int64_t offsets[MOST_BLOCKS], lengths[MOST_BLOCKS], extent = 0;
    int64_t count = blocks(seed, kind), length = between(seed, 0, 4);
    bool bytes = combiner == ST_HINDEXED || combiner == ST_HINDEXED_BLOCK;
    bool each = combiner == ST_INDEXED || combiner == ST_HINDEXED;
    st_extent(base, &extent);
    extent = extent < 0 || extent > 1 << 20 ? 1 : extent;
    draw_offsets(seed, kind, count, offsets, (bytes ? extent : 1) * length);
    for (int64_t i = 0; i < count; i++) {
        lengths[i] = kind == DRAW_HOSTILE ? amount(seed, kind) : between(seed, 0, length);
    }
    return hand_indexed(pool, combiner, count, offsets, each ? lengths : NULL, length, base);
}

static const struct st_type *draw_struct(struct st_pool *pool, uint64_t *seed, enum draw_kind kind,
                                         int depth)
{
    int64_t offsets[MOST_BLOCKS], lengths[MOST_BLOCKS], most = 0;
    const struct st_type *types[MOST_BLOCKS], *few[3];
    int64_t count = blocks(seed, kind);
    for (int i = 0; i < 3; i++) {
        int64_t span;
        few[i] = draw(pool, seed, kind, depth - 1 - i);
        if (!__builtin_sub_overflow(few[i]->measure.true_ub, few[i]->measure.true_lb, &span)) {
            most = span > most && span < 1 << 12 ? span : most;
        }
    }
    draw_offsets(seed, kind, count, offsets, most);
    for (int64_t i = 0; i < count; i++) {
        types[i] = few[between(seed, 0, 2)];
        lengths[i] = kind == DRAW_HOSTILE ? amount(seed, kind) : between(seed, 0, 2);
    }
    return hand_struct(pool, count, offsets, lengths, types);
}

static int64_t array_size(uint64_t *seed, enum draw_kind kind)
{
    if (kind == DRAW_HOSTILE && image_random(seed) % 4 == 0) {
        int64_t size = draw_number(seed, kind);
        return size < 1 ? 1 : size;
    }
    return between(seed, 1, kind == DRAW_WIDE ? 12 : 5);
}

static const struct st_type *draw_subarray(struct st_pool *pool, uint64_t *seed,
                                           enum draw_kind kind, const struct st_type *base)
{
    int64_t sizes[MOST_DIMS], subsizes[MOST_DIMS], starts[MOST_DIMS];
    int64_t ndims = between(seed, 1, MOST_DIMS);
    for (int64_t d = 0; d < ndims; d++) {
        sizes[d] = array_size(seed, kind);
        subsizes[d] = image_random(seed) % 2 ? sizes[d] : between(seed, 1, sizes[d]);
        starts[d] = sizes[d] == subsizes[d] ? 0 : between(seed, 0, sizes[d] - subsizes[d]);
    }
    return hand_subarray(pool, ndims, sizes, subsizes, starts, image_random(seed) & 1, base);
}

static const struct st_type *draw_darray(struct st_pool *pool, uint64_t *seed, enum draw_kind kind,
                                         const struct st_type *base)
{
    int64_t gsizes[MOST_DIMS], distribs[MOST_DIMS], dargs[MOST_DIMS], psizes[MOST_DIMS], size = 1;
    int64_t ndims = between(seed, 1, MOST_DIMS);
    const int64_t *const dims[4] = {gsizes, distribs, dargs, psizes};
    for (int64_t d = 0; d < ndims; d++) {
        gsizes[d] = array_size(seed, kind);
        distribs[d] = between(seed, ST_DISTRIBUTE_NONE, ST_DISTRIBUTE_CYCLIC);
        psizes[d] = distribs[d] == ST_DISTRIBUTE_NONE ? 1 : between(seed, 1, 3);
        int64_t least = gsizes[d] / psizes[d] + (gsizes[d] % psizes[d] != 0);
        least = distribs[d] == ST_DISTRIBUTE_BLOCK ? least : 1;
        dargs[d] = image_random(seed) % 3 ? least + between(seed, 0, 2) : ST_DARG_DEFAULT;
        dargs[d] = dargs[d] < 0 ? ST_DARG_DEFAULT : dargs[d];
        size *= psizes[d];
    }
    return hand_darray(pool, size, between(seed, 0, size - 1), ndims, dims, image_random(seed) & 1,
                       base);
}

const struct st_type *draw_combiner(struct st_pool *pool, uint64_t *seed, enum draw_kind kind,
                                    int depth, enum st_combiner combiner)
{
    if (combiner == ST_NAMED) {
        return leaf(pool, seed);
    }
    if (combiner == ST_STRUCT) {
        return draw_struct(pool, seed, kind, depth);
    }
    if (combiner == ST_OPAQUE) {
        return hand_opaque(pool, draw_number(seed, kind), 0, draw_number(seed, kind));
    }
    const struct st_type *base = draw(pool, seed, kind, depth - 1);
    int64_t low;
    switch (combiner) {
    case ST_DUP:
        return hand_dup(pool, base);
    case ST_CONTIGUOUS:
        return hand_contiguous(pool, amount(seed, kind), base);
    case ST_VECTOR:
    case ST_HVECTOR:
        return hand_vector(pool, combiner, amount(seed, kind), amount(seed, kind),
                           draw_number(seed, kind), base);
    case ST_SUBARRAY:
        return draw_subarray(pool, seed, kind, base);
    case ST_DARRAY:
        return draw_darray(pool, seed, kind, base);
    case ST_RESIZED:
        low = draw_number(seed, kind);
        return hand_resized(pool, low, draw_number(seed, kind), base);
    default:
        return draw_blocks(pool, seed, kind, combiner, base);
    }
}

const struct st_type *draw(struct st_pool *pool, uint64_t *seed, enum draw_kind kind, int depth)
{
    enum st_combiner combiner = (enum st_combiner)between(seed, ST_NAMED, ST_RESIZED);
    if (kind == DRAW_HOSTILE && image_random(seed) % 64 == 0) {
        combiner = ST_OPAQUE;
    }
    return draw_combiner(pool, seed, kind, depth, depth <= 0 ? ST_NAMED : combiner);
}
