/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the line of Python that called, for calls made by mpi4py.
 *
 * A return address only leads to mpi4py's C code. The line is known only at the moment of the call,
 * so the interpreter in the process is asked then, by functions that every CPython from 3.10 on
 * exports. There is no Python.h, nothing is linked, and nothing is run: no garbage collection
 * happens, no exception is touched. There is no answer if the interpreter cannot be asked: this
 * thread does not hold its lock, an exception is pending, or it is ending.
 */
#ifndef ST_RUNTIME_WRAP_PYTHON_H
#define ST_RUNTIME_WRAP_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

/* Writes at most `most` frames, innermost first, without mpi4py's own, in the form of
 * root.site_chunks (ST_SITE_TEXT). Returns how many; 0 if not known. */
unsigned st_python_frames(uint64_t *frames, unsigned most);

/* Takes the interpreter's lock, so that it can be asked: mpi4py releases it for calls that
 * communicate. This may wait, so it is not for every call, and the caller must hold no lock of
 * ours. Returns false if this thread has the lock already, or cannot have it; if true,
 * st_python_leave(*state) releases it. */
bool st_python_enter(int *state);
void st_python_leave(int state);

/* Does the same only if this is the interpreter's only thread, so that it never waits: for any
 * call. */
bool st_python_enter_alone(int *state);

#endif
