/*
 * The calls that cost least: where a few comparisons show that nothing can be wrong, nothing else
 * is looked at. What is read here never changes while MPI runs, or is the calling thread's own.
 */
#ifndef ST_RUNTIME_CHECK_QUICK_H
#define ST_RUNTIME_CHECK_QUICK_H

#include <stdatomic.h>

#include "runtime/check/facts.h"

enum { ST_LOG2_QUICK = 10 };

extern struct st_quick {
    uint64_t world; /* MPI_COMM_WORLD; 0: none */
    int32_t world_size;
    uint32_t tag_ub;
    int32_t any_source, any_tag;
    uint64_t in_place;
    uint64_t types[1 << ST_LOG2_QUICK]; /* predefined ones with data, each in its only place */
} st_quick __attribute__((visibility("hidden")));

/* Grows whenever a communicator goes. */
extern _Atomic uint32_t st_quick_epoch __attribute__((visibility("hidden")));

struct st_quick_comm {
    uint64_t comm;
    uint32_t epoch;
    int32_t size;
    bool inter;
};
/* The last one that this thread used, but for MPI_COMM_WORLD. */
extern _Thread_local struct st_quick_comm st_quick_last
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

void st_quick_begin(bool world);

static inline uint32_t st_quick_place(uint64_t handle)
{
    return (uint32_t)(handle * UINT64_C(0x9E3779B97F4A7C15) >> (64 - ST_LOG2_QUICK));
}

static inline bool st_quick_type(uint64_t handle)
{
    return st_quick.types[st_quick_place(handle)] == handle;
}

/* The size of a communicator that is known to be in use; 0: not known. */
static inline int32_t st_quick_size(uint64_t comm)
{
    if (__builtin_expect(comm == st_quick.world, 1))
        return st_quick.world_size;
    if (comm == st_quick_last.comm &&
        st_quick_last.epoch == atomic_load_explicit(&st_quick_epoch, memory_order_relaxed))
        return st_quick_last.size;
    return 0;
}

static inline bool st_quick_comm(uint64_t comm, bool intra)
{
    return st_quick_size(comm) && (!intra || comm == st_quick.world || !st_quick_last.inter);
}

static inline bool st_quick_data(const void *buffer, int64_t count, uint64_t type)
{
    return count >= 0 && buffer && (uint64_t)(uintptr_t)buffer != st_quick.in_place &&
           st_quick_type(type);
}

static inline bool st_quick_dest(const void *buffer, int64_t count, uint64_t type, int dest,
                                 int tag, uint64_t comm)
{
    return st_quick_data(buffer, count, type) && (uint32_t)tag <= st_quick.tag_ub && dest >= 0 &&
           dest < st_quick_size(comm);
}

static inline bool st_quick_source(const void *buffer, int64_t count, uint64_t type, int source,
                                   int tag, uint64_t comm)
{
    return st_quick_data(buffer, count, type) &&
           ((uint32_t)tag <= st_quick.tag_ub || tag == st_quick.any_tag) &&
           (source >= 0 || source == st_quick.any_source) && source < st_quick_size(comm);
}

#endif
