/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks the process that 'mpipp gdb' leaves beside gdb for the text of a finding. It knows source lines,
 * which the rank does not (cmd/findings/answer.h is the other side).
 *
 *     size_t size = st_asked_text(secure_getenv("MPIPP_LINES"), line, length, colour, text, sizeof text);
 *     if (!size) { ... the rank writes its own text ... }
 *
 * The question is a byte, '1' for a text in colour or '0', and the finding's line of JSON. The answer is
 * the text. Both end with the end of the stream. The socket is local, in the abstract name space.
 */
#ifndef ST_REPORT_ASKED_H
#define ST_REPORT_ASKED_H

#include <stdbool.h>
#include <stddef.h>

/* Stores the text of a finding and returns its length in bytes. Returns 0 if there is no such process
 * (WHERE may be NULL), if it is another user's, or if it does not answer within some seconds: the next time it then
 * has a third of a second. One thread at a time. */
size_t st_asked_text(const char *where, const char *line, size_t length, bool colour, char *text,
                     size_t room);

#endif
