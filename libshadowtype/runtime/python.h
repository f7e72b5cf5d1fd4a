/*
 * Which line of Python called, for what mpi4py does.
 *
 * A return address says only where in mpi4py's C code. The line is known at the moment of the call
 * and never again, so it is asked for then: from the interpreter that is there, by functions that
 * every CPython from 3.10 on exports. No Python.h, nothing is linked, nothing is run: no collection
 * of garbage, no exception is touched. Where the interpreter cannot be asked (this thread does not
 * hold its lock, an exception is pending, it is ending), there is no answer.
 */
#ifndef ST_RUNTIME_PYTHON_H
#define ST_RUNTIME_PYTHON_H

#include <stdint.h>

/* Writes at most `most` frames, innermost first, without mpi4py's own, as root.site_chunks has
 * them (ST_SITE_TEXT). Returns how many; 0: not known. */
unsigned st_python_frames(uint64_t *frames, unsigned most);

#endif
