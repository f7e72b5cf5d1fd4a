/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On which arguments the ranks of a communicator must agree, function by function (MPI-4.0,
 * chapters 6 to 8; the table is in docs/collectives.md). Others may differ.
 */
#ifndef ST_CORE_AGREE_RULES_H
#define ST_CORE_AGREE_RULES_H

#include <stdint.h>

enum st_rule {
    ST_RULE_ROOT = 0x01,      /* the root */
    ST_RULE_OPERATION = 0x02, /* the operation, if one of the two is predefined */
    ST_RULE_IN_PLACE = 0x04,  /* MPI_IN_PLACE on all ranks or on none */
    ST_RULE_BLOCK = 0x08,     /* each rank has a count: the totals of the two groups agree */
    /* The signature, of one of these: */
    ST_RULE_ALL = 0x10,     /* the only count and datatype */
    ST_RULE_GATHER = 0x20,  /* what the root receives from each, what the others send */
    ST_RULE_SCATTER = 0x40, /* what the root sends to each, what the others receive */
    ST_RULE_EACH = 0x80,    /* what each receives from each */
    ST_RULE_COUNTS = 0x100, /* a count for each rank, and the datatype */
    /* Signatures, for each two ranks: */
    ST_RULE_PAIRS = 0x1000,   /* what the one sends to the other, and what that receives from it */
    ST_RULE_EDGES = 0x800000, /* the same along each edge of the topology */
    /* Each edge of a new topology is named by both of its ranks, with the same weight. */
    ST_RULE_NAMED_EDGES = 0x1000000,
    /* Other arguments: */
    ST_RULE_GRID = 0x200,       /* ndims, dims, periods, reorder of MPI_Cart_create */
    ST_RULE_GRAPH = 0x400,      /* nnodes, index, edges, reorder of MPI_Graph_create */
    ST_RULE_SPLIT_TYPE = 0x800, /* split_type, unless it is MPI_UNDEFINED */
    ST_RULE_GROUP = 0x2000,     /* MPI_Comm_create: the same group in all its processes */
    ST_RULE_LEADER = 0x4000,    /* MPI_Intercomm_create: local_leader */
    ST_RULE_HIGH = 0x8000,      /* MPI_Intercomm_merge: high, within a group */
    ST_RULE_WEIGHTS = 0x10000,  /* MPI_UNWEIGHTED on all ranks that have edges, or on none */
    ST_RULE_FENCE = 0x20000,    /* MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED of MPI_Win_fence */
    ST_RULE_AMODE = 0x40000,    /* of MPI_File_open */
    ST_RULE_SIZE = 0x80000,     /* of a file */
    ST_RULE_FLAG = 0x100000,    /* of MPI_File_set_atomicity */
    ST_RULE_SEEK = 0x200000,    /* offset, whence of MPI_File_seek_shared */
    ST_RULE_VIEW = 0x400000,    /* datarep, and the etype's extent, of MPI_File_set_view */
    /* What differs is a warning: */
    ST_RULE_REMAIN = 0x2000000, /* remain_dims of MPI_Cart_sub */
    ST_RULE_INFO = 0x4000000    /* MPI_Comm_dup and MPI_Comm_dup_with_info are one function */
};

/* Returns the rules (enum st_rule) of a function; MPI_Ibcast_c has those of MPI_Bcast. 0: only the
 * function is compared. */
uint32_t st_rules_of(const char *function);

#endif
