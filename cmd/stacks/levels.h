/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's stack from its user's point of view: functions with file and line, an MPI call in the
 * place of the frames inside MPI, and Python code in the place of its interpreter's frames.
 */
#ifndef MPIPP_STACKS_LEVELS_H
#define MPIPP_STACKS_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind.h"

struct level {
    const char *function; /* NULL: not known */
    const char *file;     /* the name in the debug information; NULL: not known */
    int line;
    const char *module; /* NULL: not known */
    uint64_t offset;    /* offset in the module, in bytes */
    bool is_mpi;        /* an MPI call: `function` is MPI's, `call` has its arguments */
    struct mpi_call call;
};

struct levels {
    struct level *list; /* the outermost first */
    size_t count;
};

/* whole: each frame becomes a level. */
struct levels levels_of(const struct raw_process *process, const struct raw_thread *thread,
                        bool whole);

/* Returns true if the thread belongs to the MPI library: its outermost frame is there. */
bool levels_are_helper(const struct raw_process *process, const struct raw_thread *thread);

#endif
