/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests that are completed twice: by one call that names a request twice, or by two threads at a
 * time (MPI-4.0, 3.7.5 and 11.6.2). Both are request-unknown: for one of the two, the request no
 * longer exists.
 *
 * Several requests may share one handle (runtime/objects/records.h): these are not reported. A
 * persistent request lives on when it is complete: it may be named twice, but not started twice.
 */
#ifndef ST_RUNTIME_CHECK_TWICE_H
#define ST_RUNTIME_CHECK_TWICE_H

#include "runtime/check/check.h"

/* The call waits for, or tests, the requests of parameter `number`, which have been looked up:
 * checked->requests. */
void st_twice_before(struct st_checked *checked, int number);
/* The same for a call that starts them. */
void st_twice_started(struct st_checked *checked, int number);
/* The call has returned. */
void st_twice_after(const struct st_checked *checked);

/* Returns true if two members of the array, whose records were found, are one request. */
bool st_twice_is_named(const struct st_checked *checked);

#endif
