/*
 * A thread's stack as its user thinks of it: functions with file and line, an MPI call in place of the
 * frames inside MPI, Python in place of its interpreter's.
 */
#ifndef MPIPP_STACKS_LEVELS_H
#define MPIPP_STACKS_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind.h"

struct level {
    const char *function; /* NULL: not known */
    const char *file;     /* as in the debug information; NULL: not known */
    int line;
    const char *module; /* NULL: not known */
    uint64_t offset;    /* in the module, in bytes */
    bool is_mpi;        /* an MPI call: `function` is MPI's, `call` what else is known of it */
    struct mpi_call call;
};

struct levels {
    struct level *list; /* the outermost first */
    size_t count;
};

/* whole: each frame is a level. */
struct levels levels_of(const struct raw_process *process, const struct raw_thread *thread,
                        bool whole);

/* Whether a thread is the MPI library's own: it begins there. */
bool levels_are_helper(const struct raw_process *process, const struct raw_thread *thread);

#endif
