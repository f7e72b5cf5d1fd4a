/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last collective calls that a rank has begun, in the form in which it publishes them for the
 * other ranks (segment.h): read by the decoder, from a live rank or a core file.
 *
 *     struct st_call_log log;
 *     if (st_call_log_read(registry, &log, &fault)) { ... fault ... }
 *     if (!log.is_there) { ... the rank's calls are not compared ... }
 *     for (size_t i = 0; i < log.count; i++) { ... log.calls[i].function, .call.number ... }
 *     st_call_log_free(&log);
 *
 * It is not trusted, like everything that the decoder reads: see decode.h. A call that is being
 * written is left out.
 */
#ifndef ST_CORE_AGREE_LOG_H
#define ST_CORE_AGREE_LOG_H

#include "core/agree/segment.h"
#include "core/decode/decode.h"

struct st_logged_call {
    struct st_collective call;
    char function[ST_FUNCTION_BYTES]; /* "MPI_Bcast" */
};

struct st_call_log {
    bool is_there;
    uint64_t job, area;           /* as in struct st_shared_area */
    struct st_logged_call *calls; /* grouped by communicator, in its order */
    size_t count;
    struct st_call_name *elements, *operations; /* the meaning of the hashes in a call */
    size_t element_count, operation_count;
};

enum st_error st_call_log_read(struct st_registry *registry, struct st_call_log *log,
                               struct st_fault *fault);
void st_call_log_free(struct st_call_log *log);

/* Returns `comm` of a call for a communicator with this id (struct st_comm). */
uint64_t st_call_log_comm(const struct st_call_log *log, uint64_t id);

/* Writes "MPI_Bcast(data=8 x MPI_DOUBLE, root=0)", as in reports. */
enum { ST_CALL_TEXT = 256 };
void st_call_log_text(const struct st_call_log *log, const struct st_logged_call *call,
                      char bytes[ST_CALL_TEXT]);

/* Writes "8 x MPI_DOUBLE". If all elements are the same (is_uniform), `hash` is that of one. */
void st_call_log_data(const struct st_call_log *log, uint64_t hash, int64_t length, bool is_uniform,
                      char bytes[ST_CALL_TEXT]);

/* Reads a call site of a rank's area, by its offset there, in the form of st_registry_site(): at
 * most `most` frames; none if not known. */
enum st_error st_shared_place_read(struct st_registry *registry, uint64_t area, uint64_t place,
                                   uint64_t *frames, size_t most, size_t *count,
                                   struct st_fault *fault);
/* Does the same for the call site of a call. */
enum st_error st_call_log_site(struct st_registry *registry, const struct st_call_log *log,
                               const struct st_logged_call *call, uint64_t *frames, size_t most,
                               size_t *count, struct st_fault *fault);

#endif
