/* Words for what ranks tell each other of their calls. */
#ifndef ST_RUNTIME_RANKS_WORDS_H
#define ST_RUNTIME_RANKS_WORDS_H

#include "report/writer.h"
#include "runtime/wrap/facts.h"

/* "100 x MPI_DOUBLE": of a signature. `element`: the hash of its elements, where they are all the same. */
void st_put_elements(struct st_writer *writer, int64_t length, uint64_t element, bool uniform);

/* What a rank passes, as its signature: to tell where it first differs from another one. */
struct st_side_of_data {
    uint32_t rank; /* its place in the table of ranks */
    const uint64_t *hash;
    int64_t length;
    bool uniform;
    const char *who; /* "rank 1" */
};

/* "element 3 is MPI_INT in rank 1, MPI_FLOAT in rank 0". Returns false, with nothing written, if the first difference is
 * not known, or goes without saying: all elements of each are the same. */
bool st_put_first_difference(struct st_writer *writer, const struct st_side_of_data sides[2]);

/* "rank 3"; of a spawned world "rank 3 of world 2". `rank`: its place in the table of ranks. */
void st_put_rank(struct st_writer *writer, uint32_t rank);

/* A communicator, window or file of this rank by its name: a constant's, or what the program has called it; else "its
 * communicator". */
void st_put_comm(struct st_writer *writer, enum st_kind kind, uint64_t handle);

#endif
