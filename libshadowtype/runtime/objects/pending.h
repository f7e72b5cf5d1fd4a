/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffers of pending operations: which of them MPI uses now, and which of those overlap a new
 * one.
 *
 * A record (records.h) has a list of buffers, each active or not (core/model/registry.h). The
 * active ones are in one of two interval trees (core/overlap/active.h): buffers that MPI reads, and
 * buffers that it writes. Any number of operations may read the same memory. The layouts and
 * datatypes of a buffer live as long as the buffer, whatever the program frees meanwhile.
 *
 * The caller holds the recorder's lock. For changes it has opened a change (operations.h).
 */
#ifndef ST_RUNTIME_OBJECTS_PENDING_H
#define ST_RUNTIME_OBJECTS_PENDING_H

#include <stdatomic.h>

#include "core/overlap/active.h"
#include "runtime/objects/records.h"
#include "runtime/wrap/uses.h"

/* The number of active buffers. As long as it is 0, and there is only one thread, a blocking call
 * cannot overlap any. */
extern _Atomic uint32_t st_pending_active __attribute__((visibility("hidden")));

/* Disables the fast path: from now on every call's buffers are compared. */
void st_pending_watch(void);

/* Makes a list of buffers for a record that will be made next. Returns its st_record.buffers; 0 if
 * the call has no buffers, or if there is no memory for all. */
uint32_t st_pending_take(const struct st_uses *uses);

/* Does the same for one buffer that is active as soon as its record is; a copy of `like`, except
 * `next`. */
uint32_t st_pending_take_one(const struct st_buffer *bytes, const struct st_record_buffer *like);

/* Frees a list that belongs to no record. */
void st_pending_give(uint32_t first);

/* Activates the record's buffers for which st_pending_starts() is true. */
void st_pending_start(const struct st_record *record);
/* Deactivates all buffers of the record. */
void st_pending_stop(const struct st_record *record);
/* Activates or deactivates the partitions low..high, as the program numbers them. */
void st_pending_partitions(const struct st_record *record, int64_t low, int64_t high, bool active);

/* A buffer that stays valid when the lock is released, until st_pending_let_go(). */
struct st_held_buffer {
    struct st_buffer bytes;
    struct st_record_buffer published;
};
void st_pending_hold(uint32_t number, struct st_held_buffer *held);
void st_pending_let_go(const struct st_held_buffer *held);

/* Returns true if MPI writes at least one of its buffers. */
bool st_pending_writes(const struct st_record *record);

/* Removes a record with all its buffers. */
void st_pending_remove(struct st_record *record);

/* Marks the operation as possibly active, because nothing tells when it ends: it is no longer used to
 * report errors. */
void st_pending_doubt(struct st_record *record);

/* Does the same for the records of one handle, from `record` (may be NULL) on to older ones, whose
 * serial is at most `serial`. Possibly active records are after all others. */
void st_pending_doubt_older(struct st_record *record, uint64_t serial);

/* A receive never shares its request handle: if `record` (may be NULL) receives, older records of
 * its handle are stale, and are marked as possibly active. */
void st_pending_supersede(const struct st_record *record);

/* A pending operation whose buffer shares memory with another one. */
struct st_meeting {
    struct st_record record;
    struct st_record_buffer buffer;
    struct st_shared shared; /* a contiguous piece of the shared memory */
    int64_t bytes;           /* number of shared bytes; -1: not known */
};

/* Finds the first pending operation, except `own`, that `buffer` overlaps and must not: one that writes, or any
 * if `access` is ST_WRITE. Returns false if there is none, or that cannot be found out. */
bool st_pending_meets(const struct st_buffer *buffer, uint8_t access, const struct st_record *own,
                      struct st_meeting *meeting);

/* The buffers that MPI reads, and those that it writes. Only for the next function. */
extern struct st_actives st_pending_readers,
    st_pending_writers __attribute__((visibility("hidden")));

/* Returns false if no active buffer can overlap: then st_pending_meets() need not be called. */
static inline bool st_pending_may_meet(const struct st_buffer *buffer, uint8_t access)
{
    return st_actives_near(&st_pending_writers, buffer) ||
           (access == ST_WRITE && st_actives_near(&st_pending_readers, buffer));
}

/* Sets shared->address to the first byte of both buffers, if that is easy to find; else does not
 * change it. */
void st_shared_first(const struct st_buffer *a, const struct st_buffer *b,
                     struct st_shared *shared);

/* A pending operation, or a call, writes `buffer`. MPI itself changes that memory, so the seals of
 * pending sends of it are dropped (seals.h). */
void st_pending_spoil(const struct st_buffer *buffer);
/* Returns true if certainly no pending operation writes memory of the active buffer `number`. */
bool st_pending_unwritten(uint32_t number);

/* --- memory that the program no longer owns (gone.h) --- */

/* Finds an active buffer of a pending operation of `thread` that is completely in [from, to), and
 * for which st_pending_gone() was not called. */
bool st_pending_below(uint64_t from, uint64_t to, uint32_t thread, uint32_t *number);
/* The memory of the buffer is gone, which has been reported: the buffer is not compared with others
 * any more. */
void st_pending_gone(uint32_t number);
/* Returns the stack pointer of the call that passed the buffer; 0 if it is not known. The second
 * function sets it for the buffers that are made next. */
uint64_t st_pending_sp(uint32_t number);
void st_pending_passed(const struct st_call *call);
/* Returns the beginning of the heap block that contained it when the operation started; 0 if it was
 * in none, or if --check=size is off. */
uint64_t st_pending_block(uint32_t number);

/* Returns the bytes of a buffer by its number, and sets *published to the part that a debugger reads. */
const struct st_buffer *st_pending_buffer(uint32_t number,
                                          const struct st_record_buffer **published);
/* Returns true if the buffer is active as soon as its record is. */
bool st_pending_starts(uint32_t number);

#endif
