/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { REDUCED = ST_RULE_OPERATION | ST_RULE_ALL };

static const struct {
    const char *name;
    uint32_t rules;
} rows[] = {
    {"Bcast", ST_RULE_ROOT | ST_RULE_ALL},
    {"Gather", ST_RULE_ROOT | ST_RULE_GATHER},
    {"Gatherv", ST_RULE_ROOT | ST_RULE_PAIRS},
    {"Scatter", ST_RULE_ROOT | ST_RULE_SCATTER},
    {"Scatterv", ST_RULE_ROOT | ST_RULE_PAIRS},
    {"Allgather", ST_RULE_EACH | ST_RULE_IN_PLACE},
    {"Allgatherv", ST_RULE_IN_PLACE | ST_RULE_PAIRS},
    {"Alltoall", ST_RULE_EACH | ST_RULE_IN_PLACE},
    {"Alltoallv", ST_RULE_IN_PLACE | ST_RULE_PAIRS},
    {"Alltoallw", ST_RULE_IN_PLACE | ST_RULE_PAIRS},
    {"Reduce", ST_RULE_ROOT | REDUCED},
    {"Allreduce", REDUCED | ST_RULE_IN_PLACE},
    {"Reduce_scatter_block", REDUCED | ST_RULE_IN_PLACE | ST_RULE_BLOCK},
    {"Reduce_scatter", ST_RULE_OPERATION | ST_RULE_COUNTS | ST_RULE_BLOCK},
    {"Scan", REDUCED},
    {"Exscan", REDUCED},
    {"Neighbor_allgather", ST_RULE_EDGES},
    {"Neighbor_allgatherv", ST_RULE_EDGES},
    {"Neighbor_alltoall", ST_RULE_EDGES},
    {"Neighbor_alltoallv", ST_RULE_EDGES},
    {"Neighbor_alltoallw", ST_RULE_EDGES},
    {"Cart_create", ST_RULE_GRID},
    {"Cart_sub", ST_RULE_REMAIN},
    {"Graph_create", ST_RULE_GRAPH},
    {"Comm_dup", ST_RULE_INFO},
    {"Comm_dup_with_info", ST_RULE_INFO},
    {"Comm_idup", ST_RULE_INFO},
    {"Comm_idup_with_info", ST_RULE_INFO},
    {"Comm_split_type", ST_RULE_SPLIT_TYPE},
    {"Comm_create", ST_RULE_GROUP},
    {"Intercomm_create", ST_RULE_LEADER},
    {"Intercomm_merge", ST_RULE_HIGH},
    {"Dist_graph_create", ST_RULE_WEIGHTS},
    {"Dist_graph_create_adjacent", ST_RULE_WEIGHTS | ST_RULE_NAMED_EDGES},
    {"Win_fence", ST_RULE_FENCE},
    {"File_open", ST_RULE_AMODE},
    {"File_set_size", ST_RULE_SIZE},
    {"File_preallocate", ST_RULE_SIZE},
    {"File_set_atomicity", ST_RULE_FLAG},
    {"File_seek_shared", ST_RULE_SEEK},
    {"File_set_view", ST_RULE_VIEW},
    {"Comm_spawn", ST_RULE_ROOT},
    {"Comm_spawn_multiple", ST_RULE_ROOT},
    {"Comm_accept", ST_RULE_ROOT},
    {"Comm_connect", ST_RULE_ROOT},
};

static bool find_row(const char *name, size_t length, uint32_t *rules)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0) {
            *rules = rows[i].rules;
            return true;
        }
    }
    return false;
}

static size_t without_suffix(const char *name, size_t length, const char *suffix)
{
    size_t end = strlen(suffix);
    return length > end && strncmp(name + length - end, suffix, end) == 0 ? length - end : length;
}

uint32_t st_rules_of(const char *function)
{
    const char *name = strncmp(function, "MPI_", 4) == 0 ? function + 4 : function;
    size_t length = without_suffix(name, without_suffix(name, strlen(name), "_c"), "_init");
    uint32_t rules = 0;
    if (find_row(name, length, &rules) || length < 2 || name[0] != 'I') {
        return rules;
    }
    /* MPI_Ibcast: MPI_Bcast */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *row = rows[i].name;
        if (strlen(row) == length - 1 && (row[0] | 0x20) == name[1] &&
            strncmp(row + 1, name + 2, length - 2) == 0) {
            return rows[i].rules;
        }
    }
    return 0;
}
