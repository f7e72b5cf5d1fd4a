/*
 * Calls that are wrong by their time or by their thread, whatever their arguments are: before
 * MPI_Init, after MPI_Finalize, from a thread that the level of thread support does not allow.
 *
 * A correct program pays nothing for it: st_detours (function.h) is 0, and the quick path (quick.h)
 * has to load that word anyway.
 */
#ifndef ST_RUNTIME_CHECK_DETOUR_H
#define ST_RUNTIME_CHECK_DETOUR_H

#include "runtime/wrap/facts.h"

/* True if a call of the user has to be looked at, by the two functions that follow. */
static inline bool st_detour_wanted(const struct st_call *call)
{
    return __builtin_expect(st_detours_now() & (ST_DETOUR_OUTSIDE | ST_DETOUR_THREADS), 0) &&
           call->record;
}

/* Before MPI does the call, and after it. */
void st_check_detour(const struct st_call *call, const struct st_form *form,
                     const uint64_t *values);
void st_check_detour_after(const struct st_call *call, const struct st_form *form,
                           const uint64_t *values);

#endif
