/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that is stopped for inspection: all of its threads, by ptrace.
 *
 *     struct frozen frozen = {.pid = 4711};
 *     const char *why = freeze(&frozen);     // NULL: it is stopped
 *     ... the thread that called freeze() may use ptrace on frozen.threads ...
 *     thaw(&frozen);
 *
 * The kernel also lets the process go on when the thread that called freeze() ends, for whatever
 * reason. A process that a signal had stopped before stays stopped.
 */
#ifndef MPIPP_STACKS_FROZEN_H
#define MPIPP_STACKS_FROZEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct frozen_thread {
    pid_t id;
    bool is_stopped;
    int signal; /* about to be delivered; 0: none */
};

struct frozen {
    pid_t pid;
    struct frozen_thread *threads;
    size_t count;
    bool was_stopped; /* a signal had stopped it before */
};

/* Returns NULL, or a sentence that says why the process cannot be stopped. Some threads may not be
 * stopped: those that have ended, or do not leave the kernel. */
const char *freeze(struct frozen *frozen);

void thaw(struct frozen *frozen);

#endif
