/* The pending operations, and other handles that are alive: records and their buffers, read anew each
 * time. What changes with every message is not worth keeping, and root.changes does not tell of it. */
#include "core/decode/decode_internal.h"

#include <stdlib.h>
#include <string.h>

/* Records that are read at a time: less than 64 KiB. */
#define PIECE 512u
/* What no sound registry exceeds. */
#define MOST_CHUNKS (1u << 20)
#define MOST_PER_CHUNK (1u << 20)
#define MOST_FUNCTIONS (1u << 12)

struct st_reading {
    struct st_memory memory; /* its own: the registry's keeps what was there at another call */
    struct st_operations head;
    struct st_operation_list *list;
    struct st_object *found;
    size_t room, buffer_room;
    uint32_t visited; /* buffers, of all records: each belongs to one */
    struct st_fault *fault;
};

static enum st_error read_at(struct st_reading *reading, const char *field, uint64_t address,
                             void *buffer, size_t length, struct st_fault *fault)
{
    uint64_t bad = address;
    if (st_memory_read(&reading->memory, address, buffer, length, &bad)) {
        return ST_OK;
    }
    if (reading->memory.interrupted) {
        return st_fail(fault, (struct st_fault){.error = ST_INTERRUPTED});
    }
    return st_fail(fault, (struct st_fault){.error = ST_UNREADABLE,
                                            .address = bad,
                                            .value = length,
                                            .field = field,
                                            .node = ST_NO_NODE});
}

static enum st_error read_head(struct st_reading *reading, const struct st_root *root)
{
    struct st_operations *head = &reading->head;
    enum st_error error =
        read_at(reading, "operations", root->operations, head, sizeof *head, reading->fault);
    if (error) {
        return error;
    }
    const struct {
        bool bad;
        const char *field;
        uint64_t value;
    } checks[] = {
#define CHECK(field, good) {!(good), #field, (uint64_t)head->field}
        CHECK(magic, head->magic == ST_OPERATIONS_MAGIC),
        CHECK(record_chunk_count, head->record_chunk_count <= MOST_CHUNKS),
        CHECK(records_per_chunk, head->records_per_chunk <= MOST_PER_CHUNK),
        CHECK(records_used,
              head->records_used <= (uint64_t)head->record_chunk_count * head->records_per_chunk),
        CHECK(buffer_chunk_count, head->buffer_chunk_count <= MOST_CHUNKS),
        CHECK(buffers_per_chunk, head->buffers_per_chunk <= MOST_PER_CHUNK),
        CHECK(buffers_used,
              head->buffers_used <= (uint64_t)head->buffer_chunk_count * head->buffers_per_chunk),
        CHECK(function_count, head->function_count <= MOST_FUNCTIONS),
#undef CHECK
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (checks[i].bad) {
            return st_bad_root(reading->fault, checks[i].field, checks[i].value);
        }
    }
    return ST_OK;
}

/* Doubles an array of *room items of `size` bytes, as far as what was read pays for it. */
static enum st_error widen_list(struct st_reading *reading, void **items, size_t *room, size_t size)
{
    size_t wider = *room ? *room * 2 : 64;
    if (wider * size > ST_FREE_BYTES / 8 && !st_affordable(&reading->memory, wider * size)) {
        return st_bad_root(reading->fault, "records_used", reading->head.records_used);
    }
    void *longer = realloc(*items, wider * size);
    if (!longer) {
        return st_no_memory(reading->fault);
    }
    *items = longer;
    *room = wider;
    return ST_OK;
}

