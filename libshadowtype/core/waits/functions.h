/* What a function of MPI does to who calls it, by its name. */
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
    ST_FUNCTION_COLLECTS_WITH_OP,    /* it may run a function of the program's */
    ST_FUNCTION_COPIES_ATTRIBUTES,   /* the same, where the program has made a keyval */
    ST_FUNCTION_NEEDS_POSTS,         /* MPI_Win_start, MPI_Win_complete */
    ST_FUNCTION_NEEDS_COMPLETES,     /* MPI_Win_wait */
    ST_FUNCTION_NEEDS_LOCK,          /* of MPI_Win_lock */
    ST_FUNCTION_JOINS_GROUPS,        /* MPI_Intercomm_create */
    ST_FUNCTION_COLLECTS_FROM_NEARBY /* not all have to come before one can leave */
};

/* Of a function as the program calls it ("MPI_Send_c"), or that made a request ("MPI_Isend"). */
enum st_function_sort st_function_sort(const char *function);

/* The same of what a request of a collective call does: "MPI_Ibcast", "MPI_Bcast_init", "MPIX_Bcast_init".
 * ST_FUNCTION_OTHER: it is not a collective call. */
enum st_function_sort st_function_request_sort(const char *function);

/* True for the sorts that wait for other members of a communicator to come. */
bool st_function_collects(enum st_function_sort sort);

#endif
