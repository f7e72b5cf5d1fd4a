/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The own buffer of a call on the quick path (quick.h) that MPI goes on to use after the call: that of
 * MPI_Isend (quick_request.c) or MPI_Put (quick_access.c). It is the first of the form's parts.
 */
#ifndef ST_RUNTIME_CHECK_QUICK_BUFFER_H
#define ST_RUNTIME_CHECK_QUICK_BUFFER_H

#include <stdbool.h>

#include "runtime/check/check.h"

/* Fills checked->bytes, node and published from the call's arguments. Returns false if there is another thread in
 * MPI, if the bytes are not known, or if there are none: then the full check is needed. */
bool st_quick_buffer_put(struct st_checked *checked);

/* Reports the pending operation whose buffer overlaps this one. */
void st_quick_buffer_compare(struct st_checked *checked);

#endif
