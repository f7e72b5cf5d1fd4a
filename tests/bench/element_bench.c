/*
 * What it costs to go from an element's number to its address in memory and back, in a type of six
 * constructors and some 10^13 elements: the core alone, without MPI or gdb.
 *
 *     element_bench        a line a direction: minima of interleaved runs
 */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/decode/decode.h"
#include "image.h"
#include "core/address/locate.h"
#include "core/address/typemap.h"

enum { RUNS = 60, CALLS = 1000, BLOCKS = 1000 };
#define MOST 1000.0 /* ns a call */

/* DOUBLE below subarray, vector, indexed, struct, resized, contiguous */
static uint32_t make_type(struct image *image)
{
    static int64_t offsets[BLOCKS], lengths[BLOCKS];
    uint32_t real = image_named(image, "MPI_DOUBLE", 8), number = image_named(image, "MPI_INT", 4);
    uint32_t cube = image_subarray(image, 3, (int64_t[]){100, 100, 100}, (int64_t[]){50, 50, 50},
                                   (int64_t[]){10, 20, 30}, false, real);
    uint32_t comb = image_vector(image, ST_VECTOR, 1000, 3, 7, cube);
    for (int64_t i = 0; i < BLOCKS; i++) {
        offsets[i] = 5 * (i ^ 1);
        lengths[i] = 1 + i % 3;
    }
    uint32_t blocks = image_indexed(image, ST_INDEXED, BLOCKS, offsets, lengths, 0, comb, true);
    uint32_t types[] = {number, blocks, real};
    uint32_t record = image_struct(image, 3, (int64_t[]){0, 64, INT64_C(300000000000000)},
                                   (int64_t[]){3, 1, 2}, types, 0, INT64_C(300000000000064), true);
    uint32_t spaced = image_resized(image, 0, INT64_C(300000000001000), record);
    return image_contiguous(image, 20, spaced);
}

struct bench {
    struct st_place root;
    struct st_indexes indexes;
    struct st_route route;
    int64_t first; /* number of an element */
    uint64_t sum;  /* so that nothing is optimized away */
};

static void fail(const char *what)
{
    printf("%s is wrong\n", what);
    exit(1);
}

static int64_t number_of(const struct bench *b, int i)
{
    return b->first + (int64_t)i * 7919;
}

static void from_number(struct bench *b, int i)
{
    int64_t rest;
    if (st_route_at(&b->route, &b->indexes, ST_SENT_ELEMENTS, number_of(b, i), &rest)) {
        fail("an element's number");
    }
    b->sum += b->route.place.address;
}

static void from_byte(struct bench *b, int i)
{
    int64_t rest;
    if (st_route_at(&b->route, &b->indexes, ST_SENT_BYTES, 8 * number_of(b, i), &rest)) {
        fail("a byte's number");
    }
    b->sum += b->route.place.address;
}

static void to_number(struct bench *b, int i)
{
    (void)i;
    b->sum += (uint64_t)st_route_number(&b->route, &b->indexes, ST_SENT_ELEMENTS).value;
}

static void to_next(struct bench *b, int i)
{
    (void)i;
    if (st_route_next(&b->route, &b->indexes)) {
        fail("the next element");
    }
    b->sum += b->route.place.address;
}

static uint64_t addresses[CALLS];
static struct st_locate locate;

static void from_memory(struct bench *b, int i)
{
    st_locate_restart(&locate, &b->root, (int64_t)addresses[i]);
    if (st_locate_next(&locate) != ST_LOCATED || locate.route.place.address != addresses[i]) {
        fail("a memory address");
    }
    b->sum += (uint64_t)locate.route.steps[0].index;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double ns_a_call(struct bench *b, void (*call)(struct bench *b, int i))
{
    from_number(b, 0);
    double start = seconds();
    for (int i = 0; i < CALLS; i++) {
        call(b, i);
    }
    return (seconds() - start) / CALLS * 1e9;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*call)(struct bench *b, int i);
    } directions[] = {
        {"element number to memory address", from_number},
        {"byte sent to memory address", from_byte},
        {"element to its number", to_number},
        {"memory address to element", from_memory},
        {"element to the next one", to_next},
    };
    enum { DIRECTIONS = sizeof directions / sizeof *directions };
    struct image image;
    struct st_registry *registry;
    const struct st_type *type;
    struct st_fault fault;
    double best[DIRECTIONS];
    struct bench b = {.first = INT64_C(1000000000000)};
    int slow = 0;

    image_init(&image);
    uint32_t top = make_type(&image);
    image_finish(&image);
    if (st_registry_open(&registry, image_read, &image, image.root, &fault) ||
        st_registry_type(registry, top, 0, &type, &fault)) {
        fail("the type");
    }
    b.root = st_place_of(type, 0);
    st_indexes_init(&b.indexes);
    st_route_init(&b.route, &b.root);
    st_locate_init(&locate, &b.indexes, &b.root, 0);
    for (int i = 0; i < CALLS; i++) {
        from_number(&b, i);
        addresses[i] = b.route.place.address;
    }
    for (int run = 0; run < RUNS; run++) {
        for (int d = 0; d < DIRECTIONS; d++) {
            double ns = ns_a_call(&b, directions[d].call);
            best[d] = run && best[d] < ns ? best[d] : ns;
        }
    }
    printf("%" PRId64 " elements, %u constructors deep, from number %" PRId64 " on\n",
           type->measure.elements, type->measure.depth, b.first);
    for (int d = 0; d < DIRECTIONS; d++) {
        printf("%-34s %7.1f ns (limit %.0f)\n", directions[d].name, best[d], MOST);
        slow += best[d] > MOST;
    }
    st_locate_deinit(&locate);
    st_route_deinit(&b.route);
    st_indexes_deinit(&b.indexes);
    st_registry_close(registry);
    image_deinit(&image);
    return slow != 0 || b.sum == 0;
}
