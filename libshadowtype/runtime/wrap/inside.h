/* Whether this thread is inside a call of MPI's: it ends the process there when it gives up. */
#ifndef ST_RUNTIME_WRAP_INSIDE_H
#define ST_RUNTIME_WRAP_INSIDE_H

#include <stdbool.h>

bool st_is_inside_mpi(void);

#endif
