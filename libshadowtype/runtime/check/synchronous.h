/*
 * 'mpipp run --synchronous': sends wait for their receives, collective calls for all members.
 *
 * The standard lets MPI_Send return early or late, and so it does most collective calls; a program must
 * not depend on it (MPI-4.0, 3.5 and 6.14). Here they are late: MPI_Send is done by MPI_Ssend, MPI_Isend by MPI_Issend, and all
 * members meet in MPI_Barrier before a blocking collective call. A program that MPI's buffers alone let pass
 * hangs then, and mpipp run tells where (cmd/watch). Only the user's own calls are changed.
 */
#ifndef ST_RUNTIME_CHECK_SYNCHRONOUS_H
#define ST_RUNTIME_CHECK_SYNCHRONOUS_H

#include "runtime/wrap/function.h"
#include "runtime/wrap/mpi_side.h"

/* MPI was initialized: looks whether the user has asked for it. */
void st_synchronous_begins(void);

/* Such a call is not on the quick path, so that the others pay nothing for this question. */
static inline bool st_synchronous_is_wanted(const struct st_call *call)
{
    return __builtin_expect(st_detours_now() & ST_DETOUR_SYNCHRONOUS, 0) && call->record;
}

/* The function of that name ("PMPI_Ssend"), which takes what `next` takes; `next` if there is none. It is kept
 * in *slot. */
void *st_synchronous_send(_Atomic(void *) *slot, const char *name, void *next);

/* Waits in MPI_Barrier until all members of the communicator have come. */
void st_synchronous_meet(MPI_Comm comm);

#endif
