/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which request of those that a call completes has failed. */
#ifndef ST_RUNTIME_CHECK_FAILED_H
#define ST_RUNTIME_CHECK_FAILED_H

#include "runtime/check/check.h"
#include "runtime/objects/pending_call.h"

/* The operation that failed. */
struct st_failed {
    struct st_record record;
    struct st_pending_call pending; /* its call; count 0: its arguments are not known */
};

/* The call is about to complete requests; `checked` must be valid until it returns. */
void st_request_completing(const struct st_checked *checked);

/* MPI refused the call with *code. Finds the request that failed, and stores its own error code in
 * *code if the call's statuses contain it. Returns false if it is not known which one failed. */
bool st_request_failed(const struct st_facts *facts, int *code, struct st_failed *failed);

#endif
