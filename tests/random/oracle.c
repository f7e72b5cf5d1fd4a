/*
 * MPI as the oracle: random types are recorded by libshadowtype, decoded by the core from this
 * process's own memory, and compared with what the MPI library itself says of them: size, extent,
 * true extent, and MPI_Pack of a random buffer, byte for byte, in order.
 *
 *     mpipp run -n 1 oracle [SEED [TYPES]]        the last line is "N passed, N failed"
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/decode/decode.h"
#include "generate.h"
#include "core/model/place.h"
#include "core/address/typemap.h"

static enum st_read_result read_self(uint64_t address, void *buffer, size_t length, void *context)
{
    struct iovec to = {buffer, length}, from = {(void *)(uintptr_t)address, length};
    (void)context;
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)length ? ST_READ_OK
                                                                              : ST_READ_FAILED;
}

/* The meta type-tree, for a report. */
static void describe(const struct st_type *type, int depth)
{
    printf("%*s%s %s args %lld %lld %lld; size %lld lb %lld ub %lld true %lld %lld\n", depth * 2,
           "", st_combiner_name(type->combiner), type->name ? type->name : "",
           (long long)type->args[0], (long long)type->args[1], (long long)type->args[2],
           (long long)type->measure.size, (long long)type->measure.lb, (long long)type->measure.ub,
           (long long)type->measure.true_lb, (long long)type->measure.true_ub);
    for (int64_t i = 0; i < type->entries; i++) {
        printf("%*s %lld:", depth * 2, "", (long long)i);
        for (int d = 0; d < 4; d++) {
            if (type->dims[d]) {
                printf(" %lld", (long long)type->dims[d][i]);
            }
        }
        if (type->offsets) {
            printf(" offset %lld", (long long)type->offsets[i]);
        }
        if (type->lengths) {
            printf(" length %lld", (long long)type->lengths[i]);
        }
        printf("\n");
        if (type->types) {
            describe(type->types[i], depth + 1);
        }
    }
    if (type->base) {
        describe(type->base, depth + 1);
    }
}

#ifdef MPICH_NUMVERSION
#define MPI_IS_MPICH true
#else
#define MPI_IS_MPICH false
#endif

static long passed, failed, not_bounded, not_packed;
static bool complex_is_wrong;
static unsigned char memory[4 * (size_t)MOST_REACH]; /* random; buffers start in the middle */

static int check(int ok, uint64_t seed, const char *what, long long ours, long long theirs)
{
    if (ok) {
        passed++;
    } else if (failed++ < 20) {
        printf("seed %llu: %s: %lld, MPI says %lld\n", (unsigned long long)seed, what, ours,
               theirs);
    }
    return ok;
}

/* Appends the bytes of all leaves below `place` in order; false when they are more than `most`. */
static int gather(const struct st_place *place, unsigned char *packed, size_t *used, size_t most)
{
    if (place->leaf) {
        const struct st_basic *basic = &place->type->basic;
        struct st_pair_member whole = {.size = (uint32_t)basic->size};
        const struct st_pair_member *members =
            basic->class_ == ST_CLASS_PAIR ? basic->members : &whole;
        int count = basic->class_ == ST_CLASS_PAIR ? 2 : 1;
        for (int i = 0; i < count; i++) {
            if (*used + members[i].size > most) {
                return 0;
            }
            memcpy(packed + *used, (const char *)(uintptr_t)place->address + members[i].offset,
                   members[i].size);
            *used += members[i].size;
        }
        return 1;
    }
    for (int64_t i = 0; i < place->count; i++) {
        struct st_place child;
        if (st_place_child(place, i, &child) || !gather(&child, packed, used, most)) {
            return 0;
        }
    }
    return 1;
}

/* The same by the type map's iterator, from a random element on; what is before it is left out, and
 * told by *skipped. False: the numbers do not fit together. */
static int gather_elements(const struct st_place *place, struct st_indexes *indexes,
                           struct rng *rng, unsigned char *packed, size_t *used, size_t most,
                           size_t *skipped)
{
    struct st_typemap map;
    int64_t all = st_place_amount(place, ST_SENT_ELEMENTS).value;
    int64_t number = all ? rng_in(rng, 0, all - 1) : 0, rest;
    st_typemap_init(&map, indexes, place);
    enum st_error error = st_typemap_seek(&map, number);
    int fits = 1;
    *skipped = all ? (size_t)map.byte.value : 0;
    for (; fits && !error; error = st_typemap_next(&map), number++) {
        fits = map.number.value == number && (size_t)map.byte.value == *skipped + *used &&
               gather(&map.route.place, packed, used, most);
    }
    fits = fits && error == ST_OUT_OF_RANGE && number == all;
    if (fits && *used) { /* and the last byte is the last element's */
        int64_t last = (int64_t)(*skipped + *used - 1);
        fits = !st_route_at(&map.route, indexes, ST_SENT_BYTES, last, &rest) &&
               st_route_number(&map.route, indexes, ST_SENT_ELEMENTS).value == all - 1;
    }
    st_typemap_deinit(&map);
    return fits;
}

