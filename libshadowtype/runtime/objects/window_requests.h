/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pending one-sided operations with a request (MPI_Rput, MPI_Rget, ...). A call that ends an
 * epoch or flushes a window completes them, too. They have a separate list, so that such a call
 * visits only them, however many other operations are pending.
 *
 *     struct st_record *record;
 *     size_t rest = st_window_requests_all();
 *     while ((record = st_window_requests_next(&rest, window)))
 *         ... the newest first ...
 *
 * The caller holds the recorder's lock. It may release it between two steps.
 */
#ifndef ST_RUNTIME_OBJECTS_WINDOW_REQUESTS_H
#define ST_RUNTIME_OBJECTS_WINDOW_REQUESTS_H

#include "runtime/objects/records.h"

/* Adds a record of kind REQUEST, whose serial does not change. */
void st_window_requests_add(const struct st_record *record);

/* To be called when a record that was added is removed, or has lost its request. */
void st_window_requests_drop(void);

/* Returns the initial value of *rest. */
size_t st_window_requests_all(void);

/* Returns the next one of this window; NULL if there are no more. */
struct st_record *st_window_requests_next(size_t *rest, uint64_t window);

#endif
