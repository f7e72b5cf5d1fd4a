/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the pending operations: records and their buffers. */
#include "core/decode/decode_objects.h"

#include <stdlib.h>

struct st_reading {
    struct st_operation_list *list;
    size_t room, buffer_room;
    uint32_t visited; /* buffers visited, of all records: each belongs to one record only */
};

/* Adds the buffers of an operation. If a buffer is damaged, fills *fault and leaves the list
 * unchanged; objects->fault is for errors that end the walk. */
static enum st_error add_buffers(struct st_objects *objects, struct st_reading *reading,
                                 struct st_operation *operation, struct st_fault *fault)
{
    const struct st_operations *head = &objects->head;
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
        if (st_objects_read(objects, "buffer_chunks", directory, &chunk, sizeof chunk, fault) ||
            st_objects_read(objects, "buffers",
                            chunk + number % head->buffers_per_chunk * sizeof buffer, &buffer,
                            sizeof buffer, fault)) {
            list->buffer_count = first;
            return fault->error;
        }
        if ((buffer.active && buffer.record != operation->record.number) || buffer.count < 0) {
            list->buffer_count = first;
            return st_bad_root(fault, "buffers", next);
        }
        if (list->buffer_count == reading->buffer_room &&
            st_objects_widen(objects, (void **)&list->buffers, &reading->buffer_room, sizeof buffer,
                             "records_used", head->records_used)) {
            return st_fail(fault, *objects->fault);
        }
        list->buffers[list->buffer_count++] = buffer;
        next = buffer.next;
    }
    operation->first_buffer = first;
    return ST_OK;
}

/* Adds an operation. Damage is not fatal: it is counted, and the first fault is kept. */
static enum st_error add_operation(struct st_objects *objects, uint32_t number, const void *item,
                                   void *context, struct st_damage *damage)
{
    const struct st_record *record = item;
    struct st_reading *reading = context;
    struct st_operation_list *list = reading->list;
    struct st_operation operation = {.record = *record};
    struct st_fault fault = {0};
    if (record->kind != ST_KIND_REQUEST && record->kind != ST_KIND_OPERATION) {
        return ST_OK;
    }
    damage->all++;
    if (record->number != number) {
        st_bad_root(&fault, "number", record->number);
    } else if (!st_objects_function(objects, record->function, operation.function, &fault)) {
        add_buffers(objects, reading, &operation, &fault);
    }
    if (st_is_final(&fault)) {
        return st_fail(objects->fault, fault);
    }
    if (fault.error) {
        damage->fault = damage->fault.error ? damage->fault : fault;
        return ST_OK;
    }
    if (list->count == reading->room &&
        st_objects_widen(objects, (void **)&list->operations, &reading->room, sizeof operation,
                         "records_used", objects->head.records_used)) {
        return objects->fault->error;
    }
    damage->read++;
    list->operations[list->count++] = operation;
    return ST_OK;
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
    struct st_reading reading = {.list = list};
    struct st_objects objects;
    damage = damage ? damage : &ignored;
    *list = (struct st_operation_list){0};
    *damage = (struct st_damage){0};
    if (!registry->root.operations) {
        return ST_OK;
    }
    enum st_error error = st_objects_open(&objects, registry, fault ? fault : &scratch);
    if (!error) {
        list->is_checked = true;
        list->undecided = objects.head.undecided;
        list->callbacks = objects.head.callbacks;
        error = st_objects_visit_records(&objects, add_operation, &reading, damage);
    }
    st_objects_close(&objects);
    if (error) {
        st_operations_free(list);
        return error;
    }
    if (list->count) {
        qsort(list->operations, list->count, sizeof(*list->operations), by_serial);
    }
    return ST_OK;
}

void st_operations_free(struct st_operation_list *list)
{
    free(list->operations);
    free(list->buffers);
    *list = (struct st_operation_list){0};
}

enum st_error st_registry_function(struct st_registry *registry, uint32_t number,
                                   char name[ST_FUNCTION_BYTES], struct st_fault *fault)
{
    struct st_fault scratch;
    struct st_objects objects;
    name[0] = 0;
    if (!registry->root.operations) {
        return ST_OK;
    }
    enum st_error error = st_objects_open(&objects, registry, fault ? fault : &scratch);
    if (!error && number < objects.head.function_count) {
        error = st_objects_function(&objects, (uint16_t)number, name, objects.fault);
    }
    st_objects_close(&objects);
    return error;
}
