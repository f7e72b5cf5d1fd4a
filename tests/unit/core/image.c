#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *old, size_t bytes)
{
    void *fresh = realloc(old, bytes ? bytes : 1);
    if (!fresh) {
        fputs("image: out of memory\n", stderr);
        exit(2);
    }
    return fresh;
}

void image_init(struct image *image)
{
    *image = (struct image){.nodes_per_chunk = 4, .ring_slots = 8, .site_frames = 3};
    image->root = image_add(image, NULL, sizeof(struct st_root));
}

void image_deinit(struct image *image)
{
    free(image->data);
    free(image->nodes);
    free(image->dead);
    free(image->ring);
    free(image->sites);
    *image = (struct image){0};
}

uint64_t image_add(struct image *image, const void *data, size_t bytes)
{
    size_t at = (image->size + 15) & ~(size_t)15;
    if (at + bytes > image->capacity) {
        image->capacity = (at + bytes) * 2 + 4096;
        image->data = grown(image->data, image->capacity);
    }
    memset(image->data + image->size, 0, at - image->size);
    if (data) {
        memcpy(image->data + at, data, bytes);
    } else {
        memset(image->data + at, 0, bytes);
    }
    image->size = at + bytes;
    return IMAGE_BASE + at;
}

uint64_t image_block(struct image *image, const void *data, size_t bytes)
{
    struct st_block header = {.magic = ST_BLOCK_MAGIC, .bytes = bytes};
    uint64_t at = image_add(image, NULL, sizeof header + bytes);
    memcpy(image_at(image, at), &header, sizeof header);
    if (bytes) {
        memcpy((char *)image_at(image, at) + sizeof header, data, bytes);
    }
    return at;
}

uint32_t image_node(struct image *image, struct st_node node)
{
    uint32_t ordinal = image->node_count++;
    if (ordinal == image->node_capacity) {
        image->node_capacity = ordinal ? ordinal * 2 : 16;
        image->nodes = grown(image->nodes, image->node_capacity * sizeof(*image->nodes));
        image->dead = grown(image->dead, image->node_capacity * sizeof(*image->dead));
    }
    node.serial = node.serial ? node.serial : ordinal + 1;
    node.handle = node.handle ? node.handle : IMAGE_HANDLE + ordinal;
    image->nodes[ordinal] = node;
    image->dead[ordinal] = false;
    return ordinal;
}

static struct st_node blank(unsigned combiner, int64_t a, int64_t b, int64_t c, uint32_t base)
{
    return (struct st_node){
        .combiner = (uint8_t)combiner,
        .args = {a, b, c},
        .extent = ST_EXTENT_UNKNOWN,
        .base = base,
        .created = ST_NO_SITE,
        .committed = ST_NO_SITE,
        .freed = ST_NO_SITE,
        .references = 1,
        .handles = 1,
        .fortran = -1,
    };
}

uint32_t image_named(struct image *image, const char *name, int64_t size)
{
    struct st_node node = blank(ST_NAMED, size, size, size, ST_NO_NODE);
    node.flags = ST_COMMITTED | ST_PREDEFINED;
    node.name = image_block(image, name, strlen(name));
    return image_node(image, node);
}

uint32_t image_dup(struct image *image, uint32_t base)
{
    return image_node(image, blank(ST_DUP, 0, 0, 0, base));
}

uint32_t image_contiguous(struct image *image, int64_t count, uint32_t base)
{
    return image_node(image, blank(ST_CONTIGUOUS, count, 0, 0, base));
}

uint32_t image_vector(struct image *image, unsigned combiner, int64_t count, int64_t length,
                      int64_t stride, uint32_t base)
{
    return image_node(image, blank(combiner, count, length, stride, base));
}

/* Bytes of a block that is being written. */
struct bytes {
    unsigned char *data;
    size_t length;
};

static void append(struct bytes *bytes, const void *data, size_t length)
{
    bytes->data = grown(bytes->data, bytes->length + length);
    if (length) {
        memcpy(bytes->data + bytes->length, data, length);
    }
    bytes->length += length;
}

