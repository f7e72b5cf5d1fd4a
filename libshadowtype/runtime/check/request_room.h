/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for the members of an array of requests, from before a call to after it. */
#ifndef ST_RUNTIME_CHECK_REQUEST_ROOM_H
#define ST_RUNTIME_CHECK_REQUEST_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/check/check.h"

/* Sets `checked->requests` to room for `count` members, and the count. Few members are on the stack of the
 * call, in `checked`. Returns false if there is no memory. Any thread may call it. */
bool st_request_room_take(struct st_checked *checked, int64_t count);

/* Gives the room back, once, after the call. */
void st_request_room_give(struct st_checked *checked);

#endif
