/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/members.h"

#include "runtime/ranks/node.h"
#include "runtime/record/root.h"

uint64_t st_group_process(const struct st_comm_group *group, int32_t rank)
{
    if (rank < 0 || rank >= group->size) {
        return 0;
    }
    if (group->form == ST_GROUP_STRIDED) {
        return st_gpid(group->world, group->first + rank * group->stride);
    }
    if (group->form != ST_GROUP_LISTED || !group->members) {
        return 0;
    }
    const struct st_block *block = st_pointer(group->members);
    return ((const uint64_t *)(const void *)(block + 1))[rank];
}

uint32_t st_group_place(const struct st_comm_group *group, int32_t rank)
{
    const uint64_t process = st_group_process(group, rank);
    return process ? st_node_rank_of(process) : ST_NO_RANK;
}
