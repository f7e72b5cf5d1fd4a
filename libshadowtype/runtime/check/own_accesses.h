/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses of a rank to the memory of its own windows, as buffers of its MPI calls: other ranks may
 * access that memory at the same time (group rma). The caller holds the recorder's lock, but for
 * st_own_access_wants().
 */
#ifndef ST_RUNTIME_CHECK_OWN_ACCESSES_H
#define ST_RUNTIME_CHECK_OWN_ACCESSES_H

#include "runtime/check/check.h"

/* Returns true if the call's buffers may be in memory of this rank's windows. Persistent operations
 * are not followed. */
bool st_own_access_wants(const struct st_form *form);
/* Begins the access to own buffers, which lasts until the operation is complete. What a blocking
 * call sends it has read when another rank has it, even if the call has not returned: so that
 * access ends at once, before other ranks learn of the call. */
void st_own_access_begin(struct st_checked *checked, const struct st_uses *uses);
/* MPI has returned from the call: ends its access, or keeps it until its operation is complete. */
void st_own_access_end(const struct st_checked *checked, bool succeeded);
/* The operation with this record is complete. */
void st_own_access_completed(uint64_t serial);

#endif
