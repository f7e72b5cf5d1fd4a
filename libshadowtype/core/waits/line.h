/*
 * A call in one line, as `mpi ranks', `mpipp ranks' and reports of hangs have it:
 *
 *     MPI_Recv from 1, tag 7, MPI_COMM_WORLD
 *     MPI_Barrier #12 of rows
 *     MPI_Waitall: MPI_Irecv from any rank, tag 8, rows, and 2 more
 *
 * The texts of the rank's, the names of its communicators, are as the program gave them: whoever writes a line
 * to a terminal makes it visible first (report/visible.h).
 */
#ifndef ST_CORE_WAITS_LINE_H
#define ST_CORE_WAITS_LINE_H

#include "core/decode/calls.h"
#include "core/decode/decode.h"

/* Bytes of a description with its end; what is longer ends in "...". */
enum { ST_LINE = 256 };

/* The call of a function with these values (ST_CALL_VALUES of them). Of one that waits for requests those that
 * are not complete are named, as far as that is known (core/decode/completion.h). What cannot be read of the rank
 * is left out; only an interruption and a lack of memory are errors. has_begun: the rank is in the call, so that the
 * number of a collective one, in the order of its communicator, is known. */
enum st_error st_line_of_call(struct st_registry *registry, const struct st_call_form *form,
                              const uint64_t *values, bool has_begun, char text[ST_LINE],
                              struct st_fault *fault);

/* An operation that is pending: "MPI_Irecv from 1, tag 7, MPI_COMM_WORLD". */
enum st_error st_line_of_operation(struct st_registry *registry,
                                   const struct st_operation *operation, char text[ST_LINE],
                                   struct st_fault *fault);

#endif
