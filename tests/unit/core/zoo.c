#include "zoo.h"

#include "core/agree/segment.h"
#include "core/model/hash.h"
#include "core/decode/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare/compare.h"
#include "core/decode/decode.h"
#include "heap.h"
#include "pack.h"
#include "core/model/place.h"
#include "render.h"

/* A communicator with a name and a grid, of two groups; the members of the second one are listed. A
 * window, and a communicator of ranks 0, 4, 5, 6, 3 and 1 of its world. */
static uint64_t add_comms(struct image *image)
{
    static const uint64_t members[] = {(7 << ST_GPID_RANK_BITS) + 1, 7 << ST_GPID_RANK_BITS};
    static const uint64_t here[] = {0, 4, 5, 6, 3, 1};
    static const struct st_dimension grid[] = {{2, 1, 1}, {3, 0, 2}};
    const struct st_comm comms[] = {
        {.serial = 3,
         .handle = 0x84000001,
         .id = 0x1234,
         .collectives = 5,
         .name = image_block(image, "rows", 4),
         .group = {.world = 6, .size = 3, .first = 4, .stride = -2, .form = ST_GROUP_STRIDED},
         .remote = {.members = image_block(image, members, sizeof members),
                    .size = 2,
                    .form = ST_GROUP_LISTED},
         .rank = 2,
         .site = 0,
         .grid = image_block(image, grid, sizeof grid),
         .flags = ST_COMM_KNOWN | ST_COMM_INTER},
        {.serial = 2, .number = 1, .handle = 0x84000002, .function = ST_NO_FUNCTION},
        {.serial = 6,
         .number = 2,
         .kind = ST_KIND_WIN,
         .handle = 0x84000001,
         .name = image_block(image, "rows", 4),
         .group = {.world = 6, .size = 4, .first = 0, .stride = 1, .form = ST_GROUP_STRIDED},
         .rank = 2,
         .site = 0,
         .space = {.base = 0x4000, .bytes = 64, .unit = 4},
         .flags = ST_COMM_KNOWN},
        {.serial = 7,
         .number = 3,
         .handle = 0x84000005,
         .group = {.members = image_block(image, here, sizeof here),
                   .size = 6,
                   .form = ST_GROUP_LISTED},
         .rank = 2,
         .site = ST_NO_SITE,
         .function = ST_NO_FUNCTION,
         .flags = ST_COMM_KNOWN},
    };
    const uint64_t chunk = image_add(image, comms, sizeof comms);
    return image_add(image, &chunk, sizeof chunk);
}

/* A request with two buffers, an operation without one, and a group. */
static void add_operations(struct image *image)
{
    static const char functions[1][ST_FUNCTION_BYTES] = {"MPI_Ialltoall"};
    const struct st_record records[] = {
        {.serial = 5,
         .handle = 0x98000000,
         .kind = ST_KIND_REQUEST,
         .flags = ST_RECORD_ACTIVE,
         .site = 0,
         .peer = ST_PEER_NONE,
         .tag = ST_PEER_ANY,
         .buffers = 1},
        {.serial = 4,
         .number = 1,
         .kind = ST_KIND_OPERATION,
         .site = ST_NO_SITE,
         .function = ST_NO_FUNCTION},
        {.serial = 3, .number = 2, .kind = ST_KIND_GROUP, .handle = 0x88000001, .site = 0},
    };
    const struct st_record_buffer buffers[] = {
        {.address = 0x1000, .count = 2, .type = 5, .next = 2, .access = ST_READ, .active = 1},
        {.address = 0x2000, .count = 1, .type = ST_NO_NODE, .access = ST_WRITE},
    };
    const uint64_t chunks[] = {image_add(image, records, sizeof records),
                               image_add(image, buffers, sizeof buffers)};
    const uint64_t directory = image_add(image, chunks, sizeof chunks);
    const struct st_operations head = {
        .magic = ST_OPERATIONS_MAGIC,
        .record_chunks = directory,
        .buffer_chunks = directory + sizeof chunks[0],
        .functions = image_add(image, functions, sizeof functions),
        .record_chunk_count = 1,
        .records_per_chunk = 3,
        .records_used = 3,
        .buffer_chunk_count = 1,
        .buffers_per_chunk = 2,
        .buffers_used = 2,
        .function_count = 1,
        .comm_chunks = add_comms(image),
        .comm_chunk_count = 1,
        .comms_per_chunk = 4,
        .comms_used = 4,
    };
    image->operations = image_add(image, &head, sizeof head);
}

