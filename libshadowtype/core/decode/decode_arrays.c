/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the arrays of a node. Memory is allocated only for what has been read, whatever length is
 * claimed. */
#include "core/decode/decode_internal.h"

#include <string.h>

/* A longer block is kept from one change to the next. */
#define LONG_BLOCK (4 * ST_PAGE)
/* The members that the first read of an array takes. */
#define FIRST_PIECE ((size_t)32768)

/* Reads the arrays of one node, in their order. */
struct st_local_arrays {
    struct st_registry *registry;
    struct st_pool *pool; /* where they are stored */
    uint32_t ordinal;
    uint64_t at, left;
    uint64_t bytes; /* of all arrays */
    struct st_fault *fault;
};

static enum st_error read_array(struct st_local_arrays *arrays, uint64_t at, void *data,
                                size_t bytes)
{
    enum st_error error = st_read_at(arrays->registry, at, data, bytes, arrays->fault);
    return st_about(error, "block", arrays->ordinal, arrays->fault);
}

/* Returns true if `count` members may be there: they fit in the block, and their first and last
 * byte can be read. */
static bool is_array_there(struct st_local_arrays *arrays, int64_t count, size_t width)
{
    if (count < 0 || (uint64_t)count > arrays->left / width) {
        st_bad_node(arrays->fault, arrays->ordinal, "length", arrays->bytes);
        return false;
    }
    size_t bytes = (size_t)count * width;
    unsigned char probe; /* for the first and the last byte */
    return !bytes || (!read_array(arrays, arrays->at, &probe, 1) &&
                      !read_array(arrays, arrays->at + bytes - 1, &probe, 1));
}

/* Returns true if the bytes read so far allow `bytes` more of memory (ST_FREE_BYTES). */
static bool is_paid(struct st_local_arrays *arrays, size_t bytes)
{
    const struct st_pool *pool = arrays->pool;
    size_t own = pool == &arrays->registry->types->pool ? 0 : pool->bytes;
    if (st_types_affordable(arrays->registry, own + bytes)) {
        return true;
    }
    st_bad_node(arrays->fault, arrays->ordinal, "length", arrays->bytes);
    return false;
}

/* Makes room for the first `bytes` of an array. `more`: further bytes will follow. The array may
 * move. */
static void *room(struct st_local_arrays *arrays, void *data, size_t bytes, bool more)
{
    if (!data && !more) {
        return st_pool_take(arrays->pool, bytes ? bytes : 1);
    }
    return st_pool_grow(arrays->pool, data, bytes);
}

/* Converts `count` int32_t to int64_t in place; they must be the last bytes of the room. */
static void widen_members(unsigned char *to, const unsigned char *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t narrow;
        memcpy(&narrow, from + i * sizeof narrow, sizeof narrow);
        int64_t number = narrow;
        memcpy(to + i * sizeof number, &number, sizeof number);
    }
}

/* Reads `count` members of `width` bytes, and stores each in `kept` bytes. A long array is read
 * piece by piece, each at most as long as all before: so a wrong length is noticed before it costs
 * memory. */
static void *take_array(struct st_local_arrays *arrays, int64_t count, size_t width, size_t kept)
{
    if (!is_array_there(arrays, count, width)) {
        return NULL;
    }
    size_t all = (size_t)count, done = 0;
    unsigned char *data = NULL;
    do {
        size_t part = done > FIRST_PIECE ? done : FIRST_PIECE;
        part = part < all - done ? part : all - done;
        if (!is_paid(arrays, (done + part) * kept)) {
            return NULL;
        }
        unsigned char *larger = room(arrays, data, (done + part) * kept, part < all);
        if (!larger) {
            st_no_memory(arrays->fault);
            return NULL;
        }
        data = larger;
        unsigned char *to = data + done * kept, *from = to + part * (kept - width);
        if (read_array(arrays, arrays->at, from, part * width)) {
            return NULL;
        }
        if (kept != width) {
            widen_members(to, from, part);
        }
        arrays->at += part * width;
        arrays->left -= part * width;
        done += part;
    } while (done < all);
    return data;
}

static const int64_t *take_numbers(struct st_local_arrays *arrays, int64_t count, bool wide)
{
    return take_array(arrays, count, wide ? sizeof(int64_t) : sizeof(int32_t), sizeof(int64_t));
}

/* Returns true if the dimension is valid. MPI has checked this when it made the type, and the
 * algebra relies on it. */
static bool sound_dimension(const struct st_type *type, int64_t d)
{
    const int64_t *const *dims = type->dims;
    if (dims[0][d] < 0) {
        return false;
    }
    if (type->combiner == ST_SUBARRAY) {
        return dims[ST_SUBSIZES][d] >= 0 && dims[ST_STARTS][d] >= 0 &&
               dims[ST_SUBSIZES][d] <= dims[ST_SIZES][d] &&
               dims[ST_STARTS][d] <= dims[ST_SIZES][d] - dims[ST_SUBSIZES][d];
    }
    return dims[ST_PSIZES][d] >= 1 && dims[ST_DISTRIBS][d] >= ST_DISTRIBUTE_NONE &&
           dims[ST_DISTRIBS][d] <= ST_DISTRIBUTE_CYCLIC &&
           (dims[ST_DARGS][d] == ST_DARG_DEFAULT || dims[ST_DARGS][d] >= 1 ||
            dims[ST_DISTRIBS][d] == ST_DISTRIBUTE_NONE);
}

