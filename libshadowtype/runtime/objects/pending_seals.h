/*
 * Seals of what pending operations send (seals.h): made when a buffer becomes MPI's, compared when the
 * operation is complete (--check=modified).
 *
 * Memory that a pending operation, or another call, writes as well gets no seal: buffer-overlap is the
 * finding there, and MPI itself may write where it is MPI_IN_PLACE.
 */
#ifndef ST_RUNTIME_OBJECTS_PENDING_SEALS_H
#define ST_RUNTIME_OBJECTS_PENDING_SEALS_H

#include "runtime/objects/pending.h"

/* Seals the active buffers that the operation reads, and that have no seal yet. Called without the lock:
 * takes it, but not while it reads the buffers. Does nothing if --check=modified is off. */
void st_pending_seal(struct st_record_name name);

/* Drops the seals of all buffers of the operation, which is cancelled. Under the lock. */
void st_pending_unseal(const struct st_record *record);

#endif
