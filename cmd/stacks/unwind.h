/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stacks of one process, as addresses. The process is stopped while they are read, and then
 * goes on. Their places in the source are found later, from the files alone.
 */
#ifndef MPIPP_STACKS_UNWIND_H
#define MPIPP_STACKS_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "mpi_calls.h"

struct raw_frame {
    uint64_t pc;
    uint64_t offset;    /* address minus the module's load bias, in bytes */
    const char *module; /* path of the file; NULL: not known */
    const char *build;  /* its build id, in hex; NULL: it has none */
    bool is_return;     /* pc is a return address */
};

struct raw_thread {
    pid_t id;
    struct raw_frame *frames; /* the innermost first */
    size_t count;
    bool is_cut; /* the outermost frames could not be found */
};

struct raw_process {
    pid_t pid;
    const char *why;            /* a sentence that says what is missing; NULL: nothing is */
    const char *program;        /* path of the program; NULL: not known */
    struct raw_thread *threads; /* the first one is the process' first */
    size_t count;
    struct mpi_calls *calls; /* NULL: the process has no records of calls */
};

/* libdw must be loaded. Never waits for more than a few seconds, whatever the process does. */
struct raw_process *unwind(pid_t pid);

#endif
