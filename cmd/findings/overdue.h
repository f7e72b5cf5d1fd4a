/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A launcher that does not end, though its ranks have ended. (Open MPI's mpirun was seen to
 * deadlock in its own handler of SIGTERM.)
 *
 * It has SECONDS_TO_END from the moment when no process of the job is left on this host: after all
 * ranks have ended, or after a signal told mpipp to end. A second counts only if the launcher did
 * little in it, and did not wait for a processor; but it has SECONDS_AT_MOST. If ranks run on other
 * hosts, which cannot be seen, the time begins with a second signal.
 *
 * As long as a rank lives the launcher may be waiting for it to save data. So it and its ranks are
 * killed only if the launcher ignores the signal, and has thus not told them; or SECONDS_TO_END
 * after a second signal.
 *
 *     struct overdue overdue = {0};
 *     ... at each signal that ends: overdue_told(&overdue, number) ...
 *     ... again and again: if (overdue_is(&overdue, &findings, launcher, now)) kill(launcher, SIGKILL) ...
 */
#ifndef MPIPP_FINDINGS_OVERDUE_H
#define MPIPP_FINDINGS_OVERDUE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "merged.h"

enum { SECONDS_TO_END = 10, SECONDS_AT_MOST = 60 };
enum { MILLISECONDS_TO_LOOK_AGAIN = 1000, MILLISECONDS_BETWEEN = 1000 };

struct overdue {
    int signal;       /* the last signal that told mpipp to end; 0: none */
    unsigned signals; /* how many such signals came */
    int64_t first;    /* when the first one came, in the caller's milliseconds */
    int64_t second;   /* when another one came, at least MILLISECONDS_BETWEEN later; 0: none
                         ('timeout' sends a signal to mpipp, and at once to its group) */
    int64_t looked;   /* when the processes were last looked at, in the caller's milliseconds */
    int64_t since;    /* no process of the job was seen since then; 0: one was, or this has just
                      begun */
    int64_t counted; /* milliseconds of this time that count */
    unsigned long long worked; /* the launcher's processor_time() when it was last looked at */
};

void overdue_told(struct overdue *overdue, int signal, int64_t now);

/* Returns true if the launcher's time is over NOW. Looks at the processes once per
 * MILLISECONDS_TO_LOOK_AGAIN. */
bool overdue_is(struct overdue *overdue, const struct findings *findings, pid_t launcher,
                int64_t now);

/* Returns true if ranks live, and the launcher's time is over NOW all the same. To be called after overdue_is(). */
bool overdue_is_deaf(const struct overdue *overdue, pid_t launcher, int64_t now);

/* Kills the launcher, what it has started, and all ranks on this host. */
void overdue_kill(const struct findings *findings, pid_t launcher);

/* Returns the sentence for the user, in new memory. WITH_RANKS: ranks lived. */
char *overdue_sentence(const struct overdue *overdue, const struct findings *findings,
                       bool with_ranks);

#endif