static enum st_error take_dimensions(struct st_type *type, struct st_local_arrays *arrays,
                                     int64_t ndims)
{
    type->entries = ndims;
    for (int i = 0; i < ST_COMBINER_ARRAYS && st_combiner_array(type->combiner, i); i++) {
        type->dims[i] = take_numbers(arrays, ndims, true);
        if (!type->dims[i]) {
            return arrays->fault->error;
        }
    }
    for (int64_t d = 0; d < ndims; d++) {
        if (!sound_dimension(type, d)) {
            return st_bad_node(arrays->fault, arrays->ordinal, "dimension", (uint64_t)d);
        }
    }
    if (type->combiner == ST_DARRAY && type->args[1] < 0) {
        return st_bad_node(arrays->fault, arrays->ordinal, "rank", (uint64_t)type->args[1]);
    }
    return ST_OK;
}

/* Reads the arrays of `type`. arrays->at must be at the beginning of the data. */
static enum st_error take_arrays(struct st_local_arrays *arrays, struct st_type *type,
                                 int64_t count, const uint32_t **bases)
{
    if (type->combiner == ST_SUBARRAY || type->combiner == ST_DARRAY) {
        return take_dimensions(type, arrays, count);
    }
    type->offsets = take_numbers(arrays, count, type->flags & ST_OFFSETS_64);
    if (!type->offsets) {
        return arrays->fault->error;
    }
    if (st_combiner_find_array(type->combiner, "lengths") > 0) {
        type->lengths = take_numbers(arrays, count, type->flags & ST_LENGTHS_64);
        if (!type->lengths) {
            return arrays->fault->error;
        }
    }
    if (type->combiner == ST_STRUCT) {
        *bases = take_array(arrays, count, sizeof(uint32_t), sizeof(uint32_t));
        if (!*bases) {
            return arrays->fault->error;
        }
    }
    type->entries = count;
    return ST_OK;
}

static void use_kept(struct st_type *type, const struct st_arrays *kept, const uint32_t **bases)
{
    type->entries = kept->entries;
    type->offsets = kept->offsets;
    type->lengths = kept->lengths;
    memcpy(type->dims, kept->dims, sizeof type->dims);
    *bases = kept->bases;
}

/* Does the same for a long block: takes the arrays from before the last change, or keeps them for
 * later. */
static enum st_error take_long_arrays(struct st_local_arrays *arrays, struct st_type *type,
                                      const struct st_node *node, int64_t count,
                                      const uint32_t **bases)
{
    struct st_registry *registry = arrays->registry;
    uint64_t bytes = arrays->left;
    struct st_arrays *kept = st_lasting_arrays(registry->lasting, type->ordinal, node, bytes);
    if (kept) {
        use_kept(type, kept, bases);
        return st_arrays_list_add(&registry->types->arrays, kept) ? ST_OK
                                                                  : st_no_memory(arrays->fault);
    }
    kept = st_arrays_new(type->ordinal, node, bytes);
    if (!kept) {
        return st_no_memory(arrays->fault);
    }
    arrays->pool = &kept->pool;
    enum st_error error = take_arrays(arrays, type, count, bases);
    if (!error && !st_arrays_list_add(&registry->types->arrays, kept)) {
        error = st_no_memory(arrays->fault);
    }
    if (!error) {
        registry->types->arrays_bytes += kept->pool.bytes;
        kept->entries = type->entries;
        kept->offsets = type->offsets;
        kept->lengths = type->lengths;
        memcpy(kept->dims, type->dims, sizeof kept->dims);
        kept->bases = *bases;
        st_lasting_keep_arrays(registry->lasting, kept);
    }
    st_arrays_release(kept);
    return error;
}

enum st_error st_decode_arrays(struct st_registry *registry, struct st_type *type,
                               const struct st_node *node, const uint32_t **bases,
                               struct st_fault *fault)
{
    struct st_pool *pool = &registry->types->pool;
    struct st_local_arrays arrays = {
        .registry = registry, .pool = pool, .ordinal = type->ordinal, .fault = fault};
    int64_t count = type->combiner == ST_DARRAY ? type->args[2] : type->args[0];
    *bases = NULL;
    if (!st_combiner_array(type->combiner, 0) || st_elided(type) || (count == 0 && !node->block)) {
        return ST_OK;
    }
    enum st_error error =
        st_open_block(registry, "block", type->ordinal, node->block, &arrays.bytes, fault);
    if (error) {
        return error;
    }
    arrays.left = arrays.bytes;
    arrays.at = node->block + sizeof(struct st_block);
    error = arrays.left > LONG_BLOCK ? take_long_arrays(&arrays, type, node, count, bases)
                                     : take_arrays(&arrays, type, count, bases);
    if (!error && type->combiner == ST_STRUCT) {
        size_t bytes = (size_t)count * sizeof(void *) + 1;
        arrays.pool = pool;
        if (!is_paid(&arrays, bytes)) {
            return fault->error;
        }
        type->types = st_pool_take(pool, bytes);
        error = type->types ? ST_OK : st_no_memory(fault);
    }
    return error;
}