static void append_numbers(struct bytes *bytes, const int64_t *numbers, int64_t count, bool wide)
{
    if (wide) {
        append(bytes, numbers, (size_t)count * sizeof(*numbers));
        return;
    }
    bytes->data = grown(bytes->data, bytes->length + (size_t)count * sizeof(int32_t));
    for (int64_t i = 0; i < count; i++) {
        int32_t narrow = (int32_t)numbers[i];
        memcpy(bytes->data + bytes->length, &narrow, sizeof narrow);
        bytes->length += sizeof narrow;
    }
}

static uint32_t node_with(struct image *image, struct st_node node, struct bytes *bytes)
{
    node.block = image_block(image, bytes->data, bytes->length);
    free(bytes->data);
    return image_node(image, node);
}

uint32_t image_indexed(struct image *image, unsigned combiner, int64_t count,
                       const int64_t *offsets, const int64_t *lengths, int64_t length,
                       uint32_t base, bool wide)
{
    struct bytes bytes = {0};
    struct st_node node = blank(combiner, count, lengths ? 0 : length, 0, base);
    node.flags = wide ? ST_OFFSETS_64 | ST_LENGTHS_64 : 0;
    append_numbers(&bytes, offsets, count, wide);
    if (lengths) {
        append_numbers(&bytes, lengths, count, wide);
    }
    return node_with(image, node, &bytes);
}

uint32_t image_struct(struct image *image, int64_t count, const int64_t *offsets,
                      const int64_t *lengths, const uint32_t *types, int64_t lb, int64_t extent,
                      bool wide)
{
    struct bytes bytes = {0};
    struct st_node node = blank(ST_STRUCT, count, 0, 0, ST_NO_NODE);
    node.lb = lb;
    node.extent = extent;
    node.flags = wide ? ST_OFFSETS_64 | ST_LENGTHS_64 : 0;
    append_numbers(&bytes, offsets, count, wide);
    append_numbers(&bytes, lengths, count, wide);
    append(&bytes, types, (size_t)count * sizeof(*types));
    return node_with(image, node, &bytes);
}

uint32_t image_subarray(struct image *image, int64_t ndims, const int64_t *sizes,
                        const int64_t *subsizes, const int64_t *starts, bool fortran, uint32_t base)
{
    struct bytes bytes = {0};
    struct st_node node = blank(ST_SUBARRAY, ndims, 0, 0, base);
    node.flags = fortran ? ST_FORTRAN_ORDER : 0;
    append_numbers(&bytes, sizes, ndims, true);
    append_numbers(&bytes, subsizes, ndims, true);
    append_numbers(&bytes, starts, ndims, true);
    return node_with(image, node, &bytes);
}

uint32_t image_darray(struct image *image, int64_t size, int64_t rank, int64_t ndims,
                      const int64_t *gsizes, const int64_t *distribs, const int64_t *dargs,
                      const int64_t *psizes, bool fortran, uint32_t base)
{
    struct bytes bytes = {0};
    struct st_node node = blank(ST_DARRAY, size, rank, ndims, base);
    node.flags = fortran ? ST_FORTRAN_ORDER : 0;
    append_numbers(&bytes, gsizes, ndims, true);
    append_numbers(&bytes, distribs, ndims, true);
    append_numbers(&bytes, dargs, ndims, true);
    append_numbers(&bytes, psizes, ndims, true);
    return node_with(image, node, &bytes);
}

uint32_t image_resized(struct image *image, int64_t lb, int64_t extent, uint32_t base)
{
    return image_node(image, blank(ST_RESIZED, lb, extent, 0, base));
}

uint32_t image_plain(struct image *image, unsigned combiner, int64_t a, int64_t b, int64_t c)
{
    return image_node(image, blank(combiner, a, b, c, ST_NO_NODE));
}

void image_set_bounds(struct image *image, uint32_t ordinal, int64_t lb, int64_t extent)
{
    image->nodes[ordinal].lb = lb;
    image->nodes[ordinal].extent = extent;
}

void image_set_name(struct image *image, uint32_t ordinal, const char *name)
{
    image->nodes[ordinal].name = image_block(image, name, strlen(name));
}

void image_bury(struct image *image, uint32_t ordinal, bool in_ring)
{
    image->dead[ordinal] = true;
    image->nodes[ordinal].flags |= ST_FREED;
    if (in_ring) {
        image->ring = grown(image->ring, (image->ring_count + 1) * sizeof(*image->ring));
        image->ring[image->ring_count++] = ordinal;
    }
}

