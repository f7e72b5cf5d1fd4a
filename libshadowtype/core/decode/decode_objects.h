/*
 * What the pending operations, the handles and the communicators are read with (struct st_operations
 * of registry.h). They are read anew each time: what changes with every message is not worth keeping,
 * and root.changes does not tell of it.
 */
#ifndef ST_CORE_DECODE_DECODE_OBJECTS_H
#define ST_CORE_DECODE_DECODE_OBJECTS_H

#include "core/decode/decode_internal.h"

struct st_objects {
    struct st_memory memory; /* its own: the registry's keeps what was there at another call */
    struct st_operations head;
    struct st_fault *fault; /* for what ends all */
};

/* The registry has operations. Reads the head and checks it. st_objects_close() in any case. */
enum st_error st_objects_open(struct st_objects *objects, struct st_registry *registry,
                              struct st_fault *fault);
void st_objects_close(struct st_objects *objects);

enum st_error st_objects_read(struct st_objects *objects, const char *field, uint64_t address,
                              void *buffer, size_t length, struct st_fault *fault);

/* name: ST_FUNCTION_BYTES; not touched where the function is not known. */
enum st_error st_objects_function(struct st_objects *objects, uint16_t function, char *name,
                                  struct st_fault *fault);

/* A directory of chunks of items, each of which begins with its serial. */
struct st_item_array {
    const char *field, *items; /* "record_chunks", "records" */
    uint64_t directory;
    uint32_t per_chunk, used;
    size_t size; /* of an item */
};

/* Returns an error to end the walk, in objects->fault. */
typedef enum st_error st_visit_item(struct st_objects *objects, uint32_t number, const void *item,
                                    void *context, struct st_damage *damage);
/* Calls `visit` for all items of a sort. */
typedef enum st_error st_visit_items(struct st_objects *objects, st_visit_item *visit,
                                     void *context, struct st_damage *damage);

/* Those that count. What cannot be read is left out: a chunk that is not there holds as many as nobody
 * knows. */
enum st_error st_objects_visit(struct st_objects *objects, const struct st_item_array *array,
                               st_visit_item *visit, void *context, struct st_damage *damage);
enum st_error st_objects_visit_records(struct st_objects *objects, st_visit_item *visit,
                                       void *context, struct st_damage *damage);

/* Opens the objects, calls items(visit, context) and closes them; nothing, if the registry has no operations.
 * damage  NULL: not asked for. It begins with none
 * fault   NULL: not asked for */
enum st_error st_objects_gather(struct st_registry *registry, st_visit_items *items,
                                st_visit_item *visit, void *context, struct st_damage *damage,
                                struct st_fault *fault);

/* Doubles an array of *room items of `size` bytes, as far as what was read pays for it. `field` of the
 * head says how many there are. */
enum st_error st_objects_widen(struct st_objects *objects, void **items, size_t *room, size_t size,
                               const char *field, uint64_t value);

#endif
