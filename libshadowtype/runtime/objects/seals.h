/*
 * What pending operations send, sealed (seal.h): --check=modified. Made when a buffer becomes MPI's,
 * held against it when the operation is complete; off, none of this is there.
 *
 * A seal belongs to a buffer of a record by its number (pending.h). It is gone when the buffer is
 * active no more, whoever says so. Memory that a pending operation, or another call, writes as well has
 * none: buffer-overlap is the finding there, and MPI itself may write where it is MPI_IN_PLACE.
 */
#ifndef ST_RUNTIME_OBJECTS_SEALS_H
#define ST_RUNTIME_OBJECTS_SEALS_H

#include "runtime/objects/pending.h"
#include "runtime/objects/seal.h"

/* Whether there are any; changes at MPI_Init only. */
extern bool st_seals_on __attribute__((visibility("hidden")));

/* From now on. False: the system does not let memory be read safely. */
bool st_seals_begin(void);

/* Seals what the operation reads and is active, and has none yet. Without the lock: it takes it, but
 * not while it reads. */
void st_seals_make(struct st_record_name name);

/* Takes the seal of a buffer over, which has none any more. False: it has none. Under the lock. */
bool st_seals_take(uint32_t number, struct st_seal *seal);

/* The buffer has none, and (spoil) gets none as long as it is active. Under the lock. */
void st_seals_drop(uint32_t number);
void st_seals_spoil(uint32_t number);

/* None of the operation's buffers has one: it is cancelled. Under the lock. */
void st_seals_drop_all(const struct st_record *record);

#endif