void zoo_add_work(struct image *image)
{
    image->has_calls = true;
    add_operations(image);
}

void zoo_add_log(struct image *image)
{
    const size_t calls = offsetof(struct st_rank_area, places);
    struct st_shared_area shared = {
        .magic = ST_SHARED_MAGIC, .version = ST_SEGMENT_VERSION, .job = 4};
    shared.area = image_add(image, NULL, calls + 64);
    struct st_rank_area *area = image_at(image, shared.area);
    const uint64_t comms[] = {st_hash_word(0x1234, shared.job), 5};
    for (uint64_t i = 0; i < 12; i++) {
        const struct st_collective call = {.comm = comms[i % 2],
                                           .number = 12 - i,
                                           .length = 8,
                                           .root = 1,
                                           .place = 8,
                                           .flags = ST_COLLECTIVE_ROOT | ST_COLLECTIVE_SIGNATURE};
        st_rank_call_write(&area->calls[7 * i], st_collective_key(call.comm, call.number), &call);
    }
    struct st_rank_place *place = (struct st_rank_place *)(void *)(area->places + 8);
    place->frames = 2;
    place->addresses[0] = 0x5001;
    place->addresses[1] = 0x6001;
    const struct st_segment_rank entry = {
        .watched = {.identity = 6, .since = 1000, .looked = 4000}};
    shared.entry = image_add(image, &entry, sizeof entry);
    image->shared = image_add(image, &shared, sizeof shared);
}