/* Fills *fault and leaves the list alone if a buffer is damaged; reading->fault is for what ends all. */
static enum st_error add_buffers(struct st_reading *reading, struct st_operation *operation,
                                 struct st_fault *fault)
{
    const struct st_operations *head = &reading->head;
    struct st_operation_list *list = reading->list;
    size_t first = list->buffer_count;
    uint32_t next = operation->record.buffers;
    for (; next; operation->buffer_count++) {
        uint64_t chunk;
        struct st_record_buffer buffer;
        if (next > head->buffers_used || reading->visited++ >= head->buffers_used) {
            list->buffer_count = first;
            return st_bad_root(fault, "buffers", next);
        }
        uint32_t number = next - 1;
        uint64_t directory = head->buffer_chunks + number / head->buffers_per_chunk * 8ull;
        if (read_at(reading, "buffer_chunks", directory, &chunk, sizeof chunk, fault) ||
            read_at(reading, "buffers", chunk + number % head->buffers_per_chunk * sizeof buffer,
                    &buffer, sizeof buffer, fault)) {
            list->buffer_count = first;
            return fault->error;
        }
        if ((buffer.active && buffer.record != operation->record.number) || buffer.count < 0) {
            list->buffer_count = first;
            return st_bad_root(fault, "buffers", next);
        }
        if (list->buffer_count == reading->buffer_room &&
            widen_list(reading, (void **)&list->buffers, &reading->buffer_room, sizeof buffer)) {
            return st_fail(fault, *reading->fault);
        }
        list->buffers[list->buffer_count++] = buffer;
        next = buffer.next;
    }
    operation->first_buffer = first;
    return ST_OK;
}

/* name: ST_FUNCTION_BYTES; not touched where the function is not known. */
static enum st_error name_function(struct st_reading *reading, uint16_t function, char *name,
                                   struct st_fault *fault)
{
    if (function == ST_NO_FUNCTION) {
        return ST_OK;
    }
    if (function >= reading->head.function_count) {
        return st_bad_root(fault, "function", function);
    }
    enum st_error error =
        read_at(reading, "functions", reading->head.functions + function * ST_FUNCTION_BYTES, name,
                ST_FUNCTION_BYTES, fault);
    name[ST_FUNCTION_BYTES - 1] = 0;
    return error;
}

/* Adds an operation. Damage is not fatal: it is counted, and the first one is kept. */
static enum st_error add_operation(struct st_reading *reading, uint32_t number,
                                   const struct st_record *record, struct st_damage *damage)
{
    struct st_operation_list *list = reading->list;
    struct st_operation operation = {.record = *record};
    struct st_fault fault = {0};
    if (record->kind != ST_KIND_REQUEST && record->kind != ST_KIND_OPERATION) {
        return ST_OK;
    }
    damage->all++;
    if (record->number != number) {
        st_bad_root(&fault, "number", record->number);
    } else if (!name_function(reading, record->function, operation.function, &fault)) {
        add_buffers(reading, &operation, &fault);
    }
    if (fault.error == ST_INTERRUPTED || fault.error == ST_NO_MEMORY) {
        return st_fail(reading->fault, fault);
    }
    if (fault.error) {
        damage->fault = damage->fault.error ? damage->fault : fault;
        return ST_OK;
    }
    if (list->count == reading->room &&
        widen_list(reading, (void **)&list->operations, &reading->room, sizeof operation)) {
        return reading->fault->error;
    }
    damage->read++;
    list->operations[list->count++] = operation;
    return ST_OK;
}

/* The one that is looked for: of several with its handle the newest. */
static enum st_error choose(struct st_reading *reading, uint32_t number,
                            const struct st_record *record, struct st_damage *damage)
{
    (void)number;
    (void)damage;
    struct st_record *found = &reading->found->record;
    if (record->kind == found->kind && record->handle == found->handle &&
        record->serial > found->serial) {
        *found = *record;
    }
    return ST_OK;
}

typedef enum st_error st_visit(struct st_reading *, uint32_t number, const struct st_record *,
                               struct st_damage *);

/* Those that count. What cannot be read is left out: a chunk that is not there holds as many as nobody
 * knows. */
