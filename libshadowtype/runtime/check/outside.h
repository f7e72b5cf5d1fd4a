/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * init-missing: MPI is called before MPI_Init, or after MPI_Finalize. The second call of MPI_Init is in
 * check.h.
 *
 * The libraries abort or crash then, so the report is written before the call. MPI itself is asked
 * whether it is initialized, because MPI_Init may have been called without this library. A process
 * that has begun an MPI session is not checked: a session has its own lifetime.
 */
#ifndef ST_RUNTIME_CHECK_OUTSIDE_H
#define ST_RUNTIME_CHECK_OUTSIDE_H

#include "runtime/wrap/facts.h"

/* MPI_Init, or MPI_Session_init, has returned. */
void st_outside_begins(bool world);
/* MPI_Finalize has returned, and calls were checked until then. */
void st_outside_ends(void);

/* Returns true if MPI says that it is finalized, or cannot be asked. */
bool st_outside_is_finalized(void);

void st_check_outside(struct st_facts *facts);

#endif
