/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Removes the records that ranks on other hosts send from the stream of their standard error.
 *
 *     struct tagged tagged = {.line = take_record, .context = &findings};
 *     length = tagged_filter(&tagged, bytes, length, out);   // the program's own output
 *
 * A piece is "@mpipp:KEY:LINE:PIECE+payload" or, if it is the last one of its record,
 * "...PIECE.payload", up to the line end (libshadowtype/report/sink.h). A launcher may put words
 * before it, and the bytes may come in any portions. Other bytes are passed on unchanged.
 */
#ifndef MPIPP_FINDINGS_TAGGED_H
#define MPIPP_FINDINGS_TAGGED_H

#include <stddef.h>

struct unfinished;

struct tagged {
    void (*line)(void *context, const char *key, const char *line, size_t length);
    void *context;
    char nonce[16]; /* the last word of each key of this run; empty: any key is accepted */
    size_t lost;    /* number of records of which a piece is missing */
    /* private */
    char held[1024]; /* the beginning of a possible piece */
    size_t held_length;
    struct unfinished *unfinished;
    size_t unfinished_count;
};

/* Writes the program's own bytes to OUT, which has room for LENGTH + sizeof tagged->held bytes.
 * Returns how many. */
size_t tagged_filter(struct tagged *tagged, const char *bytes, size_t length, char *out);

/* To be called at the end of the stream: writes the bytes that are held back. */
size_t tagged_finish(struct tagged *tagged, char *out);

#endif
