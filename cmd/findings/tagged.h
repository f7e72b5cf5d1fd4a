/*
 * Takes the records that ranks on other hosts send out of the stream of their standard error.
 *
 *     struct tagged tagged = {.line = take_record, .context = &findings};
 *     length = tagged_filter(&tagged, bytes, length, out);   // what is the program's own
 *
 * A piece is "@mpipp:KEY:LINE:PIECE+payload" or, the last one of its record, "...PIECE.payload",
 * up to the line's end (libshadowtype/report/sink.h); a launcher may have put words before it, and
 * the bytes may come in any portions. What is no piece passes through, byte for byte.
 */
#ifndef MPIPP_FINDINGS_TAGGED_H
#define MPIPP_FINDINGS_TAGGED_H

#include <stddef.h>

struct unfinished;

struct tagged {
    void (*line)(void *context, const char *key, const char *line, size_t length);
    void *context;
    char nonce[16]; /* the last word of each key of this run; empty: any key will do */
    size_t lost;    /* records of which a piece is missing */
    /* private */
    char held[1024]; /* the beginning of what may become a piece */
    size_t held_length;
    struct unfinished *unfinished;
    size_t unfinished_count;
};

/* OUT has room for LENGTH + sizeof tagged->held bytes. Returns how many it has now. */
size_t tagged_filter(struct tagged *tagged, const char *bytes, size_t length, char *out);

/* At the end of the stream: what is held back, as above. */
size_t tagged_finish(struct tagged *tagged, char *out);

#endif