void zoo_fill(struct image *image)
{
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t real = image_named(image, "MPI_DOUBLE", 8);
    uint32_t letter = image_named(image, "MPI_CHAR", 1);
    uint32_t pair = image_named(image, "MPI_DOUBLE_INT", 12);
    uint32_t marker = image_named(image, "MPI_LB", 0);
    image->nodes[pair].args[1] = image->nodes[pair].args[2] = 16;
    uint32_t contiguous = image_contiguous(image, 3, number);
    uint32_t vector = image_vector(image, ST_VECTOR, 4, 2, 3, contiguous);
    uint32_t hvector = image_vector(image, ST_HVECTOR, 4, 2, -300, vector);
    uint32_t indexed = image_indexed(image, ST_INDEXED, 3, (int64_t[]){5, 0, -2},
                                     (int64_t[]){1, 0, 3}, 0, real, false);
    uint32_t hindexed = image_indexed(image, ST_HINDEXED, 2, (int64_t[]){-8, 64}, (int64_t[]){1, 2},
                                      0, indexed, true);
    uint32_t block =
        image_indexed(image, ST_INDEXED_BLOCK, 2, (int64_t[]){4, 0}, NULL, 2, letter, false);
    uint32_t blocks =
        image_indexed(image, ST_HINDEXED_BLOCK, 2, (int64_t[]){4, 0}, NULL, 2, hindexed, true);
    uint32_t types[] = {marker, number, letter, real, pair, block};
    uint32_t record = image_struct(image, 6, (int64_t[]){-4, 0, 47, 76, 100, 120},
                                   (int64_t[]){1, 5, 7, 2, 1, 1}, types, -4, 140, true);
    uint32_t subarray = image_subarray(image, 3, (int64_t[]){4, 5, 6}, (int64_t[]){2, 3, 1},
                                       (int64_t[]){1, 1, 0}, false, number);
    uint32_t darray = image_darray(image, 6, 4, 2, (int64_t[]){7, 9}, (int64_t[]){2, 1},
                                   (int64_t[]){2, ST_DARG_DEFAULT}, (int64_t[]){3, 2}, true, real);
    uint32_t resized = image_resized(image, -16, 200, record);
    uint32_t dup = image_dup(image, resized);
    image_plain(image, ST_F90_REAL, 15, 300, 8);
    uint32_t complex_ = image_plain(image, ST_F90_COMPLEX, 15, ST_F90_UNDEFINED, 16);
    image_plain(image, ST_F90_INTEGER, 0, 9, 4);
    uint32_t opaque = image_plain(image, ST_OPAQUE, 8, 0, 16);
    uint32_t all[] = {dup, darray, subarray, opaque, hvector, blocks, complex_, pair};
    uint32_t top = image_struct(image, 8, (int64_t[]){0, 500, 700, 900, 1500, 1700, 2000, 2100},
                                (int64_t[]){1, 1, 2, 1, 1, 1, 2, 3}, all, 0, 4000, false);
    image_set_bounds(image, vector, 0, 250);
    image_set_name(image, record, "particle");
    image_bury(image, contiguous, false);
    image_bury(image, hvector, true);
    uint32_t elided = image_node(image, (struct st_node){.combiner = ST_INDEXED,
                                                         .args = {9},
                                                         .lb = 0,
                                                         .extent = 80,
                                                         .base = ST_NO_NODE,
                                                         .flags = ST_ELIDED,
                                                         .created = 1,
                                                         .committed = ST_NO_SITE,
                                                         .freed = 2});
    image_bury(image, elided, true);
    for (uint64_t i = 0; i < 3; i++) {
        image->nodes[top].created =
            image_site(image, (uint64_t[]){0x401000 + i, 0x402000, 0x403000}, (uint32_t)i + 1);
    }
}

/* --- reading -------------------------------------------------------------------------------------
 */

struct reading {
    uint64_t steps; /* left */
    uint64_t sum;
};

static void check_fault(const struct st_fault *fault)
{
    bool told = fault->error != ST_OK && fault->error <= ST_INTERRUPTED;
    if (fault->error == ST_DAMAGED_ROOT || fault->error == ST_DAMAGED_NODE) {
        told = told && fault->field && *fault->field;
    }
    if (!told) {
        fprintf(stderr, "a fault that says nothing: error %d\n", (int)fault->error);
        abort();
    }
}

static void walk(struct reading *reading, const struct st_place *place, int depth)
{
    int64_t stride = 0;
    struct st_place child;
    if (reading->steps == 0 || depth > 200) {
        return;
    }
    reading->steps--;
    reading->sum += place->address + (uint64_t)place->count + place->leaf;
    const struct st_type *run = st_place_run(place);
    if (run && st_place_stride(place, &stride)) {
        reading->sum += (uint64_t)stride;
    }
    for (int64_t i = 0; i < place->count && reading->steps; i++) {
        /* the first, the last and some between */
        int64_t at = i < 8 ? i : place->count - 1 - (i - 8);
        if (at < 8 && i >= 8) {
            break;
        }
        if (st_place_child(place, at, &child) == ST_OK) {
            walk(reading, &child, depth + 1);
        }
        if (i > 16) {
            break;
        }
    }
    if (st_place_child(place, -1, &child) != ST_OUT_OF_RANGE ||
        st_place_child(place, place->count, &child) != ST_OUT_OF_RANGE) {
        abort();
    }
}

/* Looks at every byte it is given. */
static bool format_run(void *context, struct st_text *text, const struct st_basic *basic,
                       const void *data, int64_t count, bool is_array)
{
    struct reading *reading = context;
    const unsigned char *bytes = data;
    for (size_t i = 0; i < (size_t)count * (size_t)basic->size; i++) {
        reading->sum += bytes[i];
    }
    st_text_puts(text, is_array ? "{...}" : "?");
    return true;
}

