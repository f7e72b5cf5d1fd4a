/*
 * The variables of the program and of its libraries, with their sizes, from the symbol tables of
 * their files (libelf, loaded where it is asked for).
 *
 * Of an object that is stripped, what it exports. Left out is what could be more than it seems:
 * sections that a linker makes arrays of (those with names as in C), symbols with a label at the
 * same address, thread-local variables, and objects whose file is not the one that was loaded.
 * Symbols that overlap are one block: Fortran's common blocks, aliases.
 *
 * The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_OBJECTS_GLOBALS_H
#define ST_RUNTIME_OBJECTS_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/overlap/reach.h"

/* Loads libelf, once. False: it is not there, and no variable is known. */
bool st_globals_begin(void);

/* The variable that has the byte at `address`. */
bool st_global_at(uint64_t address, struct st_area *area);

/* Forgets what was read, if libraries were loaded or unloaded since. */
void st_globals_refresh(void);

/* The name of the largest symbol there, as it stands in the file; "": not known. */
void st_global_name(const struct st_area *area, char *name, size_t room);

#endif