static enum st_error visit_all(struct st_reading *reading, st_visit *visit,
                               struct st_damage *damage)
{
    const struct st_operations *head = &reading->head;
    struct st_record *records = malloc(PIECE * sizeof(*records));
    enum st_error error = records ? ST_OK : st_no_memory(reading->fault);
    for (uint32_t first = 0, count; first < head->records_used && !error; first += count) {
        uint32_t within = first % head->records_per_chunk;
        uint64_t chunk;
        struct st_fault fault = {0};
        count = head->records_used - first;
        count = count < head->records_per_chunk - within ? count : head->records_per_chunk - within;
        count = count < PIECE ? count : PIECE;
        uint64_t directory = head->record_chunks + first / head->records_per_chunk * 8ull;
        if (read_at(reading, "record_chunks", directory, &chunk, sizeof chunk, &fault) ||
            read_at(reading, "records", chunk + within * sizeof(*records), records,
                    count * sizeof(*records), &fault)) {
            damage->fault = damage->fault.error ? damage->fault : fault;
            damage->all++;
            break;
        }
        for (uint32_t i = 0; i < count && !error; i++) {
            error = records[i].serial ? visit(reading, first + i, &records[i], damage) : ST_OK;
        }
    }
    free(records);
    return damage->fault.error == ST_INTERRUPTED ? st_fail(reading->fault, damage->fault) : error;
}

static int by_serial(const void *a, const void *b)
{
    uint64_t x = ((const struct st_operation *)a)->record.serial;
    uint64_t y = ((const struct st_operation *)b)->record.serial;
    return (x > y) - (x < y);
}

enum st_error st_registry_operations(struct st_registry *registry, struct st_operation_list *list,
                                     struct st_damage *damage, struct st_fault *fault)
{
    struct st_fault scratch;
    struct st_damage ignored;
    struct st_reading reading = {.list = list, .fault = fault ? fault : &scratch};
    damage = damage ? damage : &ignored;
    *list = (struct st_operation_list){0};
    *damage = (struct st_damage){0};
    if (!registry->root.operations) {
        return ST_OK;
    }
    st_memory_init(&reading.memory, registry->memory.read, registry->memory.context);
    enum st_error error = read_head(&reading, &registry->root);
    if (!error) {
        list->is_checked = true;
        list->undecided = reading.head.undecided;
        error = visit_all(&reading, add_operation, damage);
    }
    st_memory_deinit(&reading.memory);
    if (error) {
        st_operations_free(list);
        return error;
    }
    if (list->count) {
        qsort(list->operations, list->count, sizeof(*list->operations), by_serial);
    }
    return ST_OK;
}

/* Its name, and that of the function that made it. */
static enum st_error describe(struct st_reading *reading, struct st_registry *registry)
{
    struct st_object *found = reading->found;
    const struct st_record *record = &found->record;
    enum st_error error = name_function(reading, record->function, found->function, reading->fault);
    bool has_name = record->kind == ST_KIND_COMM || record->kind == ST_KIND_WIN;
    return error || !has_name
               ? error
               : st_registry_name(registry, ST_NO_NODE, record->comm, &found->name, reading->fault);
}

enum st_error st_registry_object(struct st_registry *registry, enum st_kind kind, uint64_t handle,
                                 struct st_object *object, struct st_fault *fault)
{
    struct st_fault scratch;
    struct st_damage damage = {0};
    struct st_reading reading = {.found = object, .fault = fault ? fault : &scratch};
    *object = (struct st_object){.record = {.kind = (uint8_t)kind, .handle = handle}};
    if (!registry->root.operations) {
        return ST_OK;
    }
    st_memory_init(&reading.memory, registry->memory.read, registry->memory.context);
    enum st_error error = read_head(&reading, &registry->root);
    error = error ? error : visit_all(&reading, choose, &damage);
    if (!error && !object->record.serial && damage.fault.error) {
        error = st_fail(reading.fault, damage.fault);
    }
    if (!error && object->record.serial) {
        error = describe(&reading, registry);
    }
    st_memory_deinit(&reading.memory);
    return error;
}

void st_operations_free(struct st_operation_list *list)
{
    free(list->operations);
    free(list->buffers);
    *list = (struct st_operation_list){0};
}
