/* Words for what ranks tell each other of their calls. */
#ifndef ST_RUNTIME_RANKS_WORDS_H
#define ST_RUNTIME_RANKS_WORDS_H

#include "report/writer.h"
#include "runtime/wrap/facts.h"

/* "100 x MPI_DOUBLE": of a signature. `element`: the hash of its elements, where they are all the same. */
void st_put_elements(struct st_writer *writer, int64_t length, uint64_t element, bool uniform);

/* A communicator, window or file of this rank by its name: a constant's, or what the program has called it; else "its
 * communicator". */
void st_put_comm(struct st_writer *writer, enum st_kind kind, uint64_t handle);

#endif
