/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads arrays of records and of communicators piece by piece. */
#include "core/decode/decode_objects.h"

#include <stdlib.h>
#include <string.h>

/* The bytes of items that one read takes. */
#define PIECE_BYTES ((size_t)40960)
/* No valid registry exceeds this. */
#define MOST_CHUNKS (1u << 20)
#define MOST_PER_CHUNK (1u << 20)
#define MOST_FUNCTIONS (1u << 12)

enum st_error st_objects_read(struct st_objects *objects, const char *field, uint64_t address,
                              void *buffer, size_t length, struct st_fault *fault)
{
    uint64_t bad = address;
    if (st_memory_read(&objects->memory, address, buffer, length, &bad)) {
        return ST_OK;
    }
    if (objects->memory.interrupted) {
        return st_fail(fault, (struct st_fault){.error = ST_INTERRUPTED});
    }
    return st_fail(fault, (struct st_fault){.error = ST_UNREADABLE,
                                            .address = bad,
                                            .value = length,
                                            .field = field,
                                            .node = ST_NO_NODE});
}

static enum st_error read_head(struct st_objects *objects, const struct st_root *root)
{
    struct st_operations *head = &objects->head;
    enum st_error error = st_objects_read(objects, "operations", root->operations, head,
                                          sizeof *head, objects->fault);
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
        CHECK(comm_chunk_count, head->comm_chunk_count <= MOST_CHUNKS),
        CHECK(comms_per_chunk, head->comms_per_chunk <= MOST_PER_CHUNK),
        CHECK(comms_used,
              head->comms_used <= (uint64_t)head->comm_chunk_count * head->comms_per_chunk),
#undef CHECK
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (checks[i].bad) {
            return st_bad_root(objects->fault, checks[i].field, checks[i].value);
        }
    }
    return ST_OK;
}

enum st_error st_objects_open(struct st_objects *objects, struct st_registry *registry,
                              struct st_fault *fault)
{
    *objects = (struct st_objects){.fault = fault};
    st_memory_init(&objects->memory, registry->memory.read, registry->memory.context);
    return read_head(objects, &registry->root);
}

void st_objects_close(struct st_objects *objects)
{
    st_memory_deinit(&objects->memory);
}

enum st_error st_objects_gather(struct st_registry *registry, st_visit_items *items,
                                st_visit_item *visit, void *context, struct st_damage *damage,
                                struct st_fault *fault)
{
    struct st_fault scratch;
    struct st_damage ignored;
    struct st_objects objects;
    damage = damage ? damage : &ignored;
    *damage = (struct st_damage){0};
    if (!registry->root.operations) {
        return ST_OK;
    }
    enum st_error error = st_objects_open(&objects, registry, fault ? fault : &scratch);
    error = error ? error : items(&objects, visit, context, damage);
    st_objects_close(&objects);
    return error;
}

enum st_error st_objects_widen(struct st_objects *objects, void **items, size_t *room, size_t size,
                               const char *field, uint64_t value)
{
    size_t wider = *room ? *room * 2 : 64;
    if (wider * size > ST_FREE_BYTES / 8 && !st_affordable(&objects->memory, wider * size)) {
        return st_bad_root(objects->fault, field, value);
    }
    void *longer = realloc(*items, wider * size);
    if (!longer) {
        return st_no_memory(objects->fault);
    }
    *items = longer;
    *room = wider;
    return ST_OK;
}

enum st_error st_objects_function(struct st_objects *objects, uint16_t function, char *name,
                                  struct st_fault *fault)
{
    if (function == ST_NO_FUNCTION) {
        return ST_OK;
    }
    if (function >= objects->head.function_count) {
        return st_bad_root(fault, "function", function);
    }
    enum st_error error = st_objects_read(objects, "functions",
                                          objects->head.functions + function * ST_FUNCTION_BYTES,
                                          name, ST_FUNCTION_BYTES, fault);
    name[ST_FUNCTION_BYTES - 1] = 0;
    return error;
}

/* Visits the items of a piece. *there is false if the piece cannot be read. Returns the error of
 * the visitor. */
static enum st_error visit_piece(struct st_objects *objects, const struct st_item_array *array,
                                 uint32_t first, uint32_t count, char *items, st_visit_item *visit,
                                 void *context, struct st_damage *damage, bool *there)
{
    uint64_t chunk, directory = array->directory + first / array->per_chunk * 8ull;
    uint64_t within = first % array->per_chunk * array->size;
    struct st_fault fault = {0};
    *there =
        !st_objects_read(objects, array->field, directory, &chunk, sizeof chunk, &fault) &&
        !st_objects_read(objects, array->items, chunk + within, items, count * array->size, &fault);
    if (!*there) {
        damage->fault = damage->fault.error ? damage->fault : fault;
        damage->all++;
    }
    enum st_error error = ST_OK;
    for (uint32_t i = 0; *there && i < count && !error; i++) {
        const void *item = items + i * array->size;
        uint64_t serial;
        memcpy(&serial, item, sizeof serial);
        error = serial ? visit(objects, first + i, item, context, damage) : ST_OK;
    }
    return error;
}

enum st_error st_objects_visit(struct st_objects *objects, const struct st_item_array *array,
                               st_visit_item *visit, void *context, struct st_damage *damage)
{
    uint32_t piece = (uint32_t)(PIECE_BYTES / array->size);
    char *items = malloc(piece * array->size);
    enum st_error error = items ? ST_OK : st_no_memory(objects->fault);
    bool there = true;
    for (uint32_t first = 0, count; first < array->used && there && !error; first += count) {
        uint32_t rest = array->per_chunk - first % array->per_chunk;
        count = array->used - first < rest ? array->used - first : rest;
        count = count < piece ? count : piece;
        error = visit_piece(objects, array, first, count, items, visit, context, damage, &there);
    }
    free(items);
    return damage->fault.error == ST_INTERRUPTED ? st_fail(objects->fault, damage->fault) : error;
}

enum st_error st_objects_visit_records(struct st_objects *objects, st_visit_item *visit,
                                       void *context, struct st_damage *damage)
{
    const struct st_item_array records = {.field = "record_chunks",
                                          .items = "records",
                                          .directory = objects->head.record_chunks,
                                          .per_chunk = objects->head.records_per_chunk,
                                          .used = objects->head.records_used,
                                          .size = sizeof(struct st_record)};
    return st_objects_visit(objects, &records, visit, context, damage);
}
