/*
 * The buffers of pending operations: which of them MPI uses now, and which of those meet a new one.
 *
 * A record (records.h) has its buffers as a list; they are active or not (core/model/registry.h). Those
 * that are stand in one of two interval trees (core/overlap/active.h), of what MPI reads and of what
 * it writes, because any number of operations may read the same memory. Layouts and datatypes that
 * a buffer needs live as long as it does, whatever the program frees meanwhile.
 *
 * The caller holds the recorder's lock, and has opened a change (operations.h) where one is made.
 */
#ifndef ST_RUNTIME_OBJECTS_PENDING_H
#define ST_RUNTIME_OBJECTS_PENDING_H

#include <stdatomic.h>

#include "core/overlap/active.h"
#include "runtime/objects/records.h"
#include "runtime/wrap/uses.h"

/* How many buffers are active: while none is, and no threads are there, a blocking call cannot meet
 * any. */
extern _Atomic uint32_t st_pending_active __attribute__((visibility("hidden")));

/* From now on as if one always were: no call's buffers pass unseen. */
void st_pending_watch(void);

/* The uses as buffers of a record that is yet to be made: what st_record.buffers is to be. 0: there
 * are none, or no memory for all. */
uint32_t st_pending_take(const struct st_uses *uses);

/* The same for one buffer that is MPI's from the beginning on; `like` but for `next`. */
uint32_t st_pending_take_one(const struct st_buffer *bytes, const struct st_record_buffer *like);

/* Gives back a list that no record has. */
void st_pending_give(uint32_t first);

/* The record's buffers that are MPI's from the beginning on become active. */
void st_pending_start(const struct st_record *record);
/* None of the record's buffers is MPI's any more. */
void st_pending_stop(const struct st_record *record);
/* The partitions low..high (as they were numbered by the program) become active, or inactive. */
void st_pending_partitions(const struct st_record *record, int64_t low, int64_t high, bool active);

/* A buffer that stays good when the lock is given back, until st_pending_let_go(). */
struct st_held_buffer {
    struct st_buffer bytes;
    struct st_record_buffer published;
};
void st_pending_hold(uint32_t number, struct st_held_buffer *held);
void st_pending_let_go(const struct st_held_buffer *held);

/* Whether MPI writes one of its buffers. */
bool st_pending_writes(const struct st_record *record);

/* Takes a record out with all its buffers. */
void st_pending_remove(struct st_record *record);

/* Marks the operation as possibly active, because nothing tells when it ends: it is no longer used to
 * report errors. */
void st_pending_doubt(struct st_record *record);

/* The same for the records of one handle, from `record` (may be NULL) on to older ones, whose serial is at
 * most `serial`. Records in doubt lie behind all others. */
void st_pending_doubt_older(struct st_record *record, uint64_t serial);

/* A receive never shares its request handle: older records of the handle of `record` are out of date
 * if it receives. Marks them as possibly active. `record` may be NULL. */
void st_pending_supersede(const struct st_record *record);

/* An operation that is pending and whose buffer shares memory with another one's. */
struct st_meeting {
    struct st_record record;
    struct st_record_buffer buffer;
    struct st_shared shared; /* a piece of what they share */
    int64_t bytes;           /* that they share; -1: not known */
};

/* The first operation that `buffer` must not meet, apart from `own`: one that writes, or, where
 * `access` is ST_WRITE, any. False: there is none, or it cannot be said. */
bool st_pending_meets(const struct st_buffer *buffer, uint8_t access, const struct st_record *own,
                      struct st_meeting *meeting);

/* What MPI reads, and what it writes: for the following function alone. */
extern struct st_actives st_pending_readers,
    st_pending_writers __attribute__((visibility("hidden")));

/* False: nothing that is active lies anywhere near, and st_pending_meets() need not be asked. */
static inline bool st_pending_may_meet(const struct st_buffer *buffer, uint8_t access)
{
    return st_actives_near(&st_pending_writers, buffer) ||
           (access == ST_WRITE && st_actives_near(&st_pending_readers, buffer));
}

/* The first byte that both have, where that is plain, in place of the piece that was found. */
void st_shared_first(const struct st_buffer *a, const struct st_buffer *b,
                     struct st_shared *shared);

/* A pending operation, or a call, writes `buffer`: what is sent of that memory changes by MPI itself,
 * so that it is not compared any more (seals.h). */
void st_pending_spoil(const struct st_buffer *buffer);
/* Whether it is known that no pending operation writes memory of buffer `number`, an active one. */
bool st_pending_unwritten(uint32_t number);

/* --- memory that is the program's no more (gone.h) --- */

/* Finds an active buffer of a pending operation of `thread`, all of which lies in [from, to), and that
 * st_pending_gone() was not called for. */
bool st_pending_below(uint64_t from, uint64_t to, uint32_t thread, uint32_t *number);
/* Its memory is gone, and that is found: what is there now meets it no more. */
void st_pending_gone(uint32_t number);
/* The stack pointer of the call that passed it; 0: not known. And for the buffers that are taken next. */
uint64_t st_pending_sp(uint32_t number);
void st_pending_passed(const struct st_call *call);
/* Where its block of the heap began when the operation did; 0: it was in none, or --check=size is off. */
uint64_t st_pending_block(uint32_t number);

/* A buffer of a record, by its number: its bytes, and what is published of it. */
const struct st_buffer *st_pending_buffer(uint32_t number,
                                          const struct st_record_buffer **published);
/* Whether it is MPI's as soon as the record is active. */
bool st_pending_starts(uint32_t number);

#endif
