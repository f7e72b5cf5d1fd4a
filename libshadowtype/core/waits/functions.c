/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/functions.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Names without "MPI_" and "_c". */
static const struct {
    const char *name;
    enum st_function_sort sort;
} functions[] = {
    {"Recv", ST_FUNCTION_RECEIVES},
    {"Probe", ST_FUNCTION_PROBES},
    {"Mprobe", ST_FUNCTION_PROBES},
    {"Send", ST_FUNCTION_SENDS},
    {"Ssend", ST_FUNCTION_SENDS},
    {"Rsend", ST_FUNCTION_SENDS},
    {"Sendrecv", ST_FUNCTION_SENDS_AND_RECEIVES},
    {"Sendrecv_replace", ST_FUNCTION_SENDS_AND_RECEIVES},
    {"Wait", ST_FUNCTION_WAITS_FOR_ONE},
    {"Waitall", ST_FUNCTION_WAITS_FOR_SOME},
    {"Waitany", ST_FUNCTION_WAITS_FOR_SOME},
    {"Waitsome", ST_FUNCTION_WAITS_FOR_SOME},
    {"Barrier", ST_FUNCTION_COLLECTS},
    {"Bcast", ST_FUNCTION_COLLECTS},
    {"Gather", ST_FUNCTION_COLLECTS},
    {"Gatherv", ST_FUNCTION_COLLECTS},
    {"Scatter", ST_FUNCTION_COLLECTS},
    {"Scatterv", ST_FUNCTION_COLLECTS},
    {"Allgather", ST_FUNCTION_COLLECTS},
    {"Allgatherv", ST_FUNCTION_COLLECTS},
    {"Alltoall", ST_FUNCTION_COLLECTS},
    {"Alltoallv", ST_FUNCTION_COLLECTS},
    {"Alltoallw", ST_FUNCTION_COLLECTS},
    {"Reduce", ST_FUNCTION_COLLECTS_WITH_OP},
    {"Allreduce", ST_FUNCTION_COLLECTS_WITH_OP},
    {"Reduce_scatter", ST_FUNCTION_COLLECTS_WITH_OP},
    {"Reduce_scatter_block", ST_FUNCTION_COLLECTS_WITH_OP},
    {"Scan", ST_FUNCTION_COLLECTS_WITH_OP},
    {"Exscan", ST_FUNCTION_COLLECTS_WITH_OP},
    {"Comm_split", ST_FUNCTION_COLLECTS},
    {"Comm_split_type", ST_FUNCTION_COLLECTS},
    {"Comm_create", ST_FUNCTION_COLLECTS},
    {"Comm_create_group", ST_FUNCTION_COLLECTS_SOME},
    {"Comm_create_from_group", ST_FUNCTION_COLLECTS_SOME},
    {"Intercomm_create_from_groups", ST_FUNCTION_JOINS_SOME},
    {"Cart_create", ST_FUNCTION_COLLECTS},
    {"Graph_create", ST_FUNCTION_COLLECTS},
    {"Dist_graph_create", ST_FUNCTION_COLLECTS},
    {"Dist_graph_create_adjacent", ST_FUNCTION_COLLECTS},
    {"Win_create", ST_FUNCTION_COLLECTS},
    {"Win_allocate", ST_FUNCTION_COLLECTS},
    {"Win_allocate_shared", ST_FUNCTION_COLLECTS},
    {"Win_create_dynamic", ST_FUNCTION_COLLECTS},
    {"Cart_sub", ST_FUNCTION_COLLECTS},
    {"Comm_set_info", ST_FUNCTION_COLLECTS},
    {"Comm_spawn", ST_FUNCTION_COLLECTS},
    {"Comm_spawn_multiple", ST_FUNCTION_COLLECTS},
    {"Comm_accept", ST_FUNCTION_COLLECTS},
    {"Comm_connect", ST_FUNCTION_COLLECTS},
    {"Intercomm_create", ST_FUNCTION_JOINS_GROUPS},
    {"Intercomm_merge", ST_FUNCTION_COLLECTS},
    {"Comm_free", ST_FUNCTION_COPIES_ATTRIBUTES},
    {"Comm_disconnect", ST_FUNCTION_COPIES_ATTRIBUTES},
    {"Win_start", ST_FUNCTION_NEEDS_POSTS},
    {"Win_complete", ST_FUNCTION_NEEDS_POSTS},
    {"Win_wait", ST_FUNCTION_NEEDS_COMPLETES},
    {"Win_lock", ST_FUNCTION_NEEDS_LOCK},
    {"Win_unlock", ST_FUNCTION_NEEDS_LOCK},
    {"Win_flush", ST_FUNCTION_NEEDS_LOCK},
    {"Win_fence", ST_FUNCTION_COLLECTS},
    {"Win_set_info", ST_FUNCTION_COLLECTS},
    {"Win_free", ST_FUNCTION_COPIES_ATTRIBUTES},
    {"File_open", ST_FUNCTION_COLLECTS},
    {"File_close", ST_FUNCTION_COLLECTS},
    {"File_set_view", ST_FUNCTION_COLLECTS},
    {"File_set_size", ST_FUNCTION_COLLECTS},
    {"File_preallocate", ST_FUNCTION_COLLECTS},
    {"File_set_info", ST_FUNCTION_COLLECTS},
    {"File_seek_shared", ST_FUNCTION_COLLECTS},
    {"File_sync", ST_FUNCTION_COLLECTS},
    {"File_set_atomicity", ST_FUNCTION_COLLECTS},
    {"File_read_all", ST_FUNCTION_COLLECTS},
    {"File_read_at_all", ST_FUNCTION_COLLECTS},
    {"File_read_ordered", ST_FUNCTION_COLLECTS},
    {"File_write_all", ST_FUNCTION_COLLECTS},
    {"File_write_at_all", ST_FUNCTION_COLLECTS},
    {"File_write_ordered", ST_FUNCTION_COLLECTS},
    {"File_read_all_begin", ST_FUNCTION_COLLECTS},
    {"File_read_at_all_begin", ST_FUNCTION_COLLECTS},
    {"File_read_ordered_begin", ST_FUNCTION_COLLECTS},
    {"File_write_all_begin", ST_FUNCTION_COLLECTS},
    {"File_write_at_all_begin", ST_FUNCTION_COLLECTS},
    {"File_write_ordered_begin", ST_FUNCTION_COLLECTS},
    {"File_read_all_end", ST_FUNCTION_COLLECTS},
    {"File_read_at_all_end", ST_FUNCTION_COLLECTS},
    {"File_read_ordered_end", ST_FUNCTION_COLLECTS},
    {"File_write_all_end", ST_FUNCTION_COLLECTS},
    {"File_write_at_all_end", ST_FUNCTION_COLLECTS},
    {"File_write_ordered_end", ST_FUNCTION_COLLECTS},
    {"Comm_dup", ST_FUNCTION_COPIES_ATTRIBUTES},
    {"Comm_dup_with_info", ST_FUNCTION_COPIES_ATTRIBUTES},
    {"Neighbor_allgather", ST_FUNCTION_COLLECTS_FROM_NEARBY},
    {"Neighbor_allgatherv", ST_FUNCTION_COLLECTS_FROM_NEARBY},
    {"Neighbor_alltoall", ST_FUNCTION_COLLECTS_FROM_NEARBY},
    {"Neighbor_alltoallv", ST_FUNCTION_COLLECTS_FROM_NEARBY},
    {"Neighbor_alltoallw", ST_FUNCTION_COLLECTS_FROM_NEARBY},
    /* The functions that make requests. */
    {"Isend", ST_FUNCTION_SENDS},
    {"Issend", ST_FUNCTION_SENDS},
    {"Irsend", ST_FUNCTION_SENDS},
    {"Ibsend", ST_FUNCTION_SENDS},
    {"Send_init", ST_FUNCTION_SENDS},
    {"Ssend_init", ST_FUNCTION_SENDS},
    {"Rsend_init", ST_FUNCTION_SENDS},
    {"Bsend_init", ST_FUNCTION_SENDS},
    {"Psend_init", ST_FUNCTION_SENDS},
    {"Irecv", ST_FUNCTION_RECEIVES},
    {"Recv_init", ST_FUNCTION_RECEIVES},
    {"Precv_init", ST_FUNCTION_RECEIVES},
    {"Isendrecv", ST_FUNCTION_SENDS_AND_RECEIVES},
    {"Isendrecv_replace", ST_FUNCTION_SENDS_AND_RECEIVES},
};