/* x87's long double has ten bytes of value in sixteen; MPICH packs the value alone. */
static void mask_padding(const struct st_place *place, unsigned char *packed, size_t *used)
{
    if (place->leaf) {
        const struct st_basic *basic = &place->type->basic;
        bool pair = basic->class_ == ST_CLASS_PAIR;
        for (int i = 0; i < (pair ? 2 : 1); i++) {
            enum st_class class_ = pair ? basic->members[i].class_ : basic->class_;
            size_t size = pair ? basic->members[i].size : (size_t)basic->size;
            if (class_ == ST_CLASS_FLOAT && size == 16) {
                memset(packed + *used + 10, 0, 6);
            }
            *used += size;
        }
        return;
    }
    for (int64_t i = 0; i < place->count; i++) {
        struct st_place child;
        if (!st_place_child(place, i, &child)) {
            mask_padding(&child, packed, used);
        }
    }
}

/* --- where the oracle errs ---------------------------------------------------------------------
 *
 * Each was found by this test; Open MPI and the standard's definition agree with the core there.
 * What is left out is counted and printed. */

static bool any_below(const struct st_type *type, bool (*is)(const struct st_type *))
{
    bool found = is(type) || (type->base && any_below(type->base, is));
    for (int64_t i = 0; type->types && i < type->entries && !found; i++) {
        found = any_below(type->types[i], is);
    }
    return found;
}

/* MPICH 4.0.2 counts the place of parts without data into a true extent, and its MPI_Pack divides
 * by zero for some types that have such parts. Open MPI 4.1.4 packs repetitions of such types by
 * another extent than it reports. */
static bool is_empty(const struct st_type *type)
{
    return type->measure.size == 0;
}

/* MPICH 4.0.2 reports a darray's true lb without the data's place in it. */
static bool is_darray(const struct st_type *type)
{
    return type->combiner == ST_DARRAY;
}

/* Open MPI 4.1.4 takes a stride of -1 byte for "none given" and lays the blocks end to end. */
static bool is_one_byte_back(const struct st_type *type)
{
    int64_t unit = 1;
    bool vector = type->combiner == ST_VECTOR && st_extent(type->base, &unit);
    return (vector || type->combiner == ST_HVECTOR) && type->args[2] * unit == -1;
}

/* MPICH 4.0.2 packs repetitions of a type of negative extent by another extent than it reports,
 * and for some of extent 0 nothing at all. */
static bool is_backward(const struct st_type *type)
{
    return type->measure.ub <= type->measure.lb;
}

/* Open MPI 5.0.7 packs and sends complex elements from wrong places if the distance of two of them is a multiple of
 * half their size and none of their size. Returns whether this library does. */
static bool packs_complex_wrong(void)
{
    enum { BLOCKS = 3, STRIDE = 184, SIZE = 16 };
    unsigned char packed[BLOCKS * SIZE] = {0};
    MPI_Datatype type;
    bool is_wrong = false;
    int position = 0;
    MPI_Type_create_hvector(BLOCKS, 1, STRIDE, MPI_C_DOUBLE_COMPLEX, &type);
    MPI_Type_commit(&type);
    MPI_Pack(memory, 1, type, packed, (int)sizeof packed, &position, MPI_COMM_SELF);
    for (size_t i = 0; i < BLOCKS; i++) {
        is_wrong |= memcmp(packed + i * SIZE, memory + i * STRIDE, SIZE) != 0;
    }
    MPI_Type_free(&type);
    return is_wrong;
}

/* Whether two neighbours among the complex elements of `place` have such a distance. *last: the one before; 0: none. */
static bool has_half_distance(const struct st_place *place, uint64_t *last)
{
    if (place->leaf) {
        const struct st_basic *basic = &place->type->basic;
        if (basic->class_ != ST_CLASS_COMPLEX) {
            return false;
        }
        uint64_t distance = place->address - *last, size = (uint64_t)basic->size;
        bool is_half = *last && distance % (size / 2) == 0 && distance % size != 0;
        *last = place->address;
        return is_half;
    }
    for (int64_t i = 0; i < place->count; i++) {
        struct st_place child;
        if (!st_place_child(place, i, &child) && has_half_distance(&child, last)) {
            return true;
        }
    }
    return false;
}

