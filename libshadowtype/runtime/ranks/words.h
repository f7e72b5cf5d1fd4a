/* SPDX-License-Identifier: BSD-3-Clause */
/* Words for the calls that ranks publish. */
#ifndef ST_RUNTIME_RANKS_WORDS_H
#define ST_RUNTIME_RANKS_WORDS_H

#include "report/writer.h"
#include "runtime/wrap/facts.h"

/* Writes "100 x MPI_DOUBLE" for a signature. `element` is the hash of its elements if they are all
 * equal. */
void st_put_elements(struct st_writer *writer, int64_t length, uint64_t element, bool uniform);

/* The data that a rank passes, as its signature, to find where it first differs from another one. */
struct st_side_of_data {
    uint32_t rank; /* its index in the table of ranks */
    const uint64_t *hash;
    int64_t length;
    bool uniform;
    const char *who; /* "rank 1" */
};

/* Writes "element 3 is MPI_INT in rank 1, MPI_FLOAT in rank 0", or why that is not known. Returns false,
 * and writes nothing, if it is obvious: all elements of each are equal. */
bool st_put_first_difference(struct st_writer *writer, const struct st_side_of_data sides[2]);

/* Writes "rank 3"; for a spawned world "rank 3 of world 2". `rank` is an index in the table of
 * ranks. */
void st_put_rank(struct st_writer *writer, uint32_t rank);

/* Writes the name of a communicator, window or file of this rank: that of a constant, or one that
 * the program has set; else "its communicator". */
void st_put_comm(struct st_writer *writer, enum st_kind kind, uint64_t handle);

#endif
