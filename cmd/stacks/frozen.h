/*
 * A process that is stopped for a look: all of its threads, by ptrace.
 *
 *     struct frozen frozen = {.pid = 4711};
 *     const char *why = freeze(&frozen);     // NULL: it is stopped
 *     ... the thread that called freeze() may use ptrace on frozen.threads ...
 *     thaw(&frozen);
 *
 * The process goes on as well when the thread that called freeze() ends, however that comes about: the
 * kernel sees to it. A process that a signal had stopped before stays stopped.
 */
#ifndef MPIPP_STACKS_FROZEN_H
#define MPIPP_STACKS_FROZEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct frozen_thread {
    pid_t id;
    bool is_stopped;
    int signal; /* that was about to be delivered; 0: none */
};

struct frozen {
    pid_t pid;
    struct frozen_thread *threads;
    size_t count;
    bool was_stopped; /* by a signal, before */
};

/* NULL, or a sentence that says why the process cannot be stopped. It may be that some threads are
 * not stopped: those that have ended, or do not come out of the kernel. */
const char *freeze(struct frozen *frozen);

void thaw(struct frozen *frozen);

#endif
