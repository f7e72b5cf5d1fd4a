/*
 * What the threads of a rank are in and what they wait for, read from its registry.
 *
 *     struct st_wait_rank rank = {.world_rank = -1};
 *     if (st_wait_read(registry, read, context, &rank, &fault)) { ... fault ... }
 *     for (size_t i = 0; i < rank.thread_count; i++) { ... rank.threads[i].function ... }
 *     st_wait_rank_free(&rank);
 *
 * What is not understood is no wait: the thread runs. So is what is not known, as the request that no record
 * names: a rank is never said to be stuck for something that we cannot read.
 */
#ifndef ST_CORE_WAITS_STATE_H
#define ST_CORE_WAITS_STATE_H

#include "core/decode/calls.h"
#include "core/decode/decode.h"

enum st_wait_sort {
    ST_WAIT_UNKNOWN,    /* it may end at any time */
    ST_WAIT_RECEIVE,    /* a message: a posted receive */
    ST_WAIT_PROBE,      /* a message, and takes none */
    ST_WAIT_SEND,       /* a receive on the other side */
    ST_WAIT_COLLECTIVE, /* all other members of the communicator */
    ST_WAIT_POSTS,      /* a window's targets that have not called MPI_Win_post */
    ST_WAIT_COMPLETES,  /* a window's origins that have not called MPI_Win_complete */
    ST_WAIT_LOCK,       /* whoever holds the lock of a window's rank */
    ST_WAIT_LEADER      /* a process in MPI_Intercomm_create: the other leader, or the own one */
};

/* A communicator, window or file as this rank has it. */
struct st_wait_comm {
    uint64_t handle;
    enum st_kind kind;     /* ST_KIND_NONE: a communicator; ST_KIND_WIN, ST_KIND_FILE */
    uint64_t id;           /* the same in all members; 0: not known */
    uint64_t begun;        /* collective calls that this rank has begun on it; 0: not known */
    uint64_t serial;       /* what the rank has made later has a larger one; 0: not known */
    bool is_inter;         /* its ranks are those of the other group */
    int32_t size;          /* members; -1: not known */
    uint64_t *members;     /* their gpids, in the order of its ranks; NULL: the own world's */
    uint64_t *own_members; /* of an intercommunicator the own group's; else NULL */
    int32_t own_size;
    struct st_win_peer *peers; /* of a window: `size` of them; NULL: none is known */
    int32_t own_rank;          /* in its own group; -1: not known */
    char name[40];             /* "MPI_COMM_WORLD"; "": none is known */
};
#define ST_WORLD_ID UINT64_C(1)
#define ST_NO_COMM SIZE_MAX

/* An operation: of the call itself, or behind a request. */
struct st_wait_part {
    enum st_wait_sort sort;
    char function[ST_FUNCTION_BYTES]; /* that made it: "MPI_Irecv" */
    size_t comm;                      /* index into comms; ST_NO_COMM: not known */
    int32_t peer;     /* in the communicator, or ST_PEER_ANY; ST_PEER_NONE: not known */
    int32_t world;    /* the same in its MPI_COMM_WORLD; ST_PEER_ANY; ST_PEER_NONE: not known */
    uint64_t process; /* its gpid, where `world` is a rank */
    int32_t tag;      /* or ST_PEER_ANY; ST_PEER_NONE: not known. LOCK: enum st_win_lock */
    uint32_t site;    /* of a request: where it was made; else ST_NO_SITE */
    uint64_t handle;  /* of a request; else 0 */
    uint64_t thread;  /* of a blocking call that sends or receives: who is in it; else 0 */
    uint64_t n;       /* COLLECTIVE: its place in the order of the communicator; 0: not known */
    uint32_t starts;  /* of a persistent COLLECTIVE: how many times it was started; else 0 */
    bool from_nearby; /* COLLECTIVE: not all members have to come before this one can go on */
    bool is_request;
    bool is_complete; /* a request: MPI has completed it, and has not told the program yet */
};

struct st_wait_thread {
    uint64_t id;                      /* as the rank numbers its threads */
    bool in_call;                     /* else it is outside MPI, and what follows means nothing */
    struct st_thread_call call;       /* the innermost one */
    char function[ST_FUNCTION_BYTES]; /* "MPI_Recv" */
    bool runs;                        /* it may go on whatever the others do */
    size_t first, count; /* its parts: it waits for one at least of those that are not complete */
};

/* How a rank takes part. */
enum st_wait_presence {
    ST_WAIT_PRESENT,
    ST_WAIT_UNSEEN,  /* nothing is known of it: it runs */
    ST_WAIT_LEAVING, /* in MPI_Finalize, past the program's last callback */
    ST_WAIT_LEFT,    /* MPI_Finalize has returned */
    ST_WAIT_ENDED    /* the process is gone */
};

/* The worlds of a job, each by its name in gpids: the launcher's first, then those that were spawned. */
struct st_wait_worlds {
    const uint64_t *names;
    size_t count;
};

struct st_wait_rank {
    const struct st_wait_worlds *worlds; /* of all ranks of the job; NULL: there is one */
    int32_t world_rank, world_size;      /* -1: not known */
    uint64_t world; /* the name of its MPI_COMM_WORLD in gpids; 0: none is known */
    enum st_wait_presence presence;
    bool is_stuck; /* the reader's caller says so: nothing of it has changed for long enough */
    struct st_progress progress;
    uint64_t calls;
    struct st_wait_thread *threads; /* those that have called MPI and have not ended */
    size_t thread_count, thread_room;
    struct st_wait_part *parts; /* of the threads' calls */
    size_t part_count, part_room;
    struct st_wait_part *pending; /* requests that are not told complete, and blocking calls */
    size_t pending_count, pending_room;
    struct st_wait_comm *comms;
    size_t comm_count, comm_room;
};

/* Reads all of it. The registry has been refreshed by the caller. What rank->is_stuck is stays; whatever else
 * was there is freed. */
enum st_error st_wait_read(struct st_registry *registry, st_read_fn read, void *context,
                           struct st_wait_rank *rank, struct st_fault *fault);
void st_wait_rank_free(struct st_wait_rank *rank);

/* True of MPI_Barrier: all members of its communicator make such calls in the same order. */
bool st_wait_is_collective(const char *function);

/* The innermost call of a thread that runs; NULL: it is outside MPI, or it may be. */
const struct st_thread_call *st_wait_innermost(const struct st_thread *thread);

#endif
