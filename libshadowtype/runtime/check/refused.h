/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi-error: a call that MPI refuses.
 *
 * In most such calls MPI ends the job: the error handlers in fatal.h report first. In others the
 * call returns an error code, and its wrapper reports. Checks that are certain of an error only if
 * MPI refuses the call are called here, before mpi-error is reported: st_check_refused().
 */
#ifndef ST_RUNTIME_CHECK_REFUSED_H
#define ST_RUNTIME_CHECK_REFUSED_H

#include <stdbool.h>

#include "core/model/registry.h"
#include "runtime/wrap/facts.h"

struct st_refusal {
    int code;        /* the code that MPI returned */
    int error_class; /* MPI_ERR_COMM, ... */
    bool fatal;      /* MPI ends the job, and the call does not return */
};

/* MPI has refused a call without a finding so far. If it is fatal the call still runs; else it has
 * returned. */
void st_check_refused(struct st_facts *facts, const struct st_refusal *refusal);

/* MPI has refused the call `shown` of this thread, with an error code. */
void st_refused(struct st_thread_call *shown, int code, bool fatal);
/* Does the same, if MPI ends the job and the call is not recorded: `pc` is where the program called
 * it. */
void st_refused_unseen(const char *function, const void *pc, int code);

#endif