static bool enough(void *context)
{
    struct reading *reading = context;
    if (reading->steps) {
        reading->steps--;
    }
    return reading->steps == 0;
}

static void render(struct reading *reading, const struct st_place *place, struct st_memory *memory,
                   bool natural)
{
    struct st_render_options options = {.elements = 20,
                                        .repeats = 10,
                                        .max_depth = 20,
                                        .pretty = natural,
                                        .array_indexes = !natural,
                                        .natural = natural,
                                        .format_run = format_run,
                                        .interrupted = enough,
                                        .context = reading};
    struct st_render_failure failure;
    struct st_text text = {0};
    if (st_render(&text, place, memory, &options, &failure)) {
        check_fault(&failure.fault);
    }
    reading->sum += text.length;
    st_text_deinit(&text);
}

/* The first portion of what would be sent. */
static void pack(struct reading *reading, const struct st_place *place, struct st_memory *memory)
{
    struct st_indexes indexes;
    struct st_pack packed;
    struct st_fault fault = {0};
    unsigned char portion[ST_PACK_LEAST];
    size_t length = 0;
    st_indexes_init(&indexes);
    st_pack_init(&packed, &indexes, memory, place);
    if (st_pack_next(&packed, portion, sizeof portion, &length, &fault)) {
        check_fault(&fault);
        length = 0;
    }
    for (size_t k = 0; k < length; k++) {
        reading->sum += portion[k];
    }
    st_pack_deinit(&packed);
    st_indexes_deinit(&indexes);
}

/* Against something of each sort: an array of structs with a union, an array without a length. */
static void compare(struct reading *reading, const struct st_type *type, int64_t count,
                    uint64_t steps)
{
    const struct st_nest_level open = {ST_FIELD_OPEN, 4}, seven[] = {{7, 192}, {3, 48}},
                               two = {2, 8};
    const struct st_field fields[] = {
        {.kind = ST_FIELD_GROUP, .size = 40, .below = 6, .dims = 2, .dim = seven},
        {.kind = ST_FIELD_SIGNED, .size = 4},
        {.kind = ST_FIELD_UNION, .size = 8, .offset = 8, .below = 2},
        {.kind = ST_FIELD_COMPLEX, .size = 8},
        {.kind = ST_FIELD_CHAR, .size = 1},
        {.kind = ST_FIELD_FLOAT, .size = 8, .offset = 16, .dims = 1, .dim = &two},
        {.kind = ST_FIELD_POINTER, .size = 8, .offset = 32},
    };
    const struct st_field line = {.kind = ST_FIELD_SIGNED, .size = 4, .dims = 1, .dim = &open};
    for (uint32_t i = 0; i < 2; i++) {
        struct st_comparison *found;
        struct st_fault fault = {0};
        if (st_compare(&found, type, count, i ? &line : fields, i ? 1 : 7,
                       (struct st_compare_at){IMAGE_BASE, 0}, 1 + steps, &fault)) {
            reading->sum += fault.error == ST_OVERFLOW;
            if (fault.error != ST_OVERFLOW) {
                check_fault(&fault);
            }
            continue;
        }
        for (size_t row = 0; row < found->count; row++) {
            reading->sum += (uint64_t)found->rows[row].elements + found->rows[row].finding;
        }
        st_comparison_free(found);
    }
}

