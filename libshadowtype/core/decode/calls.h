/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that a rank's threads are in (registry.h, struct st_thread), read by the decoder.
 *
 *     uint64_t address = st_registry_root(registry)->threads;
 *     for (uint32_t number = 0; address;)
 *         if (st_registry_thread(registry, &address, &number, &thread, &fault)) { ... fault ... }
 *     st_registry_form(registry, thread.calls[0].form, &form, &fault): the meaning of its values
 *
 * It is not trusted, like everything that the decoder reads: see decode.h.
 */
#ifndef ST_CORE_DECODE_CALLS_H
#define ST_CORE_DECODE_CALLS_H

#include "core/decode/decode.h"

/* Reads a thread, as it is now.
 * *address  in: root.threads for the first thread; out: the address of the next one, 0 after the
 * last
 * *number   0 for the first thread; the caller must not change it between the calls */
enum st_error st_registry_thread(struct st_registry *registry, uint64_t *address, uint32_t *number,
                                 struct st_thread *thread, struct st_fault *fault);

/* Reads what the rank shows a watch from outside; *calls is the number of checked calls. Both are 0
 * if MPI_Init has not returned. */
enum st_error st_registry_progress(struct st_registry *registry, struct st_progress *progress,
                                   uint64_t *calls, struct st_fault *fault);

/* The longest line of root.forms, in bytes, without its line end. */
enum { ST_MOST_FORM = 2047 };

struct st_form_parameter {
    const char *role; /* the word in calls.table; "-": none */
    const char *type; /* "const void *" */
    const char *name;
};

/* A line of root.forms. Do not copy this struct: its pointers are into its own `text`. */
struct st_call_form {
    const char *function; /* "MPI_Recv" */
    struct st_form_parameter parameters[ST_CALL_VALUES];
    size_t count;
    char text[ST_MOST_FORM + 1];
};

/* Reads the line at offset `offset`, as a call gives it. */
enum st_error st_registry_form(struct st_registry *registry, uint64_t offset,
                               struct st_call_form *form, struct st_fault *fault);

/* Finds the line of a function; *offset is UINT64_MAX if there is none. */
enum st_error st_registry_form_of(struct st_registry *registry, const char *function,
                                  uint64_t *offset, struct st_fault *fault);

/* Reads the names of MPI's constants. The caller must free() *out, of *count; both texts of each
 * are terminated. There are none before MPI is initialized. */
enum st_error st_registry_names(struct st_registry *registry, struct st_name **out, size_t *count,
                                struct st_fault *fault);

#endif
