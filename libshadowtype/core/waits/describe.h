/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes in one line the call that a thread is in, and what it waits for.
 *
 *     char text[ST_DESCRIBED];
 *     st_describe_call(&rank, &rank.threads[0], text, sizeof text);   "MPI_Recv(source=1, tag=7, MPI_COMM_WORLD)"
 *     st_describe_wait(&rank, &rank.parts[0], text, sizeof text);     "a message from rank 1 with tag 7"
 *
 * Each function returns the length in bytes, and cuts off text that has no room. None allocates
 * memory.
 */
#ifndef ST_CORE_WAITS_DESCRIBE_H
#define ST_CORE_WAITS_DESCRIBE_H

#include "core/waits/messages.h"

enum { ST_DESCRIBED = 512, ST_PROCESS_DESCRIBED = 64 };

/* Describes a call without its buffers. A call that waits for a single request is followed by the
 * operation of the request: "MPI_Wait: MPI_Irecv(source=0, tag=8, MPI_COMM_WORLD)". */
size_t st_describe_call(const struct st_wait_rank *rank, const struct st_wait_thread *thread,
                        char *text, size_t room);

/* Describes an operation: "MPI_Irecv(source=0, tag=8, MPI_COMM_WORLD)". */
size_t st_describe_operation(const struct st_wait_rank *rank, const struct st_wait_part *part,
                             char *text, size_t room);

/* The words that follow "waits for". Ranks are numbers in their MPI_COMM_WORLD. */
size_t st_describe_wait(const struct st_wait_rank *rank, const struct st_wait_part *part,
                        char *text, size_t room);

/* What was sent instead of what `part` of rank `to` receives: "rank 1 has sent one with tag 9"; `sent` NULL: "rank 1
 * has sent none". */
size_t st_describe_near_miss(const struct st_wait_rank *ranks, uint32_t to,
                             const struct st_wait_part *part, const struct st_wait_sent *sent,
                             enum st_wait_miss miss, char *text, size_t room);

/* Why the partitioned send `offer` does not come to what `part` of `receiver` receives: "rank 0 has not called MPI_Pready
 * for partitions 2,5-6 of 8". */
size_t st_describe_unready(const struct st_wait_rank *receiver, const struct st_wait_part *part,
                           const struct st_wait_part *offer, char *text, size_t room);

/* "rank 3"; in a spawned world "rank 3 of world 2". `gpid` must be valid. */
size_t st_describe_process(const struct st_wait_worlds *worlds, uint64_t gpid, char *text,
                           size_t room);

/* The position of a world among those of the job, from 1. A world that is not known counts as the
 * first. */
size_t st_wait_world_number(const struct st_wait_worlds *worlds, uint64_t world);

/* How a rank takes part, as words that follow its name: "is in MPI_Finalize". */
const char *st_describe_presence(enum st_wait_presence presence);

#endif
