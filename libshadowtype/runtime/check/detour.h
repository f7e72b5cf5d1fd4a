/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that are wrong by their time or by their thread, whatever their arguments are: before
 * MPI_Init, after MPI_Finalize, or from a thread that the thread level does not allow.
 *
 * A correct program pays nothing for these checks: st_detours (function.h) is 0, and the quick path
 * (quick.h) must load that word anyway.
 */
#ifndef ST_RUNTIME_CHECK_DETOUR_H
#define ST_RUNTIME_CHECK_DETOUR_H

#include "runtime/wrap/facts.h"

/* Returns true if a call of the user must be checked by the two functions that follow. */
static inline bool st_detour_wanted(const struct st_call *call)
{
    return __builtin_expect(st_detours_now() & (ST_DETOUR_OUTSIDE | ST_DETOUR_THREADS), 0) &&
           call->record;
}

/* Called before MPI carries out the call, and after it. */
void st_check_detour(const struct st_call *call, const struct st_form *form,
                     const uint64_t *values);
void st_check_detour_after(const struct st_call *call, const struct st_form *form,
                           const uint64_t *values);

#endif
