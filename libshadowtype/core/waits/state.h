/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads from the registry of a rank the calls that its threads are in, and what they wait for.
 *
 *     struct st_wait_rank rank = {.world_rank = -1};
 *     if (st_wait_read(registry, read, context, &rank, &fault)) { ... fault ... }
 *     for (size_t i = 0; i < rank.thread_count; i++) { ... rank.threads[i].function ... }
 *     st_wait_rank_free(&rank);
 *
 * A call that is not understood, or of which too little is known, counts as running: for example a
 * wait for a request without a record. So a rank is never reported as stuck because of something
 * that cannot be read.
 */
#ifndef ST_CORE_WAITS_STATE_H
#define ST_CORE_WAITS_STATE_H

#include "core/decode/calls.h"
#include "core/decode/decode.h"

enum st_wait_sort {
    ST_WAIT_UNKNOWN,    /* it may end at any time */
    ST_WAIT_RECEIVE,    /* a message: a posted receive */
    ST_WAIT_PROBE,      /* a message, without receiving it */
    ST_WAIT_SEND,       /* a receive on the other side */
    ST_WAIT_COLLECTIVE, /* all other members of the communicator */
    ST_WAIT_POSTS,      /* the targets of a window that have not called MPI_Win_post */
    ST_WAIT_COMPLETES,  /* the origins of a window that have not called MPI_Win_complete */
    ST_WAIT_LOCK,       /* the rank that holds the lock of a window's rank */
    ST_WAIT_LEADER      /* a process in MPI_Intercomm_create: the other leader, or the rank's own
                           one */
};

/* A communicator, window or file, as this rank knows it. */
struct st_wait_comm {
    uint64_t handle;
    uint64_t id;           /* the same on all members; 0: not known */
    uint64_t begun;        /* number of collective calls that this rank has begun on it; 0: not
                              known */
    uint64_t *members;     /* gpids in the order of its ranks; NULL: the ranks are those of
                              MPI_COMM_WORLD */
    uint64_t *own_members; /* for an intercommunicator the gpids of the local group, else NULL */
    struct st_win_peer *peers; /* for a window: `size` entries; NULL: none is known */
    uint64_t serial;           /* larger than that of each object that the rank created earlier; 0:
                                  not known */
    enum st_kind
        kind; /* ST_KIND_NONE for a communicator; ST_KIND_WIN, ST_KIND_FILE; ST_KIND_GROUP for the
                              members that make a communicator (registry.h) */
    int32_t size; /* number of members; -1: not known */
    int32_t own_size;
    int32_t own_rank; /* the rank in the local group; -1: not known */
    bool is_inter;    /* an intercommunicator: its ranks are those of the remote group */
    char name[40];    /* "MPI_COMM_WORLD"; "": no name is known */
};
#define ST_WORLD_ID UINT64_C(1)
#define ST_NO_COMM SIZE_MAX

/* An operation: the one of the call itself, or that of a request. What a verdict needs of each rank
 * of a large job is first in this struct and in those below: fetching it from memory takes most of
 * the time. */
struct st_wait_part {
    enum st_wait_sort sort;
    bool from_nearby; /* COLLECTIVE: it can go on before all members have come */
    bool of_some;     /* COLLECTIVE: it is of some members, and nobody knows which */
    bool is_request;
    bool is_complete; /* a request that MPI has completed, but that the program does not know to
                         be complete yet */
    size_t comm;      /* index into comms; ST_NO_COMM: not known */
    int32_t peer;     /* rank in the communicator; ST_PEER_ANY; ST_PEER_NONE: not known */
    int32_t world;    /* the same process in its MPI_COMM_WORLD; ST_PEER_ANY; ST_PEER_NONE: not
                         known */
    uint64_t process; /* its gpid, if `world` is a rank */
    uint64_t n;       /* COLLECTIVE: the call's number on the communicator; 0: not known */
    int32_t tag;      /* or ST_PEER_ANY; ST_PEER_NONE: not known. LOCK: enum st_win_lock */
    uint32_t starts;  /* persistent COLLECTIVE: how many times it was started; else 0 */
    char function[ST_FUNCTION_BYTES]; /* the function that made it: "MPI_Irecv" */
    uint32_t site;                    /* for a request: where it was created; else ST_NO_SITE */
    uint64_t handle;                  /* for a request: its handle; else 0 */
    uint64_t thread; /* for a blocking call that sends or receives: its thread; else 0 */
    /* A partitioned send that was started: how many partitions it has, and how many of them were not
     * marked as ready, with a bit for each of the first 64 of these; else 0. */
    uint32_t partitions, unready;
    uint64_t unready_bits;
};

struct st_wait_thread {
    uint64_t id;         /* the rank's number of the thread */
    bool in_call;        /* false: it is outside MPI, and the members below mean
                                         nothing */
    bool runs;           /* it may go on whatever the others do */
    size_t first, count; /* its parts: it waits for at least one of those that are not complete */
    char function[ST_FUNCTION_BYTES]; /* "MPI_Recv" */
    struct st_thread_call call;       /* the innermost call */
};

/* How a rank takes part in the job. */
enum st_wait_presence {
    ST_WAIT_PRESENT,
    ST_WAIT_UNSEEN,  /* nothing is known of it: it counts as running */
    ST_WAIT_LEAVING, /* in MPI_Finalize, after the program's last callback */
    ST_WAIT_LEFT,    /* MPI_Finalize has returned */
    ST_WAIT_ENDED    /* the process has ended */
};

/* The worlds of a job, by their names in gpids. The launcher's world is first, then the spawned
 * ones. */
struct st_wait_worlds {
    const uint64_t *names;
    size_t count;
};

struct st_wait_messages;

struct st_wait_rank {
    int32_t world_rank; /* -1: not known */
    enum st_wait_presence presence;
    uint64_t world; /* the name of its MPI_COMM_WORLD in gpids; 0: not known */
    bool is_stuck;  /* set by the caller: nothing of the rank has changed for long enough */
    struct st_wait_thread *threads; /* threads that have called MPI and have not ended */
    size_t thread_count;
    struct st_wait_part *parts; /* the parts of the threads' calls */
    struct st_wait_comm *comms;
    size_t comm_count;
    struct st_wait_part *pending; /* requests that the program does not know to be complete, and
                                     blocking calls */
    size_t pending_count;
    size_t part_count;
    size_t thread_room, part_room, comm_room, pending_room;
    int32_t world_size;                  /* -1: not known */
    const struct st_wait_worlds *worlds; /* the same for all ranks of the job; NULL: there is one
                                            world */
    /* Those that the ranks of the job have sent (messages.h); NULL: nothing is known of them. */
    const struct st_wait_messages *messages;
    struct st_progress *progress; /* as the rank shows it; NULL: it was not read */
};

/* Reads all members except rank->is_stuck, which stays, and frees their old contents. The caller
 * has refreshed the registry. */
enum st_error st_wait_read(struct st_registry *registry, st_read_fn read, void *context,
                           struct st_wait_rank *rank, struct st_fault *fault);
void st_wait_rank_free(struct st_wait_rank *rank);

/* Finds the process of the part's peer: sets `world` and `process`. */
void st_wait_find_process(const struct st_wait_rank *rank, struct st_wait_part *part);

/* True for the functions, such as MPI_Barrier, that all members of a communicator call in the same
 * order. */
bool st_wait_is_collective(const char *function);

/* The innermost MPI call that the thread is in, or NULL if the thread is, or may be, outside MPI. */
const struct st_thread_call *st_wait_innermost(const struct st_thread *thread);

#endif