uint32_t image_site(struct image *image, const uint64_t *pcs, uint32_t count)
{
    uint32_t frames = image->site_frames;
    image->sites =
        grown(image->sites, (size_t)(image->site_count + 1) * frames * sizeof(*image->sites));
    uint64_t *site = image->sites + (size_t)image->site_count * frames;
    for (uint32_t i = 0; i < frames; i++) {
        site[i] = i < count ? pcs[i] : 0;
    }
    return image->site_count++;
}

/* Chunks of `per_chunk` entries each and the directory of their addresses. */
static uint64_t chunked(struct image *image, const void *entries, size_t entry_bytes,
                        uint32_t count, uint32_t per_chunk, uint32_t *chunks)
{
    *chunks = (count + per_chunk - 1) / per_chunk;
    uint64_t *directory = grown(NULL, (*chunks + 1) * sizeof(*directory));
    for (uint32_t i = 0; i < *chunks; i++) {
        uint32_t here = count - i * per_chunk < per_chunk ? count - i * per_chunk : per_chunk;
        directory[i] = image_add(image, NULL, per_chunk * entry_bytes);
        memcpy(image_at(image, directory[i]),
               (const char *)entries + (size_t)i * per_chunk * entry_bytes, here * entry_bytes);
    }
    uint64_t at = image_add(image, directory, *chunks * sizeof(*directory));
    free(directory);
    return at;
}

static void lay_table(struct image *image)
{
    struct st_table header = {.magic = ST_TABLE_MAGIC, .log2_slots = 4};
    while ((UINT32_C(1) << header.log2_slots) / 4 * 3 < image->node_count) {
        header.log2_slots++;
    }
    uint32_t slots = UINT32_C(1) << header.log2_slots;
    image->table = image_add(image, NULL, sizeof header + slots * sizeof(uint32_t));
    memcpy(image_at(image, image->table), &header, sizeof header);
    uint32_t *table = image_slots(image);
    for (uint32_t i = 0; i < image->node_count; i++) {
        if (!image->dead[i]) {
            uint32_t at = st_table_home(image->nodes[i].handle, header.log2_slots);
            while (table[at]) {
                at = (at + 1) & (slots - 1);
            }
            table[at] = i + 1;
        }
    }
}

/* Two threads, of which the older one is in a call, a line for it, and a name. */
static void lay_calls(struct image *image)
{
    static const char forms[] =
        "MPI_Barrier:comm|MPI_Comm|comm\n"
        "MPI_Recv:write|void *|buf,count|int|count,type|MPI_Datatype|datatype,"
        "source|int|source,anytag|int|tag,comm|MPI_Comm|comm,"
        "-|MPI_Status *|status\n"
        "MPI_Finalize:\n";
    struct st_thread threads[2] = {
        {.magic = ST_THREAD_MAGIC, .number = 1, .id = 71},
        {.magic = ST_THREAD_MAGIC, .number = 2, .id = 72},
    };
    struct st_thread_call *call = &threads[0].calls[0];
    *call = (struct st_thread_call){ST_CALL_RUNNING, 31,     0,      0x5000,
                                    0x7000,          0x5100, 0x7100, {4096, 3, 5, 1, 7}};
    threads[0].calls[1] = (struct st_thread_call){
        UINT64_C(15) << 32 | ST_CALL_RETURNED, 0, ST_NO_SITE, 1, 2, 0, 0, {9}};
    const struct st_name names[] = {{1140850688, "MPI_Comm", "MPI_COMM_WORLD"},
                                    {UINT64_MAX, "tag", "MPI_ANY_TAG"}};
    image->forms_at = image_add(image, forms, sizeof forms - 1);
    image->forms_bytes = sizeof forms - 1;
    image->names_at = image_add(image, names, sizeof names);
    uint64_t oldest = image_add(image, &threads[0], sizeof threads[0]);
    threads[1].next = oldest;
    image->threads_at = image_add(image, &threads[1], sizeof threads[1]);
}

