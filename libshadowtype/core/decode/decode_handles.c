/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that are alive. */
#include "core/decode/decode_objects.h"

#include <stdlib.h>
#include <string.h>

/* Keeps the record that is looked for: the newest of those with the handle. */
static enum st_error choose_record(struct st_objects *objects, uint32_t number, const void *item,
                                   void *context, struct st_damage *damage)
{
    (void)objects;
    (void)number;
    (void)damage;
    const struct st_record *record = item;
    struct st_record *found = context;
    if (record->kind == found->kind && record->handle == found->handle &&
        record->serial > found->serial) {
        *found = *record;
    }
    return ST_OK;
}

static enum st_error find_record(struct st_registry *registry, struct st_object *object,
                                 struct st_fault *fault)
{
    struct st_damage damage = {0};
    struct st_objects objects;
    enum st_error error = st_objects_open(&objects, registry, fault);
    error =
        error ? error : st_objects_visit_records(&objects, choose_record, &object->record, &damage);
    if (!error && !object->record.serial && damage.fault.error) {
        error = st_fail(objects.fault, damage.fault);
    }
    if (!error && object->record.serial) {
        error =
            st_objects_function(&objects, object->record.function, object->function, objects.fault);
    }
    st_objects_close(&objects);
    return error;
}

/* Finds a communicator, window or file, which has a structure of another kind. */
static enum st_error find_comm(struct st_registry *registry, struct st_object *object,
                               struct st_fault *fault)
{
    struct st_communicator comm;
    enum st_error error =
        st_registry_comm(registry, object->record.kind, object->record.handle, &comm, fault);
    if (error) {
        return error;
    }
    object->record.serial = comm.comm.serial;
    object->record.site = comm.comm.site;
    object->record.function = comm.comm.function;
    memcpy(object->function, comm.function, sizeof object->function);
    object->name = comm.name;
    comm.name = NULL;
    st_communicator_deinit(&comm);
    return ST_OK;
}

enum st_error st_registry_object(struct st_registry *registry, enum st_kind kind, uint64_t handle,
                                 struct st_object *object, struct st_fault *fault)
{
    struct st_fault scratch;
    fault = fault ? fault : &scratch;
    *object = (struct st_object){.record = {.kind = (uint8_t)kind, .handle = handle}};
    if (!registry->root.operations) {
        return ST_OK;
    }
    return st_kind_has_comm(kind) ? find_comm(registry, object, fault)
                                  : find_record(registry, object, fault);
}

/* --- all of a kind ----------------------------------------------------------------------------- */

struct st_object_search {
    enum st_kind kind;
    struct st_object *objects;
    size_t count, room;
};

/* Adds a handle. Damage is not fatal: it is counted, and the first fault is kept. */
static enum st_error add_object(struct st_objects *objects, uint32_t number, const void *item,
                                void *context, struct st_damage *damage)
{
    struct st_object_search *search = context;
    struct st_object one = {.record = *(const struct st_record *)item};
    struct st_fault fault = {0};
    if (one.record.kind != search->kind) {
        return ST_OK;
    }
    damage->all++;
    if (one.record.number != number) {
        st_bad_root(&fault, "number", one.record.number);
    } else {
        st_objects_function(objects, one.record.function, one.function, &fault);
    }
    if (st_is_final(&fault)) {
        return st_fail(objects->fault, fault);
    }
    if (fault.error) {
        damage->fault = damage->fault.error ? damage->fault : fault;
        return ST_OK;
    }
    if (search->count == search->room &&
        st_objects_widen(objects, (void **)&search->objects, &search->room, sizeof one,
                         "records_used", objects->head.records_used)) {
        free(one.name);
        return objects->fault->error;
    }
    damage->read++;
    search->objects[search->count++] = one;
    return ST_OK;
}

static int compare_serials(const void *a, const void *b)
{
    uint64_t x = ((const struct st_object *)a)->record.serial;
    uint64_t y = ((const struct st_object *)b)->record.serial;
    return (x > y) - (x < y);
}

enum st_error st_registry_objects(struct st_registry *registry, enum st_kind kind,
                                  struct st_object **found, size_t *count, struct st_damage *damage,
                                  struct st_fault *fault)
{
    struct st_object_search search = {.kind = kind};
    *found = NULL;
    *count = 0;
    enum st_error error =
        st_objects_gather(registry, st_objects_visit_records, add_object, &search, damage, fault);
    if (error) {
        st_objects_free(search.objects, search.count);
        return error;
    }
    if (search.count) {
        qsort(search.objects, search.count, sizeof *search.objects, compare_serials);
    }
    *found = search.objects;
    *count = search.count;
    return ST_OK;
}

void st_objects_free(struct st_object *objects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(objects[i].name);
    }
    free(objects);
}
