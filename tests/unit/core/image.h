/*
 * A rank's registry in the test's own memory: the decoder reads it through image_read(), with no
 * process and no gdb.
 *
 *     struct image image;
 *     image_init(&image);
 *     uint32_t number = image_named(&image, "MPI_INT", 4);
 *     uint32_t vector = image_vector(&image, ST_VECTOR, 3, 2, 4, number);
 *     image_finish(&image);
 *     image_node_at(&image, vector)->base = vector;        // damage it
 *     ... st_registry_open(&registry, image_read, &image, image.root, &fault) ...
 *     image_deinit(&image);
 *
 * Addresses are the image's own: they start at IMAGE_BASE and mean nothing in the test's process,
 * so that whatever is read past the image is refused, never seen by chance.
 */
#ifndef TESTS_IMAGE_H
#define TESTS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/memory.h"
#include "core/model/registry.h"

#define IMAGE_BASE UINT64_C(0x7f1200000000)
#define IMAGE_HANDLE UINT64_C(0x4c000000) /* of node 0; the next ones count up */

struct image {
    unsigned char *data; /* what stands at IMAGE_BASE; moves while the image grows */
    size_t size, capacity;

    /* Set before image_finish(). */
    uint32_t nodes_per_chunk;
    uint32_t ring_slots;
    uint32_t site_frames;

    struct st_node *nodes; /* until image_finish() has laid them out */
    uint32_t node_count, node_capacity;
    bool *dead; /* nodes without a place in the table */
    uint32_t *ring;
    uint32_t ring_count;
    uint64_t *sites;
    uint32_t site_count;

    bool has_calls;      /* threads in calls, forms and names, too */
    uint64_t operations; /* root.operations; 0: none */
    uint64_t shared;     /* root.shared; 0: none */

    uint64_t root, table, ring_at, node_chunks, site_chunks; /* addresses */
    uint64_t threads_at, forms_at, names_at;                 /* the same */
    uint32_t forms_bytes;

    /* The reader: how often it was asked, what it has delivered, and when it refuses. */
    uint64_t reads, bytes;
    void (*before_read)(struct image *image); /* NULL: nothing happens meanwhile */
    uint64_t hole, hole_end;                  /* addresses that cannot be read */
    size_t longest;                           /* longer reads fail; 0: no limit */
    uint64_t interrupt_at;                    /* the read that is interrupted, from 1 on; 0: none */
};

void image_init(struct image *image);
void image_deinit(struct image *image);

/* Adds `bytes` of data, aligned to 16; their address. Valid before and after image_finish(). */
uint64_t image_add(struct image *image, const void *data, size_t bytes);
/* The same as a struct st_block with a header. */
uint64_t image_block(struct image *image, const void *data, size_t bytes);

/* A node with the next ordinal. A serial, a handle of 0 get one that counts up; `created` etc.
 * stay. */
uint32_t image_node(struct image *image, struct st_node node);

uint32_t image_named(struct image *image, const char *name, int64_t size);
uint32_t image_dup(struct image *image, uint32_t base);
uint32_t image_contiguous(struct image *image, int64_t count, uint32_t base);
/* VECTOR or HVECTOR */
uint32_t image_vector(struct image *image, unsigned combiner, int64_t count, int64_t length,
                      int64_t stride, uint32_t base);
/* INDEXED, HINDEXED: lengths; INDEXED_BLOCK, HINDEXED_BLOCK: lengths NULL, `length` for all. The
 * arrays are stored with 32 bits unless `wide`. */
uint32_t image_indexed(struct image *image, unsigned combiner, int64_t count,
                       const int64_t *offsets, const int64_t *lengths, int64_t length,
                       uint32_t base, bool wide);
uint32_t image_struct(struct image *image, int64_t count, const int64_t *offsets,
                      const int64_t *lengths, const uint32_t *types, int64_t lb, int64_t extent,
                      bool wide);
uint32_t image_subarray(struct image *image, int64_t ndims, const int64_t *sizes,
                        const int64_t *subsizes, const int64_t *starts, bool fortran,
                        uint32_t base);
uint32_t image_darray(struct image *image, int64_t size, int64_t rank, int64_t ndims,
                      const int64_t *gsizes, const int64_t *distribs, const int64_t *dargs,
                      const int64_t *psizes, bool fortran, uint32_t base);
uint32_t image_resized(struct image *image, int64_t lb, int64_t extent, uint32_t base);
uint32_t image_plain(struct image *image, unsigned combiner, int64_t a, int64_t b, int64_t c);

/* Before image_finish(): bounds as MPI said (without: ST_EXTENT_UNKNOWN). */
void image_set_bounds(struct image *image, uint32_t ordinal, int64_t lb, int64_t extent);
/* Before image_finish(): gives a node a name, takes it from the table, puts it into the ring. */
void image_set_name(struct image *image, uint32_t ordinal, const char *name);
void image_bury(struct image *image, uint32_t ordinal, bool in_ring);
/* A call site; its index. At most site_frames of `pcs` are kept. */
uint32_t image_site(struct image *image, const uint64_t *pcs, uint32_t count);

/* Lays all out, and fills the last page up: without it, no page could be read whole. */
void image_finish(struct image *image);

/* The handle that a node got. */
uint64_t image_handle(const struct image *image, uint32_t ordinal);

/* What stands at an address, to be damaged; NULL outside the image. */
void *image_at(const struct image *image, uint64_t address);
struct st_root *image_root(const struct image *image);
struct st_node *image_node_at(const struct image *image, uint32_t ordinal);
uint32_t *image_slots(const struct image *image);

/* The st_read_fn; context is the image. */
enum st_read_result image_read(uint64_t address, void *buffer, size_t length, void *context);

/* A generator of test cases: splitmix64. The seed is all its state. */
uint64_t image_random(uint64_t *seed);
/* low..high, both included */
int64_t image_between(uint64_t *seed, int64_t low, int64_t high);
/* ST_SEED in the environment, else `otherwise`; printed, so that a failure can be had again. */
uint64_t image_seed(uint64_t otherwise);

#endif
