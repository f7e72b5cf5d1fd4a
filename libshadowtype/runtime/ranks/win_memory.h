/*
 * The windows of this rank whose one-sided calls are compared (core/races): the facts of their
 * memory and epochs that the comparison needs. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_WIN_MEMORY_H
#define ST_RUNTIME_RANKS_WIN_MEMORY_H

#include "core/agree/clock.h"
#include "runtime/wrap/facts.h"

enum { ST_FENCES_KEPT = 8 };

struct st_win_memory {
    uint64_t id; /* id in this job; 0: not in use */
    uint64_t handle;
    const struct st_comm *comm; /* may be gone: then it has another serial */
    uint64_t serial;
    /* The memory of this rank, in bytes. MPI_Win_create_dynamic: displacements are addresses. */
    uint64_t base, bytes;
    int64_t unit;
    bool is_dynamic, is_shared;
    bool is_compared; /* all of its ranks are on this node, and none can load and store in
                        another's memory */
    bool has_fetched; /* this rank has begun an atomic access that returns a value, and not ended
                        it */
    uint32_t fences;  /* how many fences this rank has passed */
    uint32_t fence_ticks
        [ST_FENCES_KEPT]; /* this rank's tick when it came to fence n: at n % ST_FENCES_KEPT */
    uint32_t post_tick;   /* the same for its last MPI_Win_post */
    uint32_t size;
    uint32_t places[ST_CLOCK_RANKS]; /* its ranks, as indices in the table of ranks */
};

/* Adds a window that is not known yet. Asks MPI: the caller must not hold the lock. */
void st_win_memory_learn(uint64_t handle);

/* Returns the window of a handle; NULL if it is not known, or if there are too many. */
struct st_win_memory *st_win_memory_of(uint64_t handle);
/* Returns it by its id. */
struct st_win_memory *st_win_memory_named(uint64_t id);
/* Returns a window with memory in first..last; NULL if there is none. */
struct st_win_memory *st_win_memory_at(uint64_t first, uint64_t last);
/* Returns true if there are any. Takes no lock. */
bool st_win_memory_is_any(void);
/* The window is gone. */
void st_win_memory_drop(struct st_win_memory *window);

/* Returns the rank in the window for an index in the table of ranks; -1 if there is none. */
int32_t st_win_memory_rank(const struct st_win_memory *window, uint32_t place);

#endif
