/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pending one-sided operations without a request: they last until their epoch ends. A program may
 * begin millions before that, so not all of them are recorded. The caller holds the lock of the
 * operations.
 */
#ifndef ST_RUNTIME_CHECK_EPOCH_OPERATIONS_H
#define ST_RUNTIME_CHECK_EPOCH_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/registry.h"

/* Returns true if an operation only reads, and the last one with this window and target is its like: the
 * same function at the same site, which reads the same buffer. Then it need not be recorded. */
bool st_epoch_has_same(uint64_t window, uint64_t target, uint16_t function, uint32_t site,
                       const struct st_record_buffer *own);

/* Returns true if one more may be recorded. */
bool st_epoch_has_room(void);

/* One was recorded; one was removed. */
void st_epoch_begins_operation(const struct st_record *record);
void st_epoch_ends_operation(void);

#endif
