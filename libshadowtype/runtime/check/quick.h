/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quick path: if a few comparisons show that nothing is wrong with a call, its wrapper calls MPI
 * at once, past all checks. Most calls of a program are such calls. What is compared never changes
 * while MPI runs, or belongs to the calling thread, so no lock is needed.
 *
 * The generator writes these comparisons into each wrapper, from the roles of the parameters
 * (wrap/generate/quick_part.py). A group of checks that must see such calls says so
 * (check_groups.h), and then they are not quick.
 */
#ifndef ST_RUNTIME_CHECK_QUICK_H
#define ST_RUNTIME_CHECK_QUICK_H

#include <stdatomic.h>

#include "runtime/record/arena.h"
#include "runtime/check/check.h"
#include "runtime/wrap/constants.h"
#include "runtime/record/layouts.h"
#include "runtime/objects/pending.h"
#include "runtime/record/lock.h"
#include "runtime/record/table.h"

enum { ST_LOG2_QUICK = 10 };

extern struct st_quick {
    uint64_t world; /* MPI_COMM_WORLD; 0: not there */
    int32_t world_size, world_rank;
    uint32_t tag_ub;
    int32_t any_source, any_tag;
    uint64_t in_place, request_null;
    uint64_t multiplier;                /* with which no two predefined types share a place */
    uint64_t types[1 << ST_LOG2_QUICK]; /* predefined types with data, each in the only place
                                           where it may be */
    struct {
        uint32_t node, bytes;    /* bytes 0: it has gaps */
    } basic[1 << ST_LOG2_QUICK]; /* of the type in the same place */
} st_quick __attribute__((visibility("hidden")));

/* Grows whenever a communicator is freed. */
extern _Atomic uint32_t st_quick_epoch __attribute__((visibility("hidden")));

struct st_quick_comm {
    uint64_t comm;
    uint32_t epoch;
    int32_t size, rank;
    bool inter;
};
/* The last one that this thread used, except MPI_COMM_WORLD. */
extern _Thread_local struct st_quick_comm st_quick_last
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

void st_quick_begin(bool world);

static inline uint32_t st_quick_place_by(uint64_t handle, uint64_t multiplier)
{
    return (uint32_t)(handle * multiplier >> (64 - ST_LOG2_QUICK));
}

/* Returns a multiplier with which as few of the handles as possible share a place: for up to 100
 * handles, none. */
uint64_t st_quick_spread(const uint64_t *handles, uint32_t count);

static inline uint32_t st_quick_place(uint64_t handle)
{
    return st_quick_place_by(handle, st_quick.multiplier);
}

/* Returns true if it is a predefined datatype with data. */
static inline bool st_quick_type(uint64_t handle)
{
    return st_quick.types[st_quick_place(handle)] == handle;
}

/* Returns the size of a communicator that is known to be in use; 0 if not known. */
static inline int32_t st_quick_size(uint64_t comm)
{
    if (__builtin_expect(comm == st_quick.world, 1)) {
        return st_quick.world_size;
    }
    if (comm == st_quick_last.comm &&
        st_quick_last.epoch == atomic_load_explicit(&st_quick_epoch, memory_order_relaxed)) {
        return st_quick_last.size;
    }
    return 0;
}

/* Returns this rank's number in a communicator whose size is known (st_quick_size()). */
static inline int32_t st_quick_me(uint64_t comm)
{
    return comm == st_quick.world ? st_quick.world_rank : st_quick_last.rank;
}

/* Returns true if the communicator is known to be in use; INTRA: and is no intercommunicator. */
static inline bool st_quick_comm(uint64_t comm, bool intra)
{
    return st_quick_size(comm) && (!intra || comm == st_quick.world || !st_quick_last.inter);
}

