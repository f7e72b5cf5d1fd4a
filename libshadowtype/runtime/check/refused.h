/*
 * mpi-error: a call that MPI refuses.
 *
 * MPI ends the job in most such calls: fatal.h has the error handlers that tell of it first. Else the call
 * returns an error code, and its wrapper tells. Checks that are sure of an error only where MPI refuses the
 * call are called here, before mpi-error is reported: st_check_refused().
 */
#ifndef ST_RUNTIME_CHECK_REFUSED_H
#define ST_RUNTIME_CHECK_REFUSED_H

#include <stdbool.h>

#include "core/model/registry.h"
#include "runtime/wrap/facts.h"

struct st_refusal {
    int code;        /* as MPI gave it */
    int error_class; /* MPI_ERR_COMM, ... */
    bool fatal;      /* MPI ends the job, and the call does not return */
};

/* MPI has refused a call in which nothing was found yet. Where it is fatal the call still runs; else it
 * has returned. */
void st_check_refused(struct st_facts *facts, const struct st_refusal *refusal);

/* MPI has refused the call `shown` of this thread, with an error code. */
void st_refused(struct st_thread_call *shown, int code, bool fatal);
/* The same, where MPI ends the job and the call is not recorded: `pc` is where the program called it. */
void st_refused_unseen(const char *function, const void *pc, int code);

#endif