static enum st_function_sort find_sort(const char *name, size_t length)
{
    if (length > 2 && memcmp(name + length - 2, "_c", 2) == 0) {
        length -= 2;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) {
            return functions[i].sort;
        }
    }
    return ST_FUNCTION_OTHER;
}

enum st_function_sort st_function_sort(const char *function)
{
    return strncmp(function, "MPI_", 4) == 0 ? find_sort(function + 4, strlen(function + 4))
                                             : ST_FUNCTION_OTHER;
}

bool st_function_is_partitioned(const char *function)
{
    return strcmp(function, "MPI_Psend_init") == 0 || strcmp(function, "MPI_Precv_init") == 0;
}

bool st_function_polls(const char *function)
{
    static const char *const names[] = {
        "MPI_Test",   "MPI_Testall",   "MPI_Testany",  "MPI_Testsome",
        "MPI_Iprobe", "MPI_Improbe",   "MPI_Parrived", "MPI_Request_get_status"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(function, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool st_function_collects(enum st_function_sort sort)
{
    return sort == ST_FUNCTION_COLLECTS || sort == ST_FUNCTION_COLLECTS_WITH_OP ||
           sort == ST_FUNCTION_COPIES_ATTRIBUTES || sort == ST_FUNCTION_COLLECTS_FROM_NEARBY;
}

/* Returns the length of a name without endings that other ranks may leave out. */
static size_t met_length(const char *name)
{
    static const char *const ends[] = {"_c", "_with_info", "_multiple"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i]);
        if (length > end && strcmp(name + length - end, ends[i]) == 0) {
            return length - end;
        }
    }
    return length;
}

bool st_function_meets(const char *one, const char *other)
{
    if (strcmp(one, other) == 0) {
        return true;
    }
    const size_t length = met_length(one);
    return length == met_length(other) && memcmp(one, other, length) == 0;
}

/* Finds the blocking function of a request's function: "Ibcast" becomes "Bcast", "Comm_idup"
 * "Comm_dup", "Bcast_init_c" "Bcast". Returns the length of the name, or 0 if the function makes no
 * request. */
static size_t blocking_name(const char *name, char *blocking, size_t room)
{
    size_t length = strlen(name);
    if (length >= room) {
        return 0;
    }
    memcpy(blocking, name, length + 1);
    if (length > 2 && strcmp(blocking + length - 2, "_c") == 0) {
        blocking[length -= 2] = 0;
    }
    if (length > 5 && strcmp(blocking + length - 5, "_init") == 0) {
        blocking[length -= 5] = 0;
    } else if (strncmp(blocking, "Comm_idup", 9) == 0) {
        memmove(blocking + 5, blocking + 6, length-- - 5);
    } else if (blocking[0] == 'I') {
        memmove(blocking, blocking + 1, length--);
        blocking[0] = (char)toupper((unsigned char)blocking[0]);
    } else {
        return 0;
    }
    return length;
}

enum st_function_sort st_function_request_sort(const char *function)
{
    char blocking[64];
    bool is_extension = strncmp(function, "MPIX_", 5) == 0;
    if (!is_extension && strncmp(function, "MPI_", 4) != 0) {
        return ST_FUNCTION_OTHER;
    }
    size_t length = blocking_name(function + (is_extension ? 5 : 4), blocking, sizeof blocking);
    enum st_function_sort sort = length ? find_sort(blocking, length) : ST_FUNCTION_OTHER;
    return st_function_collects(sort) ? sort : ST_FUNCTION_OTHER;
}
