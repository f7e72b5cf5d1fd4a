/* A node and what is below it, as a type. */
#include "decode_internal.h"

#include <stdlib.h>
#include <string.h>

/* A longer block is kept from one change to the next. */
#define LONG_BLOCK (4 * ST_PAGE)

/* Reading the arrays of one node, in the order in which they stand. */
struct arrays {
    struct st_registry *registry;
    struct st_pool *pool; /* where they go */
    uint32_t ordinal;
    uint64_t at, left;
    uint64_t bytes; /* in all */
    struct st_fault *fault;
};

static enum st_error read_array(struct arrays *arrays, uint64_t at, void *data, size_t bytes)
{
    enum st_error error = st_read_at(arrays->registry, at, data, bytes, arrays->fault);
    return st_about(error, "block", arrays->ordinal, arrays->fault);
}

/* Whether `count` members can be there at all: a length that lies must not make us allocate. */
static bool is_there(struct arrays *arrays, int64_t count, size_t width)
{
    if (count < 0 || (uint64_t)count > arrays->left / width) {
        st_bad_node(arrays->fault, arrays->ordinal, "length", arrays->bytes);
        return false;
    }
    size_t bytes = (size_t)count * width;
    unsigned char probe; /* both ends */
    return !bytes || (!read_array(arrays, arrays->at, &probe, 1) &&
                      !read_array(arrays, arrays->at + bytes - 1, &probe, 1));
}

static bool fill(struct arrays *arrays, void *data, size_t bytes)
{
    if (!data) {
        st_no_memory(arrays->fault);
        return false;
    }
    if (read_array(arrays, arrays->at, data, bytes)) {
        return false;
    }
    arrays->at += bytes;
    arrays->left -= bytes;
    return true;
}

static const void *take(struct arrays *arrays, int64_t count, size_t width)
{
    if (!is_there(arrays, count, width)) {
        return NULL;
    }
    size_t bytes = (size_t)count * width;
    void *data = st_pool_take(arrays->pool, bytes ? bytes : 1);
    return fill(arrays, data, bytes) ? data : NULL;
}

static const int64_t *take_numbers(struct arrays *arrays, int64_t count, bool wide)
{
    if (wide) {
        return take(arrays, count, sizeof(int64_t));
    }
    if (!is_there(arrays, count, sizeof(int32_t))) {
        return NULL;
    }
    int64_t *numbers = st_pool_take(arrays->pool, (size_t)count * sizeof(*numbers) + 1);
    int32_t *narrow = numbers ? malloc((size_t)count * sizeof(*narrow) + 1) : NULL;
    bool read = fill(arrays, narrow, (size_t)count * sizeof(*narrow));
    for (int64_t i = 0; read && i < count; i++) {
        numbers[i] = narrow[i];
    }
    free(narrow);
    return read ? numbers : NULL;
}

/* What MPI has checked when it made the type, and what the algebra relies on. */
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

