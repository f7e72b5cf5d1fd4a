/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks of the node the processes of a communicator are. */
#ifndef ST_RUNTIME_RANKS_MEMBERS_H
#define ST_RUNTIME_RANKS_MEMBERS_H

#include "core/model/registry.h"

/* Returns the process of a rank of a group; 0 if not known. */
uint64_t st_group_process(const struct st_comm_group *group, int32_t rank);

/* Returns its index in the table of ranks; ST_NO_RANK (node.h) if it is not on this node. The
 * caller holds the recorder's lock. */
uint32_t st_group_place(const struct st_comm_group *group, int32_t rank);

#endif
