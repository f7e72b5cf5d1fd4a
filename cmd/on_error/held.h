/*
 * A rank that is held at an error, from the process that the rank has started beside it.
 *
 *     struct held held = {.pid = 1234, ...};
 *     held_open(&held);
 *     held_say(&held, "%s waits", held_name(&held));
 *     int status = held_watch(&held, held_start(&command, -1));
 *     held_go_on(&held);
 *
 * Standard input is the connection to the rank. What is started here ends with the rank, and with
 * this process: none of these functions returns when the rank is gone.
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
    pid_t thread; /* that has erred */
    pid_t parent; /* that the rank had when it began; 0: not known */
    long rank;    /* negative: not known */
    long number;  /* of the finding, in its rank */
    long times;   /* that the rank was held, with this one */

    /* Set by held_open: */
    pid_t launcher; /* that parent, without which a held rank is no use; 0: none is known */
    int pid_file, launcher_file; /* become readable at the end of the process; -1: not to be had */
    bool goes_on;                /* it is held no more */
    char host[256];
    struct st_sink sink;
};

void held_open(struct held *held);

/* A sentence for the user, through 'mpipp run' where there is one. */
void held_say(struct held *held, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "rank 3", or "process 1234". */
const char *held_name(const struct held *held);

/* What 'mpipp attach' takes, seen from the host of 'mpipp run': 1234, or node01:1234. */
const char *held_attach(const struct held *held);

void held_go_on(struct held *held);
/* The rank is to raise SIGSTOP, and goes on after it. */
void held_stop(struct held *held);

/* Runs a command with its output and errors to the file OUTPUT, or with ours where it is -1. Returns
 * its pid; 0 if it cannot be run; a sentence has been written. */
pid_t held_start(struct held *held, const struct words *command, int output);

/* Waits for the end of CHILD and returns its status as a shell has it; with CHILD 0, until the rank
 * goes on. */
int held_watch(struct held *held, pid_t child);

/* Ends what was started here, and this process. */
_Noreturn void held_leave(void);

#endif
