/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Partitioned communication (MPI-4.0, 4.2) in the group `p2p`: a message is matched once, by its
 * MPI_Psend_init and MPI_Precv_init.
 */
#ifndef ST_RUNTIME_CHECK_PARTITIONED_H
#define ST_RUNTIME_CHECK_PARTITIONED_H

#include "runtime/check/check.h"
#include "runtime/ranks/matched.h"

/* MPI_Psend_init or MPI_Precv_init has made a request: writes the message, or keeps what the request
 * will receive. PARAMETER: that of the request. */
void st_partitioned_made(struct st_checked *checked, int parameter);

/* A request is complete that receives a message of MPI_Mprobe, or the first one of an MPI_Precv_init:
 * compares it. STATUS NULL: its length is not known. The caller holds the lock. */
void st_partitioned_receives(struct st_probed *probed, const struct st_status_facts *status,
                             struct st_misfits *found);

#endif