static void look_at(struct reading *reading, const struct st_type *type, struct st_memory *memory,
                    uint64_t steps, bool whole)
{
    int64_t extent = 0;
    const struct st_measure *m = &type->measure;
    reading->sum += st_extent(type, &extent) + (uint64_t)extent;
    reading->sum += (uint64_t)m->size + (uint64_t)m->lb + (uint64_t)m->true_ub + m->depth;
    for (int64_t i = 0; i < type->entries; i += 1 + type->entries / 16) {
        reading->sum += type->offsets ? (uint64_t)type->offsets[i] : 0;
        reading->sum += type->lengths ? (uint64_t)type->lengths[i] : 0;
        reading->sum += type->types ? type->types[i]->ordinal : 0;
    }
    struct st_place one = st_place_of(type, IMAGE_BASE + 64);
    struct st_place many =
        st_place_repeat(type, IMAGE_BASE + 64, steps > 100 ? INT64_C(1000000000000) : 12);
    const struct st_place *places[] = {&one, &many};
    bool shown = whole || type->ordinal % 4 == 2; /* the rest is below the whole */
    for (size_t i = 0; i < 2; i++) {
        reading->steps = steps;
        walk(reading, places[i], 0);
        if (!shown) {
            continue;
        }
        compare(reading, type, i ? 12 : 1, steps);
        if (i) {
            pack(reading, places[i], memory);
        }
        reading->steps = 1 + steps / 100; /* each stands for a thousand of the renderer's */
        render(reading, places[i], memory, i == 0);
    }
}

static void read_calls(struct reading *reading, struct st_registry *registry)
{
    struct st_thread thread;
    struct st_call_form form;
    struct st_name *names;
    size_t count;
    uint64_t address = st_registry_root(registry)->threads, offset;
    for (uint32_t number = 0; address;) {
        if (st_registry_thread(registry, &address, &number, &thread, NULL)) {
            break;
        }
        for (int i = 0; i < ST_THREAD_CALLS; i++) {
            if (!st_registry_form(registry, thread.calls[i].form, &form, NULL)) {
                reading->sum += form.count + strlen(form.function);
            }
        }
    }
    if (!st_registry_form_of(registry, "MPI_Finalize", &offset, NULL)) {
        reading->sum += offset;
    }
    if (!st_registry_names(registry, &names, &count, NULL)) {
        reading->sum += count;
        free(names);
    }
}

static void read_operations(struct reading *reading, struct st_registry *registry)
{
    struct st_fault fault = {0};
    struct st_operation_list list;
    struct st_damage damage;
    if (st_registry_operations(registry, &list, &damage, &fault)) {
        check_fault(&fault);
        return;
    }
    if (damage.fault.error) {
        check_fault(&damage.fault);
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct st_operation *one = &list.operations[i];
        reading->sum += strlen(one->function) + one->record.serial;
        for (size_t k = 0; k < one->buffer_count; k++) {
            reading->sum += list.buffers[one->first_buffer + k].address;
        }
    }
    st_operations_free(&list);
    const struct {
        enum st_kind kind;
        uint64_t handle;
    } handles[] = {{ST_KIND_WIN, 0x84000001}, {ST_KIND_GROUP, 0x88000001}};
    for (size_t i = 0; i < 2; i++) {
        struct st_object object = {0};
        if (st_registry_object(registry, handles[i].kind, handles[i].handle, &object, &fault)) {
            check_fault(&fault);
        }
        reading->sum += object.record.serial + strlen(object.function);
        reading->sum += object.name ? strlen(object.name) : 0;
        free(object.name);
    }
}

static void read_handles(struct reading *reading, struct st_registry *registry)
{
    struct st_fault fault = {0};
    struct st_object *objects;
    size_t count;
    struct st_damage damage;
    if (st_registry_objects(registry, ST_KIND_GROUP, &objects, &count, &damage, &fault)) {
        check_fault(&fault);
        return;
    }
    if (damage.fault.error) {
        check_fault(&damage.fault);
    }
    for (size_t i = 0; i < count; i++) {
        reading->sum += objects[i].record.serial + strlen(objects[i].function);
    }
    st_objects_free(objects, count);
}

