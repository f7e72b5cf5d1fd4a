/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The partitions of partitioned operations (MPI-4.0, 4.2): how many a request has, and a bit for each partition
 * of a send that was marked as ready since the request was started. Other requests have no entry.
 *
 * A request's entry is valid as long as its record (records.h) exists. Entries of others are removed when
 * room is needed. No debugger reads it. The caller holds the recorder's lock (lock.h).
 */
#ifndef ST_RUNTIME_OBJECTS_PARTITIONS_H
#define ST_RUNTIME_OBJECTS_PARTITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/objects/records.h"

/* Adds a request that was made: it has `count` partitions, and sends or receives. */
void st_partitions_add(struct st_record_name name, int64_t count, bool sends);

/* Returns how many it has; -1 if that is not known. */
int64_t st_partitions_of(struct st_record_name name);

/* The request was started: no partition is ready. */
void st_partitions_reset(struct st_record_name name);

/* Marks the partitions from `low` to `high`, which it has, as ready. Returns the first of them that was ready
 * before; -1 if none was, or nothing is known. */
int64_t st_partitions_ready(struct st_record_name name, int64_t low, int64_t high);

#endif
