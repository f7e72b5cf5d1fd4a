/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The very end of a process that leaves by exit(): after all its handlers, and after the
 * destructors of all libraries, because one of them may still call MPI_Finalize.
 */
#ifndef ST_RUNTIME_WRAP_LAST_H
#define ST_RUNTIME_WRAP_LAST_H

#include <stdbool.h>

/* Makes the process call `end` then. To be called while the process leaves. Returns false if that
 * is not possible. */
bool st_call_last(void (*end)(void));

/* From now on st_last_status() knows with which status the process leaves by exit(). Keeps this library
 * loaded. */
void st_last_begin(void);

/* Returns false if the process has not called exit() with a known status. To be called while the
 * process leaves. */
bool st_last_status(int *status);

#endif
