/* Handles that are alive. */
#include "core/decode/decode_objects.h"

#include <string.h>

/* The one that is looked for: of several with its handle the newest. */
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

/* Its name, and that of the function that made it. */
static enum st_error describe_object(struct st_objects *objects, struct st_registry *registry,
                                     struct st_object *found)
{
    const struct st_record *record = &found->record;
    enum st_error error =
        st_objects_function(objects, record->function, found->function, objects->fault);
    return error || record->kind != ST_KIND_WIN
               ? error
               : st_registry_name(registry, ST_NO_NODE, record->comm, &found->name, objects->fault);
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
        error = describe_object(&objects, registry, object);
    }
    st_objects_close(&objects);
    return error;
}

/* A communicator has a structure of its own. */
static enum st_error find_comm(struct st_registry *registry, struct st_object *object,
                               struct st_fault *fault)
{
    struct st_communicator comm;
    enum st_error error = st_registry_comm(registry, object->record.handle, &comm, fault);
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
    return kind == ST_KIND_COMM ? find_comm(registry, object, fault)
                                : find_record(registry, object, fault);
}
