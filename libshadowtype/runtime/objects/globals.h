/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables of the program and its libraries, with their sizes, from the symbol tables of their
 * files (by libelf, which is loaded only when it is needed).
 *
 * Of a stripped object only the exported variables are known. Variables that may be larger than
 * their symbol says are left out: those in sections that a linker makes arrays of (their names are
 * C identifiers), and those with a label at the same address. Thread-local variables are left out,
 * too, and objects whose file has changed since it was loaded. Symbols that overlap are one block:
 * Fortran's common blocks, aliases.
 *
 * The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_OBJECTS_GLOBALS_H
#define ST_RUNTIME_OBJECTS_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/overlap/reach.h"

/* Loads libelf, once. Returns false if it is not installed: then no variable is known. */
bool st_globals_begin(void);

/* Finds the variable that contains the byte at `address`. Returns false if there is none. */
bool st_global_at(uint64_t address, struct st_area *area);

/* Forgets what was read, if libraries were loaded or unloaded since. */
void st_globals_refresh(void);

/* Writes the name of the largest symbol there, as the file has it; "" if it is not known. */
void st_global_name(const struct st_area *area, char *name, size_t room);

#endif
