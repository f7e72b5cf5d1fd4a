/*
 * A launcher that does not end, though its ranks have ended. Open MPI's mpirun was seen to lock itself
 * in its own handler of SIGTERM.
 *
 * It has SECONDS_TO_END from the moment when no process of the job is left on this host: after all ranks
 * have ended, or after mpipp was told to end by a signal. As long as a rank lives, it may have
 * something to save, and nothing is done. Where ranks run on other hosts, which cannot be seen, a
 * second signal begins the seconds.
 *
 *     struct overdue overdue = {0};
 *     ... at each signal that ends: overdue_told(&overdue, number) ...
 *     ... again and again: if (overdue_is(&overdue, &findings)) kill(launcher, SIGKILL) ...
 */
#ifndef MPIPP_FINDINGS_OVERDUE_H
#define MPIPP_FINDINGS_OVERDUE_H

#include <stdbool.h>
#include <stdint.h>

#include "merged.h"

enum { SECONDS_TO_END = 10, MILLISECONDS_TO_LOOK_AGAIN = 1000 };

struct overdue {
    int signal;       /* the last one that told mpipp to end; 0: none */
    unsigned signals; /* that did */
    int64_t looked; /* milliseconds, as the caller counts them: when the processes were looked at */
    int64_t since; /* since then no process of the job was seen; 0: one was, or it has just begun */
};

void overdue_told(struct overdue *overdue, int signal);

/* Whether the launcher has had its time, NOW. Looks at the processes once in
 * MILLISECONDS_TO_LOOK_AGAIN. */
bool overdue_is(struct overdue *overdue, const struct findings *findings, int64_t now);

/* The sentence for the user, in new memory. */
char *overdue_sentence(const struct overdue *overdue);

#endif
