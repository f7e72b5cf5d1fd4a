/*
 * The first line of a script: what it is run by.
 *
 *     struct words interpreter = {0};
 *     if (script_interpreter(&interpreter, "./start.py"))  // "#!/usr/bin/env -S python3 -u"
 *         ...                                              // {"/usr/bin/python3", "-u"}
 */
#ifndef MPIPP_SCRIPT_H
#define MPIPP_SCRIPT_H

#include <stdbool.h>

#include "words.h"

/* False: PATH is no script. A name after "env" that is not in PATH stays as it is. */
bool script_interpreter(struct words *interpreter, const char *path);

/* Why this interpreter cannot be run: half a sentence. */
char *script_fault(const struct words *interpreter);

/* A program of that name in PATH, as exec finds it; NULL if there is none. */
char *path_find(const char *name);

#endif