static void compare_pack(uint64_t seed, struct rng *rng, const struct st_type *type,
                         MPI_Datatype handle)
{
    static unsigned char ours[4 * (size_t)MOST_SIZE], theirs[4 * (size_t)MOST_SIZE];
    unsigned char *buffer = memory + sizeof memory / 2;
    int count = (int)rng_in(rng, 1, 3), position = 0;
    if (any_below(type, is_empty)) {
        count = 1;
    }
    if (MPI_IS_MPICH && (any_below(type, is_backward) || any_below(type, is_empty))) {
        not_packed++;
        return;
    }
    size_t used = 0;
    uint64_t last = 0;
    struct st_place place = st_place_repeat(type, (uint64_t)(uintptr_t)buffer, count);
    if (complex_is_wrong && has_half_distance(&place, &last)) {
        not_packed++;
        return;
    }
    int whole = gather(&place, ours, &used, sizeof ours);
    MPI_Pack(buffer, count, handle, theirs, (int)sizeof theirs, &position, MPI_COMM_SELF);
    if (check(whole && used == (size_t)position, seed, "packed bytes", (long long)used, position)) {
        size_t same = 0, masked = 0;
        mask_padding(&place, ours, &masked);
        masked = 0;
        mask_padding(&place, theirs, &masked);
        while (same < used && ours[same] == theirs[same]) {
            same++;
        }
        check(same == used, seed, "equal packed bytes", (long long)same, (long long)used);

        static unsigned char listed[4 * (size_t)MOST_SIZE];
        struct st_indexes indexes;
        size_t skipped = 0, count_listed = 0;
        st_indexes_init(&indexes);
        whole =
            gather_elements(&place, &indexes, rng, listed, &count_listed, sizeof listed, &skipped);
        st_indexes_deinit(&indexes);
        if (check(whole && skipped + count_listed == used, seed, "bytes of the type map",
                  (long long)(skipped + count_listed), (long long)used)) {
            memmove(listed + skipped, listed, count_listed);
            memcpy(listed, theirs, skipped);
            masked = 0;
            mask_padding(&place, listed, &masked);
            check(memcmp(listed, theirs, used) == 0, seed, "order of the type map", 0, 0);
        }
    }
}

static void compare(uint64_t seed, struct st_registry *registry)
{
    struct rng rng = {seed};
    struct generated made = generate(&rng, (int)rng_in(&rng, 1, MOST_DEPTH));
    const struct st_type *type;
    struct st_fault fault = {0};
    bool changed;
    uint64_t handle =
        sizeof(MPI_Datatype) == 4 ? (uint32_t)(uintptr_t)made.type : (uint64_t)(uintptr_t)made.type;
    if (!made.depth) {
        return;
    }
    if (st_registry_refresh(registry, &changed, &fault) ||
        st_registry_find(registry, handle, &type, &fault) != ST_LIVE) {
        check(0, seed, "found in the registry, fault", fault.error, 0);
        return;
    }
    long before = failed;
    MPI_Count size, lb, extent, true_lb, true_extent;
    MPI_Type_size_x(made.type, &size);
    MPI_Type_get_extent_x(made.type, &lb, &extent);
    MPI_Type_get_true_extent_x(made.type, &true_lb, &true_extent);
    if (!MPI_IS_MPICH && any_below(type, is_one_byte_back)) {
        not_packed++;
        MPI_Type_free(&made.type);
        return;
    }
    const struct st_measure *m = &type->measure;
    check(m->unknown == 0, seed, "known", m->unknown, 0);
    check(m->size == size, seed, "size", m->size, size);
    check(m->lb == lb, seed, "lb", m->lb, lb);
    check(m->ub - m->lb == extent, seed, "extent", m->ub - m->lb, extent);
    if (MPI_IS_MPICH && (any_below(type, is_empty) || any_below(type, is_darray))) {
        not_bounded++;
    } else {
        check(m->true_lb == true_lb, seed, "true lb", m->true_lb, true_lb);
        check(m->true_ub - m->true_lb == true_extent, seed, "true extent", m->true_ub - m->true_lb,
              true_extent);
    }
    compare_pack(seed, &rng, type, made.type);
    if (failed > before && failed < 20) {
        describe(type, 0);
    }
    MPI_Type_free(&made.type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20261120;
    long types = argc > 2 ? strtol(argv[2], NULL, 0) : 4000;
    const void *root = dlsym(RTLD_DEFAULT, ST_ROOT_SYMBOL);
    struct st_registry *registry;
    struct st_fault fault = {0};
    if (!root) {
        printf("no registry: libshadowtype is not loaded\n0 passed, 1 failed\n");
        return 1;
    }
    if (st_registry_open(&registry, read_self, NULL, (uint64_t)(uintptr_t)root, &fault)) {
        printf("the registry cannot be opened: fault %d\n0 passed, 1 failed\n", fault.error);
        return 1;
    }
    printf("seeds %llu to %llu\n", (unsigned long long)seed, (unsigned long long)seed + types - 1);
    struct rng rng = {seed};
    for (size_t i = 0; i < sizeof memory; i += 8) {
        memcpy(memory + i, &(uint64_t){rng_next(&rng)}, 8);
    }
    complex_is_wrong = packs_complex_wrong();
    for (long i = 0; i < types; i++) {
        compare(seed + (uint64_t)i, registry);
    }
    for (int i = 0; i < constructor_count; i++) {
        check(constructor_uses[i] > 0 || types < 1000, seed, constructor_names[i], 0, 1);
    }
    st_registry_close(registry);
    printf("not compared, because MPI errs: true bounds of %ld types, MPI_Pack of %ld\n",
           not_bounded, not_packed);
    printf("%ld passed, %ld failed\n", passed, failed);
    MPI_Finalize();
    return failed != 0;
}
