/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize as a call, for what is done when it has begun, outside its wrapper. */
#ifndef ST_RUNTIME_WRAP_FINALIZE_H
#define ST_RUNTIME_WRAP_FINALIZE_H

#include <stdbool.h>

#include "runtime/wrap/facts.h"
#include "runtime/wrap/function.h"

/* Finds the form of MPI_Finalize, and the call that this thread is in. `sp` is the thread's current
 * stack pointer. Returns false if the call is not recorded. */
bool st_call_of_finalize(const void *sp, const struct st_form **form, struct st_call *call);

#endif
