/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out, by the name of a mapped file, whose code it contains.
 */
#ifndef MPIPP_STACKS_MODULE_KIND_H
#define MPIPP_STACKS_MODULE_KIND_H

#include <stdbool.h>

enum module_kind {
    MODULE_OTHER,     /* the program, as far as can be known */
    MODULE_SYSTEM,    /* the C library */
    MODULE_MPI,       /* the MPI library, and libraries that are preloaded around it */
    MODULE_TRANSPORT, /* libraries that MPI uses to communicate, and their helpers */
    MODULE_PYTHON,    /* the interpreter, and mpi4py */
};

/* PATH may be NULL: it is not known. */
enum module_kind module_kind(const char *path);

#endif
