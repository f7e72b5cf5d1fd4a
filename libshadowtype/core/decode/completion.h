/*
 * Whether MPI itself has completed a request, as far as its own memory shows it without a call.
 *
 *     struct st_completion_record where;
 *     if (st_completion_learn(registry, &where, &fault)) { ... fault ... }
 *     st_completion_of(registry, &where, &operation.record, &completion, &fault)
 *
 * A request that the program was not told of yet (ST_RECORD_ACTIVE) may have completed long ago.
 *   Open MPI  a request is a struct, in which the status is followed by a word that is 1 once it is
 *             complete. Where in the struct depends on the version and on how it was built: it is learnt
 *             from MPI_REQUEST_NULL, which is such a struct, always complete, with a status that is
 *             known. If it does not look so, nothing is known.
 *   MPICH     the requests lie where no symbol tells. Only a handle of the kind "built-in" says something:
 *             MPICH gives it to operations that were complete at once.
 *
 * MPI writes this memory while it runs: of a rank that runs it is an answer about the past, and a request
 * that is complete stays so until the program is told.
 */
#ifndef ST_CORE_DECODE_COMPLETION_H
#define ST_CORE_DECODE_COMPLETION_H

#include "core/decode/decode.h"

enum st_completion {
    ST_COMPLETION_UNKNOWN, /* nothing shows it */
    ST_INCOMPLETE,
    ST_COMPLETE
};

/* Where Open MPI writes that a request is complete; width 0: not known. */
struct st_completion_record {
    uint32_t offset; /* in the request, in bytes */
    uint32_t width;  /* in bytes */
};

/* Fills *where. That it cannot be learnt is no error: width is 0 then. */
enum st_error st_completion_learn(struct st_registry *registry, struct st_completion_record *where,
                                  struct st_fault *fault);

/* Fills *completion of a record of a request that is active. It is unknown for any other record, and where
 * memory cannot be read. Fails only if reading was interrupted. */
enum st_error st_completion_of(struct st_registry *registry,
                               const struct st_completion_record *where,
                               const struct st_record *record, enum st_completion *completion,
                               struct st_fault *fault);

#endif