static enum st_error take_dimensions(struct st_type *type, struct arrays *arrays, int64_t ndims)
{
    int count = type->combiner == ST_SUBARRAY ? 3 : 4;
    type->entries = ndims;
    for (int i = 0; i < count; i++) {
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

static bool has_block(enum st_combiner combiner)
{
    return (combiner >= ST_INDEXED && combiner <= ST_DARRAY);
}

/* Reads the arrays of `type`, for which arrays->at stands at the beginning of the data. */
static enum st_error take_arrays(struct arrays *arrays, struct st_type *type, int64_t count,
                                 const uint32_t **bases)
{
    if (type->combiner == ST_SUBARRAY || type->combiner == ST_DARRAY) {
        return take_dimensions(type, arrays, count);
    }
    type->offsets = take_numbers(arrays, count, type->flags & ST_OFFSETS_64);
    if (!type->offsets) {
        return arrays->fault->error;
    }
    if (type->combiner == ST_INDEXED || type->combiner == ST_HINDEXED ||
        type->combiner == ST_STRUCT) {
        type->lengths = take_numbers(arrays, count, type->flags & ST_LENGTHS_64);
        if (!type->lengths) {
            return arrays->fault->error;
        }
    }
    if (type->combiner == ST_STRUCT) {
        *bases = take(arrays, count, sizeof(uint32_t));
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

/* The same for a long block: they may be there from before the last change, or stay for after. */
static enum st_error take_long_arrays(struct arrays *arrays, struct st_type *type,
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

static enum st_error decode_arrays(struct st_registry *registry, struct st_type *type,
                                   const struct st_node *node, const uint32_t **bases,
                                   struct st_fault *fault)
{
    struct st_pool *pool = &registry->types->pool;
    struct arrays arrays = {
        .registry = registry, .pool = pool, .ordinal = type->ordinal, .fault = fault};
    int64_t count = type->combiner == ST_DARRAY ? type->args[2] : type->args[0];
    *bases = NULL;
    if (!has_block(type->combiner) || st_elided(type) || (count == 0 && !node->block)) {
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
        type->types = st_pool_take(pool, (size_t)count * sizeof(void *) + 1);
        error = type->types ? ST_OK : st_no_memory(fault);
    }
    return error;
}

static enum st_error check_counts(const struct st_type *type, struct st_fault *fault)
{
    switch (type->combiner) {
    case ST_CONTIGUOUS:
    case ST_VECTOR:
    case ST_HVECTOR:
    case ST_INDEXED:
    case ST_HINDEXED:
    case ST_INDEXED_BLOCK:
    case ST_HINDEXED_BLOCK:
    case ST_STRUCT:
    case ST_SUBARRAY:
        if (type->args[0] < 0) {
            return st_bad_node(fault, type->ordinal, "count", (uint64_t)type->args[0]);
        }
        break;
    default:
        break;
    }
    bool lengthy = type->combiner == ST_VECTOR || type->combiner == ST_HVECTOR ||
                   type->combiner == ST_INDEXED_BLOCK || type->combiner == ST_HINDEXED_BLOCK;
    if (lengthy && type->args[1] < 0) {
        return st_bad_node(fault, type->ordinal, "blocklength", (uint64_t)type->args[1]);
    }
    for (int64_t i = 0; type->lengths && i < type->entries; i++) {
        if (type->lengths[i] < 0) {
            return st_bad_node(fault, type->ordinal, "blocklength", (uint64_t)type->lengths[i]);
        }
    }
    return ST_OK;
}

static void name_leaf(struct st_type *type)
{
    static const char *const f90[] = {"MPI_REAL", "MPI_COMPLEX", "MPI_INTEGER"};
    type->leaf = type->combiner == ST_NAMED ||
                 (type->combiner >= ST_F90_REAL && type->combiner <= ST_F90_INTEGER);
    if (type->combiner == ST_NAMED) {
        type->basic = st_basic_of(type->name ? type->name : "", type->args[1]);
    } else if (type->leaf) {
        type->basic = st_basic_of(f90[type->combiner - ST_F90_REAL], type->args[2]);
    }
}

/* A type whose bases are still to be decoded. */
struct pending {
    struct pending *below;
    struct st_type *type;
    const uint32_t *bases; /* of a struct; else base */
    uint32_t base;
    int64_t next; /* entry to look at */
};

/* Reads one node and its arrays; *pending stands for what is below it. */
static enum st_error decode_one(struct st_registry *registry, uint32_t ordinal,
                                struct pending *pending, struct st_fault *fault)
{
    struct st_node node;
    enum st_error error = st_read_node(registry, ordinal, &node, fault);
    if (error) {
        return error;
    }
    bool live = true;
    if (node.flags & ST_FREED) {
        error = st_is_live(registry, ordinal, node.handle, &live, fault);
        if (error && st_is_final(fault)) {
            return error;
        }
    }
    if (live) {
        st_drop_freed(&node);
    }
    struct st_pool *pool = &registry->types->pool;
    struct st_type *type = st_pool_take(pool, sizeof(*type));
    if (!type) {
        return st_no_memory(fault);
    }
    *type = (struct st_type){
        .handle = node.handle,
        .serial = node.serial,
        .ordinal = ordinal,
        .combiner = node.combiner,
        .flags = node.flags,
        .created = node.created,
        .committed = node.committed,
        .freed = node.freed,
        .references = node.references,
        .handles = node.handles,
        .fortran = node.fortran,
        .args = {node.args[0], node.args[1], node.args[2]},
        .lb = node.lb,
        .extent = node.extent,
    };
    char *name;
    error = st_registry_name(registry, ordinal, node.name, &name, fault);
    if (error) {
        return error;
    }
    if (name) {
        size_t length = strlen(name) + 1;
        char *copy = st_pool_take(pool, length);
        if (copy) {
            memcpy(copy, name, length);
        }
        free(name);
        type->name = copy;
    }
    pending->type = type;
    pending->next = 0;
    bool based = st_has_base(type->combiner) && !st_elided(type);
    pending->base = based ? node.base : ST_NO_NODE;
    if (based && node.base == ST_NO_NODE) {
        return st_bad_node(fault, ordinal, "base", node.base);
    }
    error = decode_arrays(registry, type, &node, &pending->bases, fault);
    if (!error) {
        error = check_counts(type, fault);
    }
    name_leaf(type);
    if (!error && type->leaf && type->basic.size > ST_MOST_BASIC) {
        error = st_bad_node(fault, ordinal, "size", (uint64_t)type->basic.size);
    }
    return error;
}

/* The next base that is to be looked at; false: none is left. */
static bool next_base(const struct pending *pending, uint32_t *ordinal)
{
    if (pending->bases) {
        if (pending->next >= pending->type->entries) {
            return false;
        }
        *ordinal = pending->bases[pending->next];
        return true;
    }
    *ordinal = pending->base;
    return pending->base != ST_NO_NODE && pending->next == 0;
}

static void set_base(struct pending *pending, const struct st_type *base)
{
    if (pending->bases) {
        /* The array is the pool's and this type is not published yet. */
        const struct st_type **types = (const struct st_type **)(uintptr_t)pending->type->types;
        types[pending->next] = base;
    } else {
        pending->type->base = base;
    }
    pending->next++;
}

/* Where the walk is. A walk that goes in a circle comes back to the node that it remembers: the
 * last one at a depth that was a power of two (Brent's algorithm). */
struct descent {
    size_t depth, remembered_at;
    uint32_t remembered;
};

static bool in_a_circle(struct descent *descent, uint32_t ordinal)
{
    descent->depth++;
    if (descent->remembered_at && descent->depth > descent->remembered_at &&
        descent->remembered == ordinal) {
        return true;
    }
    if ((descent->depth & (descent->depth - 1)) == 0) {
        descent->remembered_at = descent->depth;
        descent->remembered = ordinal;
    }
    return false;
}

static void go_up(struct descent *descent)
{
    if (--descent->depth < descent->remembered_at) {
        descent->remembered_at = 0;
    }
}

static enum st_error push(struct st_registry *registry, struct pending **top, uint32_t ordinal,
                          struct descent *descent, struct st_fault *fault)
{
    if (in_a_circle(descent, ordinal)) {
        return st_fail(fault, (struct st_fault){.error = ST_CYCLE, .node = ordinal});
    }
    struct pending *pending = calloc(1, sizeof(*pending));
    if (!pending) {
        return st_no_memory(fault);
    }
    pending->below = *top;
    *top = pending;
    enum st_error error = decode_one(registry, ordinal, pending, fault);
    if (error == ST_NO_SUCH_NODE && pending->below) {
        error = st_bad_node(fault, pending->below->type->ordinal,
                            pending->below->bases ? "types" : "base", ordinal);
    }
    return error;
}

/* Whether all that is shown of a predefined type will stay as it is. */
static bool is_settled(const struct st_registry *registry, const struct st_type *type)
{
    return type->combiner == ST_NAMED && type->args[0] >= 0 &&
           registry->root.state != ST_STATE_LOADED && !(registry->root.changes & 1) &&
           !st_lasting_leaf(registry->lasting, type->ordinal);
}

/* Depth first with a stack of our own: a tree may be a million deep. */
static enum st_error decode_tree(struct st_registry *registry, uint32_t ordinal,
                                 struct st_fault *fault)
{
    struct pending *top = NULL;
    struct descent descent = {0};
    enum st_error error = push(registry, &top, ordinal, &descent, fault);
    while (top && !error) {
        uint32_t below;
        if (next_base(top, &below)) {
            const struct st_type *base = st_types_get(registry->types, below);
            base = base ? base : st_lasting_leaf(registry->lasting, below);
            if (base) {
                set_base(top, base);
            } else {
                error = push(registry, &top, below, &descent, fault);
            }
            continue;
        }
        st_measure(top->type);
        if (!st_types_put(registry->types, top->type)) {
            error = st_no_memory(fault);
        }
        if (is_settled(registry, top->type)) {
            st_lasting_keep_leaf(registry->lasting, top->type);
        }
        struct pending *done = top;
        top = top->below;
        go_up(&descent);
        free(done);
    }
    while (top) {
        struct pending *next = top->below;
        free(top);
        top = next;
    }
    return error;
}

enum st_error st_registry_type(struct st_registry *registry, uint32_t ordinal, uint64_t serial,
                               const struct st_type **out, struct st_fault *fault)
{
    struct st_fault scratch;
    fault = fault ? fault : &scratch;
    struct st_type *type = st_types_get(registry->types, ordinal);
    if (!type) {
        enum st_error error = decode_tree(registry, ordinal, fault);
        if (error) {
            return error;
        }
        type = st_types_get(registry->types, ordinal);
    }
    if (!type || (serial && type->serial != serial)) {
        return st_fail(fault, (struct st_fault){.error = ST_NO_SUCH_NODE, .node = ordinal});
    }
    *out = type;
    return ST_OK;
}
