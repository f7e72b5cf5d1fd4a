/*
 * What mpipp tells the user: one sentence on the error stream, "mpipp: fault first", lower case,
 * names in quotes, no full stop.
 */
#ifndef MPIPP_SAY_H
#define MPIPP_SAY_H

/* Exit statuses as a shell has them, so that scripts can tell our failures from the program's. */
enum {
    STATUS_USAGE = 2,
    STATUS_CANNOT_RUN = 126,
    STATUS_NOT_FOUND = 127,
};

/* TEXT as it may be shown (libshadowtype/report/visible.h), in one line and in new memory. Returns
 * NULL if memory ends. */
char *try_visible(const char *text);

void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

_Noreturn void fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
