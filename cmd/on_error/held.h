/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that is held at an error, seen from the process that the rank has started beside it.
 *
 *     struct held held = {.pid = 1234, ...};
 *     held_open(&held);
 *     held_say(&held, "%s waits", held_name(&held));
 *     int status = held_watch(&held, held_start(&command, -1));
 *     held_go_on(&held);
 *
 * Standard input is the connection to the rank. All processes that are started here end with the
 * rank, and with this process. None of these functions returns when the rank is gone.
 */
#ifndef MPIPP_ON_ERROR_HELD_H
#define MPIPP_ON_ERROR_HELD_H

#include <stdbool.h>
#include <sys/types.h>

#include "report/on_error.h"
#include "report/sink.h"
#include "../words.h"

struct held {
    enum st_on_error what;
    pid_t pid;
    pid_t thread; /* the thread with the error */
    pid_t parent; /* the rank's parent when it began; 0: not known */
    long rank;    /* negative: not known */
    long number;  /* of the finding, in its rank */
    long times;   /* how often the rank was held, this time included */

    /* Set by held_open: */
    pid_t launcher;              /* that parent; without it a held rank is useless; 0: not known */
    int pid_file, launcher_file; /* become readable at the end of the process; -1: not available */
    bool goes_on;                /* it is not held any more */
    char host[256];
    struct st_sink sink;
};

void held_open(struct held *held);

/* Writes a sentence for the user, through 'mpipp run' if there is one. */
void held_say(struct held *held, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns "rank 3", or "process 1234". */
const char *held_name(const struct held *held);

/* Returns the argument for 'mpipp attach' on the host of 'mpipp run': 1234, or node01:1234. */
const char *held_attach(const struct held *held);

void held_go_on(struct held *held);
/* Tells the rank to raise SIGSTOP; after that it goes on. */
void held_stop(struct held *held);

/* Runs a command with its output and errors to the file OUTPUT; -1: to ours. Returns its pid; 0 if
 * it cannot be run, which has been reported. */
pid_t held_start(struct held *held, const struct words *command, int output);

/* Waits for the end of CHILD and returns its status like a shell; with CHILD 0, waits until the
 * rank goes on. */
int held_watch(struct held *held, pid_t child);

/* Ends all processes that were started here, and this process. */
_Noreturn void held_leave(void);

#endif
