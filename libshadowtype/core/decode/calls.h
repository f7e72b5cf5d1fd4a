/*
 * The calls that a rank's threads are in (registry.h, struct st_thread), read through the decoder.
 *
 *     uint64_t address = st_registry_root(registry)->threads;
 *     for (uint32_t number = 0; address;)
 *         if (st_registry_thread(registry, &address, &number, &thread, &fault)) { ... fault ... }
 *     st_registry_form(registry, thread.calls[0].form, &form, &fault): what its values are
 *
 * Like everything that the decoder reads, it is not trusted: see decode.h.
 */
#ifndef ST_CORE_DECODE_CALLS_H
#define ST_CORE_DECODE_CALLS_H

#include "core/decode/decode.h"

/* A thread, as it is now. *address: where it lies, root.threads for the first; then that of the next one,
 * 0 after the last. *number: 0 for the first, and not touched between. */
enum st_error st_registry_thread(struct st_registry *registry, uint64_t *address, uint32_t *number,
                                 struct st_thread *thread, struct st_fault *fault);

/* What the rank tells a watch from outside; *calls: how many calls were checked. Both are 0 where MPI_Init
 * has not returned. */
enum st_error st_registry_progress(struct st_registry *registry, struct st_progress *progress,
                                   uint64_t *calls, struct st_fault *fault);

/* The longest line of root.forms, in bytes, without its end. */
enum { ST_MOST_FORM = 2047 };

struct st_form_parameter {
    const char *role; /* calls.table's word; "-": none */
    const char *type; /* "const void *" */
    const char *name;
};

/* A line of root.forms. The texts lie in `text`: no copy may be made of it. */
struct st_call_form {
    const char *function; /* "MPI_Recv" */
    struct st_form_parameter parameters[ST_CALL_VALUES];
    size_t count;
    char text[ST_MOST_FORM + 1];
};

/* The line that begins at `offset`, as a call has it. */
enum st_error st_registry_form(struct st_registry *registry, uint64_t offset,
                               struct st_call_form *form, struct st_fault *fault);

/* Where the line of a function begins; *offset UINT64_MAX: there is none. */
enum st_error st_registry_form_of(struct st_registry *registry, const char *function,
                                  uint64_t *offset, struct st_fault *fault);

/* What MPI's constants are called. *names (of *count) is the caller's to free(); both texts of each
 * are ended. None, as long as MPI is not initialized. */
enum st_error st_registry_names(struct st_registry *registry, struct st_name **out, size_t *count,
                                struct st_fault *fault);

#endif