/* A derived type that a program uses again and again: facts that are valid while its node lives. */
struct st_quick_derived {
    uint64_t handle, serial;
    const struct st_node *node; /* NULL: the entry is empty */
    const struct st_shape *shape;
    uint32_t ordinal;
    int64_t count; /* the last count, and the bounds of so many elements at address 0 */
    struct st_buffer bytes;
};

/* Returns the facts of a committed type with a known layout; NULL for other types, or if there are
 * threads. Valid until the next call of MPI. */
struct st_quick_derived *st_quick_derived(uint64_t type);

/* Returns true if nothing is wrong with `count` elements at an address. */
bool st_quick_shaped(const void *buffer, int64_t count, uint64_t type, uint8_t access);

/* Returns true if `count` elements at an address can be sent, or received. */
static inline bool st_quick_data(const void *buffer, int64_t count, uint64_t type, uint8_t access)
{
    return count >= 0 && buffer && (uint64_t)(uintptr_t)buffer != st_quick.in_place &&
           (__builtin_expect(st_quick_type(type), 1) ||
            st_quick_shaped(buffer, count, type, access));
}

static inline bool st_quick_tag(int tag)
{
    return (uint32_t)tag <= st_quick.tag_ub;
}

static inline bool st_quick_anytag(int tag)
{
    return (uint32_t)tag <= st_quick.tag_ub || tag == st_quick.any_tag;
}

/* These also show that the communicator is in use. */
static inline bool st_quick_rank(int rank, uint64_t comm)
{
    return rank >= 0 && rank < st_quick_size(comm);
}

static inline bool st_quick_source(int source, uint64_t comm)
{
    const int32_t size = st_quick_size(comm);
    return source < size && (source >= 0 || (source == st_quick.any_source && size));
}

/* The status is not null, or null is MPI_STATUS_IGNORE, which the compiler knows. */
#define st_quick_status(status) (!MPI_STATUS_IGNORE || (status))
/* A status that MPI reads. */
#define st_quick_given(status) ((status) && (status) != MPI_STATUS_IGNORE)

/* No operation is pending, and no other thread calls MPI. */
static inline bool st_quick_alone(void)
{
    return !atomic_load_explicit(&st_pending_active, memory_order_relaxed) &&
           !atomic_load_explicit(&st_lock_armed, memory_order_relaxed);
}

/* Arguments of a datatype constructor that cannot cause an overflow with a predefined old type. */
static inline bool st_quick_number(int64_t number)
{
    return (uint64_t)number < UINT64_C(1) << 24;
}

static inline bool st_quick_stride(int64_t stride)
{
    return (uint64_t)stride + (UINT64_C(1) << 28) < UINT64_C(1) << 29;
}

/* Pairs of a predefined operation and a predefined datatype that ops.c has found right, each at its
 * own place, as a number that other pairs are unlikely to have. A pair stays right while the
 * process runs. */
enum { ST_LOG2_RIGHT = 6 };
extern _Atomic uint64_t st_quick_right[1 << ST_LOG2_RIGHT] __attribute__((visibility("hidden")));

