/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock-potential: a message and a collective call in different orders in two ranks. The program
 * continues only because MPI does not wait where it may (MPI-4.0, 3.5 and 6.14):
 *
 *     MPI_Bcast, MPI_Send      MPI_Recv, MPI_Bcast       the collective call may wait for all ranks
 *     MPI_Send, MPI_Barrier    MPI_Barrier, MPI_Recv     MPI_Send may wait for its receive
 *
 * The proof: each process counts its collective calls on a communicator, and all make the same ones.
 * A message says how many its sender had begun that may wait for all ranks. In the first case the receive was
 * waited for before this rank had begun the last of them; in the second one it was posted after
 * this rank had begun more. Receives from any source could get another message, and are left out; so are ranks
 * with MPI_THREAD_MULTIPLE, of which another thread may make the call, and those that look for messages by
 * MPI_Iprobe. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_BEYOND_H
#define ST_RUNTIME_RANKS_BEYOND_H

#include "runtime/ranks/matched_internal.h"

/* This rank begins a blocking collective call that may wait for all ranks of its communicator. */
void st_beyond_begin(uint64_t comm, uint64_t number);
/* MPI_Wait, or MPI_Waitall, has completed this request of a nonblocking one. */
void st_beyond_waited(const struct st_record *record);

/* The low 32 bits of the number of a rank's last such call on a communicator. */
struct st_beyond_last {
    uint32_t any, blocking; /* or one of: */
};
enum { ST_BEYOND_NONE = 0 };
#define ST_BEYOND_UNKNOWN UINT32_MAX
struct st_beyond_last st_beyond_last(uint64_t comm);

/* MPI_Iprobe has found a message: the next receive may be one that the rank does not wait for. */
void st_beyond_polls(void);

/* Returns false if st_beyond_find() would find nothing: a quick test. ROOM: of the sender, which has this place in the
 * table of ranks. */
bool st_beyond_may_find(const struct st_message_end *end, uint32_t sender,
                        const struct st_message_room *room);
/* This rank's receive has got the message. Returns true if they are a case as above, and sets *call. */
bool st_beyond_find(const struct st_message_end *end, const struct st_found_message *taken,
                    struct st_beyond_call *call);

#endif
