/*
 * What a background job prints, passed on: so that its launcher's last words can be left out when
 * the user has ended it. Never blocks on a terminal that is stopped.
 */
#ifndef MPIPP_RELAY_H
#define MPIPP_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct relay {
    int from; /* the reading end of a pipe; -1 at its end */
    int to;
    bool quiet; /* read, and forget */
    size_t length;
    char bytes[4096]; /* at most PIPE_BUF: a pipe that is ready takes all of it */
};

/* Makes the pipe and returns its writing end; -1 if there is none to be had. */
int relay_open(struct relay *relay, int to);

/* Fills in what to poll for. */
void relay_poll(const struct relay *relay, struct pollfd *poll);

/* Passes on what the poll has found. */
void relay_serve(struct relay *relay, const struct pollfd *poll);

#endif