void image_finish(struct image *image)
{
    uint32_t node_chunks, site_chunks, live = 0;
    const uint32_t sites_per_chunk = 2;
    image->node_chunks = chunked(image, image->nodes, sizeof(struct st_node), image->node_count,
                                 image->nodes_per_chunk, &node_chunks);
    image->site_chunks = chunked(image, image->sites, image->site_frames * sizeof(uint64_t),
                                 image->site_count, sites_per_chunk, &site_chunks);
    lay_table(image);
    if (image->has_calls) {
        lay_calls(image);
    }
    image->ring_at = image_add(image, NULL, image->ring_slots * sizeof(uint32_t));
    for (uint32_t i = 0; i <= image->ring_count && image->ring_slots; i++) {
        /* What will be written next is empty. */
        ((uint32_t *)image_at(image, image->ring_at))[i % image->ring_slots] =
            i < image->ring_count ? image->ring[i] + 1 : 0;
    }
    for (uint32_t i = 0; i < image->node_count; i++) {
        live += !image->dead[i] && image->nodes[i].combiner != ST_NAMED;
    }
    *image_root(image) = (struct st_root){
        .layout = ST_LAYOUT_VERSION,
        .byte_order = ST_BYTE_ORDER,
        .pointer_bytes = 8,
        .handle_bytes = 4,
        .root_bytes = sizeof(struct st_root),
        .node_bytes = sizeof(struct st_node),
        .mpi = ST_MPI_MPICH,
        .state = ST_STATE_INITIALIZED,
        .world_rank = 1,
        .world_size = 2,
        .changes = 2, /* odd: in the middle of a change */
        .table = image->table,
        .node_chunks = image->node_chunks,
        .node_chunk_count = node_chunks,
        .nodes_per_chunk = image->nodes_per_chunk,
        .nodes_used = image->node_count,
        .live = live,
        .site_chunks = image->site_chunks,
        .site_chunk_count = site_chunks,
        .sites_per_chunk = sites_per_chunk,
        .sites_used = image->site_count,
        .site_frames = image->site_frames,
        .ring = image->ring_at,
        .ring_slots = image->ring_slots,
        .ring_next = image->ring_slots ? image->ring_count % image->ring_slots : 0,
        .types_bytes = 1,
        .operations = image->operations,
        .shared = image->shared,
        .mpi_version = "An MPI made of bytes 1.0",
        .threads = image->threads_at,
        .forms = image->forms_at,
        .names = image->names_at,
        .forms_bytes = image->forms_bytes,
        .name_count = 2,
        .status_bytes = 20,
        .status_source = 8,
        .status_tag = 12,
        .status_error = 16,
    };
    memcpy(image_root(image)->magic, ST_MAGIC, sizeof image_root(image)->magic);
    image_add(image, NULL, ST_PAGE - ((image->size + 15) & ~(size_t)15) % ST_PAGE);
}

uint64_t image_handle(const struct image *image, uint32_t ordinal)
{
    return image->nodes[ordinal].handle;
}

void *image_at(const struct image *image, uint64_t address)
{
    uint64_t offset = address - IMAGE_BASE;
    return offset < image->size ? image->data + offset : NULL;
}

struct st_root *image_root(const struct image *image)
{
    return image_at(image, image->root);
}

struct st_node *image_node_at(const struct image *image, uint32_t ordinal)
{
    const uint64_t *directory = image_at(image, image->node_chunks);
    struct st_node *chunk = image_at(image, directory[ordinal / image->nodes_per_chunk]);
    return chunk + ordinal % image->nodes_per_chunk;
}

uint32_t *image_slots(const struct image *image)
{
    return (uint32_t *)image_at(image, image->table + sizeof(struct st_table));
}

enum st_read_result image_read(uint64_t address, void *buffer, size_t length, void *context)
{
    struct image *image = context;
    uint64_t offset = address - IMAGE_BASE;
    image->reads++;
    if (image->before_read) {
        image->before_read(image);
    }
    if (image->interrupt_at && image->reads == image->interrupt_at) {
        return ST_READ_INTERRUPTED;
    }
    if (offset >= image->size || length > image->size - offset ||
        (image->longest && length > image->longest) ||
        (address < image->hole_end && address + length > image->hole)) {
        return ST_READ_FAILED;
    }
    memcpy(buffer, image->data + offset, length);
    image->bytes += length;
    return ST_READ_OK;
}

uint64_t image_random(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

int64_t image_between(uint64_t *seed, int64_t low, int64_t high)
{
    return low + (int64_t)(image_random(seed) % ((uint64_t)(high - low) + 1));
}

uint64_t image_seed(uint64_t otherwise)
{
    const char *text = getenv("ST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : otherwise;
    printf("# ST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}
