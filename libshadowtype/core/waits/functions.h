/* SPDX-License-Identifier: BSD-3-Clause */
/* Classifies MPI functions by what their caller has to wait for. */
#ifndef ST_CORE_WAITS_FUNCTIONS_H
#define ST_CORE_WAITS_FUNCTIONS_H

#include <stdbool.h>

enum st_function_sort {
    ST_FUNCTION_OTHER,
    ST_FUNCTION_RECEIVES,
    ST_FUNCTION_PROBES,
    ST_FUNCTION_SENDS,
    ST_FUNCTION_SENDS_AND_RECEIVES,
    ST_FUNCTION_WAITS_FOR_ONE,
    ST_FUNCTION_WAITS_FOR_SOME,
    ST_FUNCTION_COLLECTS,
    ST_FUNCTION_COLLECTS_WITH_OP,     /* it may call a user-defined reduction function */
    ST_FUNCTION_COPIES_ATTRIBUTES,    /* it may call an attribute callback if the program has
                                        created a keyval */
    ST_FUNCTION_NEEDS_POSTS,          /* MPI_Win_start, MPI_Win_complete */
    ST_FUNCTION_NEEDS_COMPLETES,      /* MPI_Win_wait */
    ST_FUNCTION_NEEDS_LOCK,           /* MPI_Win_lock and similar calls */
    ST_FUNCTION_JOINS_GROUPS,         /* MPI_Intercomm_create */
    ST_FUNCTION_COLLECTS_FROM_NEARBY, /* a rank can leave it before all have entered it */
    ST_FUNCTION_COLLECTS_SOME,        /* MPI_Comm_create_group: a group of processes */
    ST_FUNCTION_JOINS_SOME            /* MPI_Intercomm_create_from_groups: two of them */
};

/* The sort of a function that the program calls ("MPI_Send_c"), or that made a request
 * ("MPI_Isend"). */
enum st_function_sort st_function_sort(const char *function);

/* True if the function makes a partitioned request. Such a send and such a receive match only each
 * other (MPI-4.0, 4.2.1). */
bool st_function_is_partitioned(const char *function);

/* True for a function that looks whether something has come, and does not wait for it: MPI_Test, MPI_Iprobe. */
bool st_function_polls(const char *function);

/* The sort of the collective call that a request does: "MPI_Ibcast", "MPI_Bcast_init",
 * "MPIX_Bcast_init".
 * Returns ST_FUNCTION_OTHER if it is not a collective call. */
enum st_function_sort st_function_request_sort(const char *function);

/* True for the sorts that wait until other members of a communicator call the function. */
bool st_function_collects(enum st_function_sort sort);

/* True if two ranks that call these functions, both blocking and collective, make the same call: "MPI_Bcast" and
 * "MPI_Bcast_c", "MPI_Comm_dup" and "MPI_Comm_dup_with_info". */
bool st_function_meets(const char *one, const char *other);

#endif
