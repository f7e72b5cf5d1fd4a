/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups whose members are in a call that makes a communicator, for those who look at the rank from
 * outside and ask who has not come (core/waits): MPI_Comm_create_group, MPI_Comm_create_from_group,
 * MPI_Intercomm_create_from_groups. Only the members make these calls, so that they have no place in
 * the order of a communicator.
 *
 * A gathering is a struct st_comm of kind ST_KIND_GROUP (core/model/registry.h). It remains after the
 * call: the next call with the same group and tag is counted there. A process keeps the last
 * ST_MOST_GATHERINGS.
 */
#ifndef ST_RUNTIME_OBJECTS_GATHERINGS_H
#define ST_RUNTIME_OBJECTS_GATHERINGS_H

#include "runtime/wrap/facts.h"

enum { ST_MOST_GATHERINGS = 64 };

/* Asks MPI for the size of a group. Returns -1 if it is not known. MPI is not asked for that of MPI_GROUP_NULL: it would call an
 * error handler of the program. */
int64_t st_gathering_group_size(uint64_t group);

/* One of these functions is about to be called by the program. FOUND: not 0 if an argument is wrong;
 * then nothing is published. Asks MPI for the processes of the groups. */
void st_gathering_begins(const struct st_form *form, const struct st_call *call,
                         const uint64_t *values, uint32_t found);

#endif
