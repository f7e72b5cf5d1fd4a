/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The error handlers that end the job, MPI_ERRORS_ARE_FATAL and MPI_ERRORS_ABORT, are replaced by
 * handlers of ours (stand-ins), which report the call that MPI refuses (refused.h) and then do the
 * same.
 *
 * A stand-in is set on MPI_COMM_WORLD and MPI_COMM_SELF, on which MPI_Init has set
 * MPI_ERRORS_ARE_FATAL. Communicators inherit it. Windows, and communicators that do not inherit
 * it, get theirs when they are made. If the program sets a predefined handler, ours is set. The
 * program never sees a stand-in: if it asks for the handler, it gets the predefined one. That has a
 * reference to the stand-in, which is given back when the program frees the predefined one.
 *
 * MPICH calls a handler while it holds its lock: with MPI_THREAD_MULTIPLE no function that ends the
 * job may be called there. The stand-in then reports, and returns; the call's wrapper ends the job
 * when MPI returns to it.
 *
 * The handles are those of mpi.h: only wrappers and files with mpi_side.h include this header.
 */
#ifndef ST_RUNTIME_CHECK_FATAL_H
#define ST_RUNTIME_CHECK_FATAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/registry.h"
#include "runtime/wrap/mpi_side.h"

/* MPI was initialized; `world`: there is an MPI_COMM_WORLD. */
void st_fatal_begin(bool world);

/* MPI has made a communicator, window, file or, as ST_KIND_NONE, a session. */
void st_fatal_adopt(enum st_kind kind, uint64_t handle);

/* MPI has refused the call `shown` of this thread, by an error code. Ends the job if the call's error
 * handler should have and could not; else reports the call (refused.h). Called before what is known
 * of the call is given up. */
__attribute__((cold)) void st_fatal_refused(struct st_thread_call *shown, int code);

/* Returns the handler to set on an object of this kind if the program sets `handler`. */
MPI_Errhandler st_fatal_stand_in(enum st_kind kind, MPI_Errhandler handler);

/* Does the same if the program sets the handler of `comm`. */
MPI_Errhandler st_fatal_set(MPI_Comm comm, MPI_Errhandler handler);

/* MPI has returned the error handler of an object to the program. */
void st_fatal_hide(MPI_Errhandler *handler);

/* The program frees *handler; MPI must free *own instead. Returns false if it is the program's own
 * handler. */
bool st_fatal_lent(const MPI_Errhandler *handler, MPI_Errhandler *own);

#endif
