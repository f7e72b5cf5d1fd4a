/*
 * The windows of this rank whose one-sided calls are compared (core/races): what of their memory and of their epochs the
 * comparison needs. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_WIN_MEMORY_H
#define ST_RUNTIME_RANKS_WIN_MEMORY_H

#include "core/agree/clock.h"
#include "runtime/wrap/facts.h"

enum { ST_FENCES_KEPT = 8 };

struct st_win_memory {
    uint64_t id; /* of this job; 0: not in use */
    uint64_t handle;
    const struct st_comm *comm; /* it may be gone: then it has another serial */
    uint64_t serial;
    /* The own memory, in bytes. MPI_Win_create_dynamic: displacements are addresses. */
    uint64_t base, bytes;
    int64_t unit;
    bool is_dynamic, is_shared;
    bool
        is_compared; /* all of its ranks are of this node, and none may load and store in another's memory */
    bool
        has_fetched; /* this rank has begun an atomic access that gives a value, and not ended it */
    uint32_t fences; /* how many this rank has passed */
    uint32_t fence_ticks
        [ST_FENCES_KEPT]; /* this rank's tick when it came to fence n: at n % ST_FENCES_KEPT */
    uint32_t post_tick;   /* and to its last MPI_Win_post */
    uint32_t size;
    uint32_t places[ST_CLOCK_RANKS]; /* of its ranks, in the table of ranks */
};

/* A window that is not known yet is from now on. MPI is asked: the caller does not hold the lock. */
void st_win_memory_learn(uint64_t handle);

/* Finds the window of a handle. NULL: it is not known, or there are too many. */
struct st_win_memory *st_win_memory_of(uint64_t handle);
/* The same by its id. */
struct st_win_memory *st_win_memory_named(uint64_t id);
/* One of those with memory in first..last; NULL: none. */
struct st_win_memory *st_win_memory_at(uint64_t first, uint64_t last);
/* True if there are any. Takes no lock. */
bool st_win_memory_is_any(void);
/* The window is gone. */
void st_win_memory_drop(struct st_win_memory *window);

/* The rank in the window of a place in the table of ranks; -1: none. */
int32_t st_win_memory_rank(const struct st_win_memory *window, uint32_t place);

#endif
