/*
 * Which line of Python called, for what mpi4py does.
 *
 * A return address says only where in mpi4py's C code. The line is known at the moment of the call
 * and never again, so it is asked for then: from the interpreter that is there, by functions that
 * every CPython from 3.10 on exports. No Python.h, nothing is linked, nothing is run: no collection
 * of garbage, no exception is touched. Where the interpreter cannot be asked (this thread does not
 * hold its lock, an exception is pending, it is ending), there is no answer.
 */
#ifndef ST_RUNTIME_WRAP_PYTHON_H
#define ST_RUNTIME_WRAP_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

/* Writes at most `most` frames, innermost first, without mpi4py's own, as root.site_chunks has
 * them (ST_SITE_TEXT). Returns how many; 0: not known. */
unsigned st_python_frames(uint64_t *frames, unsigned most);

/* Takes the interpreter's lock, which mpi4py gives up for calls that communicate, so that it can be
 * asked. Waits for it: not for each call, and with no lock of ours held. False: this thread has it,
 * or cannot have it; else st_python_leave(*state) gives it back. */
bool st_python_enter(int *state);
void st_python_leave(int state);

/* The same where this is the interpreter's only thread, so that nobody is waited for: for any call. */
bool st_python_enter_alone(int *state);

#endif
