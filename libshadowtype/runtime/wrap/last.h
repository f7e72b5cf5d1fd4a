/*
 * The very end of a process that leaves by exit(): after all its handlers, and the destructors of all its
 * libraries, of which one may still call MPI_Finalize.
 */
#ifndef ST_RUNTIME_WRAP_LAST_H
#define ST_RUNTIME_WRAP_LAST_H

#include <stdbool.h>

/* Has `end` called then. To be called while the process leaves. Returns false if that is not possible. */
bool st_call_last(void (*end)(void));

#endif
