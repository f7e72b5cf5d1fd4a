/*
 * What a user says on jobs that hang: --timeout and --on-hang of 'mpipp run'.
 */
#ifndef MPIPP_WATCH_CHOICE_H
#define MPIPP_WATCH_CHOICE_H

#include <stdbool.h>

enum on_hang {
    ON_HANG_UNSAID, /* report; under --fail-on: end */
    ON_HANG_REPORT,
    ON_HANG_END,  /* the job is ended */
    ON_HANG_GDB,  /* gdb on the ranks, in the terminal */
    ON_HANG_WAIT, /* the job is left as it is, and a sentence says how to look at it */
};

enum { TIMEOUT_SECONDS = 30 };

struct hang_choice {
    bool has_timeout;
    long timeout; /* seconds; 0: nothing is watched */
    enum on_hang on_hang;
};

/* If *WORDS begins with one of these options, takes it, moves *WORDS to its last word and returns true. A
 * wrong value ends mpipp. */
bool hang_choice_take(struct hang_choice *choice, char *const **words);

/* What follows a verdict; FAILS: --fail-on was given. */
enum on_hang hang_choice_follows(const struct hang_choice *choice, bool fails);

/* Seconds. */
long hang_choice_timeout(const struct hang_choice *choice);

#endif
