/*
 * The partitions of partitioned operations (MPI-4.0, 4.2): how many a request has, and, a bit each,
 * which of a send were told ready since it was started. Nothing is kept of other requests.
 *
 * A request's entry is good as long as its record (records.h) is; what is left of others is swept out
 * when room is needed. No debugger reads it. The caller holds the recorder's lock (lock.h).
 */
#ifndef ST_RUNTIME_OBJECTS_PARTITIONS_H
#define ST_RUNTIME_OBJECTS_PARTITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/objects/records.h"

/* A request was made that has `count` partitions, and that sends, or receives. */
void st_partitions_add(struct st_record_name name, int64_t count, bool sends);

/* How many it has; -1: not known. */
int64_t st_partitions_of(struct st_record_name name);

/* It was started: none is ready. */
void st_partitions_reset(struct st_record_name name);

/* Those from `low` to `high`, which it has, are ready from now on. The first one that was before; -1:
 * none, or nothing is known. */
int64_t st_partitions_ready(struct st_record_name name, int64_t low, int64_t high);

#endif
