/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The way of a rank's records to the process that gathers them.
 *
 *     struct st_sink sink;
 *     st_sink_open(&sink, getenv("MPIPP_REPORTS"), host);   // "node01:/tmp/mpipp-x7Qp2z"
 *     st_sink_line(&sink, line, length);
 *
 * On the host that MPIPP_REPORTS names, each line is one write(2) at the end of the process' own
 * file in that folder. On other hosts, and from the moment on that the file cannot be written,
 * lines go to standard error in tagged pieces of at most ST_SINK_PIECE bytes, each one write(2).
 * 'mpipp run' takes them out of the launcher's output:
 *
 *     @mpipp:KEY:LINE:PIECE+payload      more pieces follow
 *     @mpipp:KEY:LINE:PIECE.payload      the last piece of this line
 *
 * KEY identifies the process and the run ("1234-9f3a22c1-0be14d77"); the file is KEY.jsonl. Its
 * last word is computed from MPIPP_REPORTS (st_sink_nonce), so that similar lines that the program
 * writes, or copies from another run, are not taken for records. LINE and PIECE count from 0.
 * Without MPIPP_REPORTS the sink is ST_SINK_NONE: the rank writes text itself (st_sink_text).
 *
 * No descriptor is open between two lines, so that a program may close or reuse descriptors as it
 * likes. A broken pipe or a file size limit raises no signal. errno does not change. In a child
 * after fork() the sink becomes the child's own at its first line. Several threads may write lines.
 */
#ifndef ST_REPORT_SINK_H
#define ST_REPORT_SINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ST_SINK_PIECE = 512, ST_SINK_PATH = 1024, ST_SINK_KEY = 40, ST_SINK_NONCE = 9 };

enum st_sink_way { ST_SINK_NONE, ST_SINK_FILE, ST_SINK_TAGGED };

struct st_sink {
    _Atomic int way;
    int64_t process; /* of the process that owns the sink */
    _Atomic uint32_t lines;
    char folder[ST_SINK_PATH];
    char key[ST_SINK_KEY];
    char nonce[ST_SINK_NONCE]; /* empty if there is none */
};

/* Computes the last word of the keys of the run whose MPIPP_REPORTS is WHERE. */
void st_sink_nonce(const char *where, char nonce[ST_SINK_NONCE]);

/* Opens a sink. WHERE is the value of MPIPP_REPORTS (may be NULL or empty), HOST the name of this
 * host. */
void st_sink_open(struct st_sink *sink, const char *where, const char *host);

/* Opens a sink that writes only pieces on standard error. */
void st_sink_open_tagged(struct st_sink *sink);

/* Writes one line, given without its end. Returns false if it could not be written anywhere. */
bool st_sink_line(struct st_sink *sink, const char *line, size_t length);

/* Writes text on standard error: all of it, without raising a signal. */
bool st_sink_text(const char *text, size_t length);

#endif