static inline uint64_t st_quick_pair(uint64_t op, uint64_t type, bool accumulate)
{
    uint64_t pair = (op ^ (op >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
    pair = (pair ^ type ^ (type << 31) ^ accumulate) * UINT64_C(0x9E3779B97F4A7C15);
    return (pair ^ (pair >> 32)) | 1;
}

static inline bool st_quick_is_right(uint64_t pair)
{
    return atomic_load_explicit(&st_quick_right[pair >> (64 - ST_LOG2_RIGHT)],
                                memory_order_relaxed) == pair;
}

/* A reduction to all ranks is right: a predefined datatype without gaps, an operation that accepts
 * it, and two buffers that do not overlap, or MPI_IN_PLACE. */
static inline bool st_quick_reduced(const void *send, const void *recv, int64_t count,
                                    uint64_t type, uint64_t op, uint64_t comm, bool intra)
{
    const uint64_t from = (uint64_t)(uintptr_t)send, to = (uint64_t)(uintptr_t)recv;
    const uint32_t place = st_quick_place(type);
    const uint64_t bytes = (uint64_t)count * st_quick.basic[place].bytes;
    const bool in_place = st_is_in_place(from);
    return st_quick.types[place] == type && st_quick.basic[place].bytes && st_quick_number(count) &&
           send && recv && !st_is_in_place(to) &&
           (in_place || (from - to >= bytes && to - from >= bytes)) &&
           st_quick_is_right(st_quick_pair(op, type, false)) &&
           st_quick_comm(comm, intra || in_place);
}

/* What is sent and what is received are predefined datatypes without gaps, in two buffers that do not overlap. */
static inline bool st_quick_apart(const void *send, int64_t send_count, uint64_t send_type,
                                  const void *recv, int64_t recv_count, uint64_t recv_type)
{
    const uint64_t from = (uint64_t)(uintptr_t)send, to = (uint64_t)(uintptr_t)recv;
    const uint32_t sent = st_quick_place(send_type), received = st_quick_place(recv_type);
    const uint64_t from_bytes = (uint64_t)send_count * st_quick.basic[sent].bytes;
    const uint64_t to_bytes = (uint64_t)recv_count * st_quick.basic[received].bytes;
    return st_quick.types[sent] == send_type && st_quick.types[received] == recv_type &&
           st_quick.basic[sent].bytes && st_quick.basic[received].bytes &&
           st_quick_number(send_count) && st_quick_number(recv_count) && send && recv &&
           !st_is_in_place(from) && !st_is_in_place(to) &&
           (to - from >= from_bytes || !from_bytes) && (from - to >= to_bytes || !to_bytes);
}

/* The same for a collective call in which a rank sends this many blocks to ranks, and receives this
 * many, all of `count` elements: also what it sends to itself is right then. */
static inline bool st_quick_blocks(const void *send, int64_t send_count, uint64_t send_type,
                                   int32_t sends, const void *recv, int64_t recv_count,
                                   uint64_t recv_type, int32_t receives)
{
    const uint64_t from = (uint64_t)(uintptr_t)send, to = (uint64_t)(uintptr_t)recv;
    const uint32_t place = st_quick_place(send_type);
    const uint64_t block = (uint64_t)send_count * st_quick.basic[place].bytes;
    return send_type == recv_type && send_count == recv_count &&
           st_quick.types[place] == send_type && st_quick.basic[place].bytes &&
           st_quick_number(send_count) && send && recv && !st_is_in_place(from) &&
           !st_is_in_place(to) && (to - from >= block * (uint32_t)sends || !block) &&
           (from - to >= block * (uint32_t)receives || !block);
}

/* Returns true if a rank other than the root can send, or receive, these elements. */
static inline bool st_quick_at_leaf(const void *buffer, int64_t count, uint64_t type,
                                    uint8_t access)
{
    return st_quick_data(buffer, count, type, access) &&
           !st_is_in_place((uint64_t)(uintptr_t)buffer);
}

/* MPI_Gather, MPI_Scatter, and MPI_Allgather, MPI_Alltoall. `root` is a rank of `comm`. */
static inline bool st_quick_gathered(const void *send, int64_t send_count, uint64_t send_type,
                                     const void *recv, int64_t recv_count, uint64_t recv_type,
                                     int root, uint64_t comm)
{
    return st_quick_comm(comm, true) &&
           (root == st_quick_me(comm) ? st_quick_blocks(send, send_count, send_type, 1, recv,
                                                        recv_count, recv_type, st_quick_size(comm))
                                      : st_quick_at_leaf(send, send_count, send_type, ST_READ));
}

static inline bool st_quick_scattered(const void *send, int64_t send_count, uint64_t send_type,
                                      const void *recv, int64_t recv_count, uint64_t recv_type,
                                      int root, uint64_t comm)
{
    return st_quick_comm(comm, true) &&
           (root == st_quick_me(comm)
                ? st_quick_blocks(send, send_count, send_type, st_quick_size(comm), recv,
                                  recv_count, recv_type, 1)
                : st_quick_at_leaf(recv, recv_count, recv_type, ST_WRITE));
}

static inline bool st_quick_from_all(const void *send, int64_t send_count, uint64_t send_type,
                                     const void *recv, int64_t recv_count, uint64_t recv_type,
                                     uint64_t comm, bool to_all)
{
    return st_quick_comm(comm, true) &&
           st_quick_blocks(send, send_count, send_type, to_all ? st_quick_size(comm) : 1, recv,
                           recv_count, recv_type, st_quick_size(comm));
}

/* MPI_Reduce, whose `root` is a rank of `comm`. */
static inline bool st_quick_reduced_at(const void *send, const void *recv, int64_t count,
                                       uint64_t type, uint64_t op, int root, uint64_t comm)
{
    if (!st_quick_comm(comm, true)) {
        return false;
    }
    return root == st_quick_me(comm)
               ? st_quick_reduced(send, recv, count, type, op, comm, true)
               : st_quick_type(type) && st_quick_is_right(st_quick_pair(op, type, false)) &&
                     st_quick_at_leaf(send, count, type, ST_READ);
}

/* MPI_Reduce_scatter_block */
static inline bool st_quick_reduced_blocks(const void *send, const void *recv, int64_t count,
                                           uint64_t type, uint64_t op, uint64_t comm)
{
    return st_quick_comm(comm, true) &&
           st_quick_blocks(send, count, type, st_quick_size(comm), recv, count, type, 1) &&
           st_quick_is_right(st_quick_pair(op, type, false));
}

/* A live datatype without these flags. */
static inline bool st_quick_without(uint64_t type, uint8_t flags)
{
    if (atomic_load_explicit(&st_lock_armed, memory_order_relaxed)) {
        return false;
    }
    uint32_t ordinal = st_table_find(type);
    return ordinal != ST_NO_NODE && !(st_node_at(ordinal)->flags & flags);
}

/* Returns true if the call is one of the user's program, and no one must see each call. */
static inline bool st_quick_is_hot(const void *pc)
{
    const struct st_range *hot = atomic_load_explicit(&st_hot_range, memory_order_acquire);
    return hot && (uintptr_t)pc - hot->low < hot->bytes && !st_detours_now();
}

/* Returns the function to call at once, if the call is the user's, nothing in it can be wrong, and
 * no check need see its return; NULL: it must be checked. IS_RIGHT: the condition of its function
 * holds. */
static inline void *st_quick_next(struct st_function *function, enum st_entry entry, const void *pc,
                                  bool is_right)
{
    if (!st_quick_is_hot(pc)) {
        return NULL;
    }
    void *next = atomic_load_explicit(&function->next[entry], memory_order_acquire);
    uint8_t checks = atomic_load_explicit(&function->checks, memory_order_acquire);
    if (__builtin_expect(checks != ST_CHECKS_QUICK, 0)) {
        return checks == ST_CHECKS_OFF ? next : NULL;
    }
    if (!next || !is_right) {
        return NULL;
    }
    st_check_count();
    return next;
}

/* For a call that completes requests, if its other arguments are right: does
 * st_quick_completion_before() if it can be quick. */
static inline bool st_quick_completion(struct st_checked *checked,
                                       const struct st_function *function,
                                       const struct st_form *form, const struct st_call *call,
                                       const uint64_t *values, int number)
{
    return st_quick_is_hot(call->pc) &&
           atomic_load_explicit(&function->checks, memory_order_acquire) == ST_CHECKS_QUICK &&
           !atomic_load_explicit(&st_lock_armed, memory_order_relaxed) &&
           st_quick_completion_before(checked, form, call, values, number);
}

#endif
