/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether a process had a processor since the previous look, waited for one, or was
 * stopped. Reading that from /proc takes longer than reading the rank's calls, so as little as
 * possible is read.
 *
 *     struct processor processor = {0};
 *     ... once a second: if (!processor_look(&processor, pid)) { ... it has ended ... } ...
 */
#ifndef MPIPP_WATCH_PROCESSOR_H
#define MPIPP_WATCH_PROCESSOR_H

#include <stdbool.h>
#include <sys/types.h>

struct processor {
    bool is_stopped; /* by a signal or a debugger */
    bool is_starved; /* it wants a processor, and had none since the previous look */
    char letter;     /* its state as in ps; 'R' also if its main thread had a processor since the
                          previous look */
    unsigned long long used; /* clock ticks of all threads; only where there is no schedstat */
    unsigned long long ran;  /* nanoseconds in which its main thread had a processor; 0: the kernel
                                  does not say */
    unsigned long long wanted; /* the same, and those in which it waited for one */
};

/* Returns false if the process has ended. */
bool processor_look(struct processor *processor, pid_t pid);

/* Returns true if since THEN the process has had a processor for long enough to see what has come, or does
 * not want one. THEN is what processor_time() gave. */
bool processor_had_time(pid_t pid, unsigned long long then);

/* Returns the time for which the process has had a processor, to be compared by processor_had_time(). */
unsigned long long processor_time(pid_t pid);

/* Reads `is_stopped` anew: processor_look() does not, if the process ran since the previous look.
 * Returns false if the process has ended. */
bool processor_check(struct processor *processor, pid_t pid);

#endif
