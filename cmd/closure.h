/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The libraries that a program needs, directly or not, as its own loader resolves them: with RPATH,
 * RUNPATH, LD_LIBRARY_PATH, /etc/ld.so.conf and all.
 */
#ifndef MPIPP_CLOSURE_H
#define MPIPP_CLOSURE_H

#include <stdbool.h>

/* Called for each library; PATH is NULL if the loader does not find it. */
typedef void closure_visit(const char *soname, const char *path, void *context);

/* Visits the libraries of OBJECT, a program or a library. LOADER is the program's PT_INTERP.
 * Returns false if the loader refused it; *MISSING is then the loader's message about a missing
 * library, "libx.so: cannot open ...", in new memory, or NULL if there is another reason. */
bool closure_walk(const char *loader, const char *object, closure_visit *visit, void *context,
                  char **missing);

#endif
