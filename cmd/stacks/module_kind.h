/*
 * Whose code a file in a process' memory is, by its name.
 */
#ifndef MPIPP_STACKS_MODULE_KIND_H
#define MPIPP_STACKS_MODULE_KIND_H

#include <stdbool.h>

enum module_kind {
    MODULE_OTHER,     /* the program's, as far as one can know */
    MODULE_SYSTEM,    /* the C library */
    MODULE_MPI,       /* the MPI library, and what is preloaded around it */
    MODULE_TRANSPORT, /* what MPI libraries send by, and their helpers */
    MODULE_PYTHON,    /* the interpreter, and mpi4py */
};

/* PATH NULL: it is not known. */
enum module_kind module_kind(const char *path);

#endif
