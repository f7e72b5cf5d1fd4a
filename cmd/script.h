/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first line of a script: its interpreter.
 *
 *     struct words interpreter = {0};
 *     if (script_interpreter(&interpreter, "./start.py"))  // "#!/usr/bin/env -S python3 -u"
 *         ...                                              // {"/usr/bin/python3", "-u"}
 */
#ifndef MPIPP_SCRIPT_H
#define MPIPP_SCRIPT_H

#include <stdbool.h>

#include "words.h"

/* Returns false if PATH is no script. A name after "env" that is not in PATH is not changed. */
bool script_interpreter(struct words *interpreter, const char *path);

/* Returns why this interpreter cannot be run: half a sentence. */
char *script_fault(const struct words *interpreter);

/* Returns the program of that name in PATH, like exec finds it; NULL if there is none. */
char *path_find(const char *name);

#endif
