/*
 * In one line: what call a thread is in, and what it waits for.
 *
 *     char text[ST_DESCRIBED];
 *     st_describe_call(&rank, &rank.threads[0], text, sizeof text);   "MPI_Recv(source=1, tag=7, MPI_COMM_WORLD)"
 *     st_describe_wait(&rank, &rank.parts[0], text, sizeof text);     "a message from rank 1 with tag 7"
 *
 * Each returns its length in bytes; what has no room is cut off. Nothing is allocated.
 */
#ifndef ST_CORE_WAITS_DESCRIBE_H
#define ST_CORE_WAITS_DESCRIBE_H

#include "core/waits/state.h"

enum { ST_DESCRIBED = 512, ST_PROCESS_DESCRIBED = 64 };

/* A call without its buffers, and of a single request what it is: "MPI_Wait: MPI_Irecv(source=0, tag=8,
 * MPI_COMM_WORLD)". */
size_t st_describe_call(const struct st_wait_rank *rank, const struct st_wait_thread *thread,
                        char *text, size_t room);

/* The operation itself: "MPI_Irecv(source=0, tag=8, MPI_COMM_WORLD)". */
size_t st_describe_operation(const struct st_wait_rank *rank, const struct st_wait_part *part,
                             char *text, size_t room);

/* What stands behind "waits for". Ranks are those of their MPI_COMM_WORLD. */
size_t st_describe_wait(const struct st_wait_rank *rank, const struct st_wait_part *part,
                        char *text, size_t room);

/* "rank 3"; of a spawned world "rank 3 of world 2". The caller sees to it that the gpid is one. */
size_t st_describe_process(const struct st_wait_worlds *worlds, uint64_t gpid, char *text,
                           size_t room);

/* The place of a world among the job's, from 1 on. What is not among them counts as the first. */
size_t st_wait_world_number(const struct st_wait_worlds *worlds, uint64_t world);

/* How a rank takes part, behind its name: "is in MPI_Finalize". */
const char *st_describe_presence(enum st_wait_presence presence);

#endif
