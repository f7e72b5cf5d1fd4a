/*
 * From an address in a module to file, line and function, by elfutils' libdw, which is loaded when
 * the first address is asked for. Without it, and without debug information, a place is a symbol
 * or an offset in its module.
 */
#ifndef MPIPP_FINDINGS_LINES_H
#define MPIPP_FINDINGS_LINES_H

#include <stddef.h>

#include "report/report.h"

/* A place in the source, beside the frame of the same index. */
struct place {
    const char *file; /* as in the debug information; NULL: not known */
    int line;
    const char *function; /* or the nearest symbol; NULL: not known */
    const char *module;   /* NULL: not known */
};

struct stack_writer {
    struct st_frame *frames;
    struct place *places;
    size_t count;
};

/* Adds FRAME, resolved: the innermost of the functions inlined there first. FRAME's texts are
 * kept, and CALL.
 *
 * call  the MPI function that the frame calls, "MPI_Recv"; the start of its name, up to a '_'; NULL
 *       if it calls none, or it is not known which
 */
void lines_resolve(const struct st_frame *frame, const char *call, struct stack_writer *writer);

#endif