static void read_communicator(struct reading *reading, const struct st_communicator *one)
{
    reading->sum += one->comm.serial + one->comm.id + one->comm.collectives;
    reading->sum += strlen(one->function) + (one->name ? strlen(one->name) : 0);
    for (int remote = 0; remote < 2; remote++) {
        const struct st_comm_group *group = remote ? &one->comm.remote : &one->comm.group;
        reading->sum += st_communicator_member(one, remote, 0);
        reading->sum += st_communicator_member(one, remote, group->size - 1);
        reading->sum += st_communicator_member(one, remote, group->size);
    }
}

static void read_communicators(struct reading *reading, struct st_registry *registry)
{
    struct st_fault fault = {0};
    struct st_communicator *comms, one;
    size_t count;
    struct st_damage damage;
    if (st_registry_comms(registry, &comms, &count, &damage, &fault)) {
        check_fault(&fault);
        return;
    }
    if (damage.fault.error) {
        check_fault(&damage.fault);
    }
    for (size_t i = 0; i < count; i++) {
        read_communicator(reading, &comms[i]);
    }
    st_communicators_free(comms, count);
    if (st_registry_comm(registry, ST_KIND_COMM, 0x84000001, &one, &fault)) {
        check_fault(&fault);
        return;
    }
    read_communicator(reading, &one);
    st_communicator_deinit(&one);
}

static void read_rows(struct reading *reading, struct st_registry *registry)
{
    struct st_fault fault = {0};
    struct st_row *rows;
    size_t count;
    struct st_damage damage;
    if (st_registry_rows(registry, &rows, &count, &damage, &fault)) {
        check_fault(&fault);
        return;
    }
    if (damage.fault.error) {
        check_fault(&damage.fault);
    }
    reading->sum += damage.read + damage.all;
    for (size_t i = 0; i < count; i++) {
        char *name = NULL;
        if (st_registry_name(registry, rows[i].ordinal, rows[i].name, &name, &fault)) {
            check_fault(&fault);
        }
        reading->sum += name ? strlen(name) : 0;
        free(name);
    }
    reading->sum += count;
    free(rows);
}

static uint64_t read_registry(struct image *image, uint64_t steps)
{
    struct reading reading = {0};
    struct st_registry *registry;
    struct st_fault fault = {0};
    if (st_registry_open(&registry, image_read, image, image->root, &fault)) {
        check_fault(&fault);
        return 0;
    }
    struct st_memory memory;
    st_memory_init(&memory, image_read, image);
    read_rows(&reading, registry);
    read_calls(&reading, registry);
    read_operations(&reading, registry);
    read_handles(&reading, registry);
    read_communicators(&reading, registry);
    for (uint32_t i = 0; i < image->node_count + 2; i++) {
        const struct st_type *type;
        fault = (struct st_fault){0};
        if (st_registry_type(registry, i, 0, &type, &fault)) {
            check_fault(&fault);
        } else {
            look_at(&reading, type, &memory, steps, i + 2 == image->node_count);
        }
        fault = (struct st_fault){0};
        if (st_registry_find(registry, IMAGE_HANDLE + i, &type, &fault) == ST_FIND_FAILED) {
            check_fault(&fault);
        }
    }
    for (uint32_t i = 0; i < 5; i++) {
        uint64_t pcs[4];
        size_t count;
        if (st_registry_site(registry, i, pcs, 4, &count, &fault)) {
            check_fault(&fault);
        }
    }
    bool changed;
    if (st_registry_refresh(registry, &changed, &fault)) {
        check_fault(&fault);
    }
    st_memory_deinit(&memory);
    st_registry_close(registry);
    return reading.sum;
}

uint64_t zoo_read(struct image *image, uint64_t steps)
{
    size_t before = heap_watch();
    uint64_t delivered = image->bytes;
    uint64_t sum = read_registry(image, steps);
    heap_must_be_paid(before, image->bytes - delivered);
    return sum;
}
