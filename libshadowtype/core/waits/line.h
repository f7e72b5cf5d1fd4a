/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes a call in one line, for `mpi ranks', `mpipp ranks' and reports of hangs:
 *
 *     MPI_Recv from 1, tag 7, MPI_COMM_WORLD
 *     MPI_Barrier #12 of rows
 *     MPI_Waitall: MPI_Irecv from any rank, tag 8, rows, and 2 more
 *
 * The names of communicators come unchanged from the program. They may contain control characters:
 * replace these (report/visible.h) before a line is written to a terminal.
 */
#ifndef ST_CORE_WAITS_LINE_H
#define ST_CORE_WAITS_LINE_H

#include "core/decode/calls.h"
#include "core/decode/decode.h"

/* The size of a description in bytes, with its terminating null. A longer one ends in "...". */
enum { ST_LINE = 256 };

/* Describes a call of a function with these ST_CALL_VALUES values. If the call waits for requests,
 * the text names those that are not complete, as far as this is known (core/decode/completion.h).
 * The text leaves out what cannot be read from the rank. Only an interruption and a lack of memory
 * are errors.
 * has_begun: the rank is in the call, so that the number of a collective call on its communicator
 * is known. */
enum st_error st_line_of_call(struct st_registry *registry, const struct st_call_form *form,
                              const uint64_t *values, bool has_begun, char text[ST_LINE],
                              struct st_fault *fault);

/* Describes a pending operation: "MPI_Irecv from 1, tag 7, MPI_COMM_WORLD". */
enum st_error st_line_of_operation(struct st_registry *registry,
                                   const struct st_operation *operation, char text[ST_LINE],
                                   struct st_fault *fault);

#endif
