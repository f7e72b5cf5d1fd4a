/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether MPI itself has completed a request, from its memory, without calling MPI.
 *
 *     struct st_completion_record where;
 *     if (st_completion_learn(registry, &where, &fault)) { ... fault ... }
 *     st_completion_of(registry, &where, &operation.record, &completion, &fault)
 *
 * A request whose completion MPI has not reported to the program (ST_RECORD_ACTIVE) may have
 * completed long ago.
 *   Open MPI  A request is a struct. In it, the status is followed by a word that is 1 once the
 *   request is
 *             complete. Its offset depends on the version and the build. It is learnt from MPI_REQUEST_NULL,
 *             which is such a struct, always complete, with a known status. If that does not look as
 *             expected, nothing is known.
 *   MPICH     No symbol leads to the requests. Only a handle of the kind "built-in" says something:
 *             MPICH
 *             uses it for operations that were complete at once.
 *
 * MPI writes this memory while it runs: for a running rank the answer is about the past. A complete
 * request stays complete until the program learns of it.
 */
#ifndef ST_CORE_DECODE_COMPLETION_H
#define ST_CORE_DECODE_COMPLETION_H

#include "core/decode/decode.h"

enum st_completion {
    ST_COMPLETION_UNKNOWN, /* cannot be found out */
    ST_INCOMPLETE,
    ST_COMPLETE
};

/* Where Open MPI stores that a request is complete; width 0: not known. */
struct st_completion_record {
    uint32_t offset; /* offset in the request, in bytes */
    uint32_t width;  /* in bytes */
};

/* Fills *where. It is no error if the place cannot be found: width is then 0. */
enum st_error st_completion_learn(struct st_registry *registry, struct st_completion_record *where,
                                  struct st_fault *fault);

/* Fills *completion for an active request. The answer is "unknown" for any other record, and if
 * memory cannot be read. Fails only if reading was interrupted. */
enum st_error st_completion_of(struct st_registry *registry,
                               const struct st_completion_record *where,
                               const struct st_record *record, enum st_completion *completion,
                               struct st_fault *fault);

#endif
