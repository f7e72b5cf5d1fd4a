/*
 * The way of a rank's records to whoever gathers them.
 *
 *     struct st_sink sink;
 *     st_sink_open(&sink, getenv("MPIPP_REPORTS"), host);   // "node01:/tmp/mpipp-x7Qp2z"
 *     st_sink_line(&sink, line, length);
 *
 * On the host that MPIPP_REPORTS names, each line is one write(2) at the end of the process' own
 * file in that folder. On another host, and from the moment on that the file cannot be written, it
 * goes to standard error in tagged pieces of at most ST_SINK_PIECE bytes, each one write(2), which
 * 'mpipp run' takes out of what the launcher passes on:
 *
 *     @mpipp:KEY:LINE:PIECE+payload      more follow
 *     @mpipp:KEY:LINE:PIECE.payload      the last one of this line
 *
 * KEY names the process and the run ("1234-9f3a22c1-0be14d77"), as its file's name KEY.jsonl does: its
 * last word is made of MPIPP_REPORTS (st_sink_nonce), so that lines that the program writes itself, or
 * copies from another run, are no records. LINE and PIECE count
 * from 0 on. With no MPIPP_REPORTS the sink is ST_SINK_NONE: the rank writes text itself
 * (st_sink_text).
 *
 * Nothing is held open between two lines, so that a program may close or reuse descriptors as it
 * likes; a broken pipe or a file size limit raises no signal; errno stays. In a child after fork()
 * the sink becomes the child's own at its first line. Lines may come from several threads.
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
    int64_t process; /* whose sink it is */
    _Atomic uint32_t lines;
    char folder[ST_SINK_PATH];
    char key[ST_SINK_KEY];
    char nonce[ST_SINK_NONCE]; /* empty: none */
};

/* The last word of each key of the run whose MPIPP_REPORTS is WHERE. */
void st_sink_nonce(const char *where, char nonce[ST_SINK_NONCE]);

/* WHERE as MPIPP_REPORTS has it (may be NULL or empty), HOST this host's name. */
void st_sink_open(struct st_sink *sink, const char *where, const char *host);

/* The same with no file tried: pieces on standard error. */
void st_sink_open_tagged(struct st_sink *sink);

/* Passes on one line, given without its end. False: nobody took it. */
bool st_sink_line(struct st_sink *sink, const char *line, size_t length);

/* Writes text on standard error: whole, with no signal raised. */
bool st_sink_text(const char *text, size_t length);

#endif
