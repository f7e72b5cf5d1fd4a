/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of partitioned communication: they are matched in the order of MPI_Psend_init and
 * MPI_Precv_init, apart from all other messages (MPI-4.0, 4.2). The number of a message is that of
 * the call, on its communicator, with this peer and tag. All partitions are one message: sender and
 * receiver may divide it differently.
 *
 * The caller holds the recorder's lock. `id` of an end is st_partitions_space() of the
 * communicator's.
 */
#ifndef ST_RUNTIME_RANKS_PARTITIONS_MATCHED_H
#define ST_RUNTIME_RANKS_PARTITIONS_MATCHED_H

#include "runtime/ranks/matched.h"
#include "runtime/ranks/requested.h"

/* Returns the id under which the partitioned messages of a communicator are counted. */
uint64_t st_partitions_space(uint64_t id);

/* MPI_Psend_init has returned: writes the message. */
void st_partitions_leave(const struct st_message_end *end);

/* MPI_Precv_init has returned. Returns the message that its request will receive first; NULL if there
 * is no memory. */
struct st_probed *st_partitions_post(const struct st_message_end *end);

/* The first message of a request has come: compares the two calls, and drops it. STATUS NULL: its
 * length is not known. */
void st_partitions_receive(struct st_probed *probed, const struct st_status_facts *status,
                           struct st_misfits *found);

/* MPI refuses the message, because it is not as long as its receive. Returns true if *found says
 * more. FATAL: MPI ends the job. */
bool st_partitions_cut(const struct st_probed *probed, bool fatal, struct st_misfits *found);

#endif
