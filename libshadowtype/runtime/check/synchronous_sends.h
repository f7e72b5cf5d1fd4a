/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A synchronous send is complete only after its receive has begun (MPI-4.0, 3.4): what the receiver
 * did before is before what the sender does after. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_CHECK_SYNCHRONOUS_SENDS_H
#define ST_RUNTIME_CHECK_SYNCHRONOUS_SENDS_H

#include "runtime/objects/records.h"
#include "runtime/wrap/facts.h"

/* MPI_Ssend or MPI_Issend has returned, with success. */
void st_synchronous_send_end(const struct st_facts *facts);

/* A request is complete. Returns false if it is not known to be one of MPI_Issend. */
bool st_synchronous_send_completed(const struct st_record *record);

#endif
