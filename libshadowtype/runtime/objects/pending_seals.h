/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seals of the buffers that pending operations send (seals.h): made when MPI begins to use a
 * buffer, compared when the operation is complete (--check=modified).
 *
 * A buffer that a pending operation, or another call, writes as well gets no seal: buffer-overlap
 * reports that, and with MPI_IN_PLACE MPI itself writes there.
 */
#ifndef ST_RUNTIME_OBJECTS_PENDING_SEALS_H
#define ST_RUNTIME_OBJECTS_PENDING_SEALS_H

#include "runtime/objects/pending.h"
#include "runtime/objects/seals.h"

/* Seals the active buffers that the operation reads, and that have no seal yet. Called without the lock:
 * takes it, but not while it reads the buffers. Does nothing if --check=modified is off. */
void st_pending_make_seals(struct st_record_name name);
static inline void st_pending_seal(struct st_record_name name)
{
    if (st_seals_on) {
        st_pending_make_seals(name);
    }
}

/* Drops the seals of all buffers of the operation, which is cancelled. The caller holds the lock. */
void st_pending_unseal(const struct st_record *record);

#endif
