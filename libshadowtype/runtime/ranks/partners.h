/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that make a communicator and that only some ranks of the old one make:
 * MPI_Comm_create_group and MPI_Comm_create_from_group, whose group and tag must be the same in the
 * whole group; MPI_Intercomm_create between its two leaders, whose tags must be equal; and
 * MPI_Intercomm_create_from_groups, for each of its groups and between the two leaders.
 *
 * No count of calls is the same in all ranks here. But two ranks that name each other have made the
 * same number of such calls together: these are counted, and compared as if the two ranks were a
 * communicator. If several threads may call at the same time (MPI_THREAD_MULTIPLE), the order of
 * two ranks' calls is not known, and nothing is compared.
 */
#ifndef ST_RUNTIME_RANKS_PARTNERS_H
#define ST_RUNTIME_RANKS_PARTNERS_H

#include "runtime/wrap/facts.h"

/* Compares a call of the program, like st_collective_compared(); does nothing for other functions. */
void st_partners_compared(const struct st_form *form, const struct st_call *call,
                          const uint64_t *values, uint32_t found);

#endif
