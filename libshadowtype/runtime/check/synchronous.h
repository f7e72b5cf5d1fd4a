/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 'mpipp run --synchronous': sends wait for their receives, collective calls for all members.
 *
 * The standard lets MPI_Send, and most collective calls, return early or late; a program must not
 * depend on it (MPI-4.0, 3.5 and 6.14). Here they return late: MPI_Ssend replaces MPI_Send,
 * MPI_Issend replaces MPI_Isend, and all members meet in MPI_Barrier before a blocking collective
 * call. A program that only works because of MPI's buffers then hangs, and mpipp run reports where
 * (cmd/watch). Only the user's own calls are changed.
 */
#ifndef ST_RUNTIME_CHECK_SYNCHRONOUS_H
#define ST_RUNTIME_CHECK_SYNCHRONOUS_H

#include "runtime/wrap/function.h"
#include "runtime/wrap/mpi_side.h"

/* MPI was initialized: finds out whether the user has asked for it. */
void st_synchronous_begins(void);

/* Such a call is not on the quick path, so that others pay nothing for this question. */
static inline bool st_synchronous_is_wanted(const struct st_call *call)
{
    return __builtin_expect(st_detours_now() & ST_DETOUR_SYNCHRONOUS, 0) && call->record;
}

/* Returns the function of that name ("PMPI_Ssend"), which takes the arguments of `next`; `next` if
 * there is none. Keeps it in *slot. */
void *st_synchronous_send(_Atomic(void *) *slot, const char *name, void *next);

/* Waits in MPI_Barrier until all members of the communicator have come. */
void st_synchronous_meet(MPI_Comm comm);

#endif
