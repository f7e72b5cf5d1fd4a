/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passes on the output of a background job, so that the launcher's last messages can be left out if
 * the user has ended the job. Never blocks on a stopped terminal.
 */
#ifndef MPIPP_RELAY_H
#define MPIPP_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct relay {
    int from; /* the reading end of a pipe; -1 at its end */
    int to;
    bool quiet; /* output is read, but not passed on */
    size_t length;
    char bytes[4096]; /* at most PIPE_BUF: a pipe that is ready accepts all of it */
};

/* Makes the pipe and returns its writing end; -1 if that fails. */
int relay_open(struct relay *relay, int to);

/* Fills in what to poll for. */
void relay_poll(const struct relay *relay, struct pollfd *poll);

/* Passes on what is ready according to the poll. */
void relay_serve(struct relay *relay, const struct pollfd *poll);

#endif
