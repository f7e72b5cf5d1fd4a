/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The user's choice for jobs that hang: the options --timeout and --on-hang of 'mpipp run'.
 */
#ifndef MPIPP_WATCH_CHOICE_H
#define MPIPP_WATCH_CHOICE_H

#include <stdbool.h>

enum on_hang {
    ON_HANG_UNSAID, /* report; with --fail-on: end the job */
    ON_HANG_REPORT,
    ON_HANG_END,  /* end the job */
    ON_HANG_GDB,  /* run gdb on the ranks, in this terminal */
    ON_HANG_WAIT, /* leave the job as it is, and print a sentence that says how to look at it */
};

enum { TIMEOUT_SECONDS = 30 };

struct hang_choice {
    bool has_timeout;
    long timeout; /* seconds; 0: the job is not watched */
    enum on_hang on_hang;
};

/* If *WORDS begins with one of these options, takes it, moves *WORDS to the last word of the
 * option, and returns true. A wrong value ends mpipp. */
bool hang_choice_take(struct hang_choice *choice, char *const **words);

/* The action that follows a verdict. FAILS: --fail-on was given. */
enum on_hang hang_choice_follows(const struct hang_choice *choice, bool fails);

/* The timeout in seconds. */
long hang_choice_timeout(const struct hang_choice *choice);

#endif
