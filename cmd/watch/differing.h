/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the collective calls of ranks that have not done so themselves, and makes the record of a
 * finding from those that differ: ranks whose calls agree form a class.
 */
#ifndef CMD_WATCH_DIFFERING_H
#define CMD_WATCH_DIFFERING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/agree/collective.h"
#include "core/agree/pairs.h"
#include "core/agree/runs.h"
#include "shared.h"

/* A call that a rank has published. */
struct published_call {
    struct st_collective call;
    int rank; /* in its MPI_COMM_WORLD */
    int64_t pid;
    bool is_told; /* a rank has reported it; only known of other nodes */
    const struct shared
        *shared;          /* of this node; NULL: the rank is on another one, and the rest is set */
    const char *function; /* "MPI_Bcast" */
    json_t *frames;       /* as shared_frames() makes them */
    const char *comm;     /* the name of its communicator, window or file; NULL: not known */
    bool has_beginning;
    struct st_beginning beginning; /* of its data, if that has several basic types */
    struct st_rank_pairs
        *pairs; /* its data from rank to rank; NULL: it has none, or it is not known */
};

/* Compares COUNT calls of one communicator and number. Returns NULL if they agree, else a new record for
 * the process "pid". NUMBER is that of the finding, FOUND says by whom it was found. */
json_t *differing_record(const struct published_call *calls, size_t count, int64_t number,
                         const char *found);

/* The same for what each two ranks of different nodes send to each other, where the call has counts for each
 * rank, or goes along the edges of a topology, or makes these: finds the first two of which one sends other data
 * than the other receives, or names other edges. */
json_t *differing_pair_record(const struct published_call *calls, size_t count, int64_t number,
                              const char *found);

/* Whether these are the calls of all ranks whose data has to be compared by that. */
enum differing_pairs {
    DIFFERING_PAIRS_ALL,
    DIFFERING_PAIRS_TO_COME, /* some ranks have not made the call yet */
    DIFFERING_PAIRS_GONE /* the data of some rank was too much, or later calls have taken its place */
};
enum differing_pairs differing_known_pairs(const struct published_call *calls, size_t count);

/* "3 x MPI_INT" */
char *elements_of(int64_t length, uint64_t hash, bool is_uniform);
/* "element 3 is MPI_INT in rank 1, MPI_FLOAT in rank 0" */
char *difference_of(const struct st_first_difference *first, const char *one, const char *other);

#endif
