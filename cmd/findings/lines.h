/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds file, line and function of an address in a module. It uses elfutils' libdw, which is loaded
 * with the first address. Without libdw, or without debug information, a place is a symbol or an
 * offset in its module.
 */
#ifndef MPIPP_FINDINGS_LINES_H
#define MPIPP_FINDINGS_LINES_H

#include <stddef.h>

#include "report/report.h"

/* A place in the source, for the frame of the same index. */
struct place {
    const char *file; /* the name in the debug information; NULL: not known */
    int line;
    const char *function; /* or the nearest symbol; NULL: not known */
    const char *module;   /* NULL: not known */
};

struct stack_writer {
    struct st_frame *frames;
    struct place *places;
    size_t count;
};

/* Resolves FRAME and adds the result: the innermost of the inlined functions first. Keeps FRAME's
 * `text`, if it has one; without libdw, its symbol and module.
 *
 * call  the MPI function that the frame calls, "MPI_Recv", or the start of its name, up to a '_';
 * NULL if it calls none, or if it is not known which */
void lines_resolve(const struct st_frame *frame, const char *call, struct stack_writer *writer);

/* Forgets all that was read if one of the modules is another file now: the program was built again. */
void lines_forget_changed(void);

#endif
