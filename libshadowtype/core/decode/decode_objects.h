/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the pending operations, the handles and the communicators (struct st_operations of
 * registry.h). They are read anew each time: they change with every message, and root.changes does
 * not show that.
 */
#ifndef ST_CORE_DECODE_DECODE_OBJECTS_H
#define ST_CORE_DECODE_DECODE_OBJECTS_H

#include "core/decode/decode_internal.h"

struct st_objects {
    struct st_memory memory; /* not the registry's, which may be outdated */
    struct st_operations head;
    struct st_fault *fault; /* for errors that end the walk */
};

/* Reads the head of the operations, which the registry must have, and checks it. Call
 * st_objects_close() in any case. */
enum st_error st_objects_open(struct st_objects *objects, struct st_registry *registry,
                              struct st_fault *fault);
void st_objects_close(struct st_objects *objects);

enum st_error st_objects_read(struct st_objects *objects, const char *field, uint64_t address,
                              void *buffer, size_t length, struct st_fault *fault);

/* Reads the name of a function into `name`, of ST_FUNCTION_BYTES; leaves it unchanged if the
 * function is not known. */
enum st_error st_objects_function(struct st_objects *objects, uint16_t function, char *name,
                                  struct st_fault *fault);

/* A directory of chunks of items. Each item begins with its serial. */
struct st_item_array {
    const char *field, *items; /* "record_chunks", "records" */
    uint64_t directory;
    uint32_t per_chunk, used;
    size_t size; /* of an item */
};

/* Returns an error, in objects->fault, to end the walk. */
typedef enum st_error st_visit_item(struct st_objects *objects, uint32_t number, const void *item,
                                    void *context, struct st_damage *damage);
/* Calls `visit` for all items of a kind. */
typedef enum st_error st_visit_items(struct st_objects *objects, st_visit_item *visit,
                                     void *context, struct st_damage *damage);

/* Visits the items that are in use. Leaves out what cannot be read: a missing chunk has an unknown
 * number of items. */
enum st_error st_objects_visit(struct st_objects *objects, const struct st_item_array *array,
                               st_visit_item *visit, void *context, struct st_damage *damage);
enum st_error st_objects_visit_records(struct st_objects *objects, st_visit_item *visit,
                                       void *context, struct st_damage *damage);

/* Opens the objects, calls items(visit, context) and closes them. Does nothing if the registry has
 * no operations.
 * damage  set to no damage first; may be NULL
 * fault   may be NULL */
enum st_error st_objects_gather(struct st_registry *registry, st_visit_items *items,
                                st_visit_item *visit, void *context, struct st_damage *damage,
                                struct st_fault *fault);

/* Doubles an array of *room items of `size` bytes, if what was read allows that much memory.
 * `field` of the head says how many items there are. */
enum st_error st_objects_widen(struct st_objects *objects, void **items, size_t *room, size_t size,
                               const char *field, uint64_t value);

#endif
