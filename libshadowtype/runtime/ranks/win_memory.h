/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The windows of this rank whose one-sided calls are compared (core/races): the facts of their
 * memory and epochs that the comparison needs. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_WIN_MEMORY_H
#define ST_RUNTIME_RANKS_WIN_MEMORY_H

#include "core/agree/clock.h"
#include "runtime/wrap/facts.h"

enum { ST_FENCES_KEPT = 8 };

/* A call of this rank by which others may access its memory: MPI_Win_fence, MPI_Win_post. */
struct st_win_opening {
    uint32_t tick;  /* this rank's tick when it came to the call */
    uint32_t place; /* call site (places.h) */
    bool no_put;    /* it asserts MPI_MODE_NOPUT */
    bool no_check;  /* MPI_Win_post: it asserts MPI_MODE_NOCHECK */
};

struct st_win_memory {
    uint64_t id; /* id in this job; 0: not in use */
    uint64_t handle;
    const struct st_comm *comm; /* may be gone: then it has another serial */
    uint64_t serial;
    /* The memory of this rank, in bytes. MPI_Win_create_dynamic: displacements are addresses. */
    uint64_t base, bytes;
    int64_t unit;
    bool is_dynamic, is_shared;
    bool
        is_compared; /* all of its ranks are of this node, and none may load and store in another's memory */
    bool
        has_fetched; /* this rank has begun an atomic access that gives a value, and not ended it */
    bool mixes_operations; /* its info says that operations may meet: accumulate_ops */
    bool starts_unchecked; /* the last MPI_Win_start has asserted MPI_MODE_NOCHECK */
    uint32_t fences;       /* how many this rank has passed */
    struct st_win_opening fenced[ST_FENCES_KEPT]; /* fence n: at n % ST_FENCES_KEPT */
    struct st_win_opening posted;                 /* the last MPI_Win_post */
    /* Call sites (places.h) of what has opened the epochs: the last fence, MPI_Win_start or MPI_Win_lock_all, and each
     * target's lock. */
    uint32_t fence_place, access_place;
    uint32_t lock_places[ST_CLOCK_RANKS];
    uint32_t size;
    uint32_t places[ST_CLOCK_RANKS]; /* its ranks, as indices in the table of ranks */
};

/* A window that is not known yet is from now on. MPI is asked: the caller does not hold the lock.
 * made  the call that has made it, MPI_Win_create or its like; NULL: it was made before */
void st_win_memory_learn(uint64_t handle, const struct st_facts *made);

/* Its info may be another one. The caller does not hold the lock. */
void st_win_memory_ask_info(uint64_t handle);

/* Returns the window of a handle; NULL if it is not known, or if there are too many. */
struct st_win_memory *st_win_memory_of(uint64_t handle);
/* Returns it by its id. */
struct st_win_memory *st_win_memory_named(uint64_t id);
/* Finds how much memory a rank of the window has there, and in which units. Returns false if that is not known: it is a
 * dynamic one, the rank is of another node, or has only begun to make it. Takes the lock. */
bool st_win_memory_extent(uint64_t handle, int64_t rank, int64_t *bytes, int64_t *unit);
/* The same; the caller holds the lock. */
bool st_win_memory_extent_of(const struct st_win_memory *window, int64_t rank, int64_t *bytes,
                             int64_t *unit);
/* One of those with memory in first..last; NULL: none. */
struct st_win_memory *st_win_memory_at(uint64_t first, uint64_t last);
/* Returns true if there are any. Takes no lock. */
bool st_win_memory_is_any(void);
/* The window is gone. */
void st_win_memory_drop(struct st_win_memory *window);

/* Returns the rank in the window for an index in the table of ranks; -1 if there is none. */
int32_t st_win_memory_rank(const struct st_win_memory *window, uint32_t place);

#endif
