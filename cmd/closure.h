/*
 * The closure of a program's libraries, as its own loader resolves it: RPATH, RUNPATH,
 * LD_LIBRARY_PATH, /etc/ld.so.conf and all.
 */
#ifndef MPIPP_CLOSURE_H
#define MPIPP_CLOSURE_H

#include <stdbool.h>

/* Called for each library; PATH is NULL if the loader does not find it. */
typedef void closure_visit(const char *soname, const char *path, void *context);

/* LOADER is the program's PT_INTERP, OBJECT a program or a library. Returns false if the loader
 * refused it; *MISSING is the loader's remark on the library that is not there, "libx.so: cannot
 * open ...", in new memory, or NULL if the reason is another. */
bool closure_walk(const char *loader, const char *object, closure_visit *visit, void *context,
                  char **missing);

#endif
