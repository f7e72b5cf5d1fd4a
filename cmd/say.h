/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp's messages to the user: one sentence on standard error, "mpipp: fault first", in lower
 * case, with names in quotes and without a full stop.
 */
#ifndef MPIPP_SAY_H
#define MPIPP_SAY_H

/* Exit statuses like those of a shell, so that scripts can distinguish our failures from the
 * program's. */
enum {
    STATUS_USAGE = 2,
    STATUS_CANNOT_RUN = 126,
    STATUS_NOT_FOUND = 127,
};

/* Returns TEXT with only characters that may be shown (libshadowtype/report/visible.h), in one line
 * and in new memory; NULL if there is no memory. */
char *try_visible(const char *text);

void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

_Noreturn void fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
