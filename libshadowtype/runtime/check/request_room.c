/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>

#include "runtime/check/request_room.h"
#include "runtime/record/root.h"

/* Room for more members than a call has on its stack, kept from one call to the next. */
static _Atomic(struct st_checked_request *) spare;
enum { SPARE_BYTES = 1 << 20 };

bool st_request_room_take(struct st_checked *checked, int64_t count)
{
    checked->requests = checked->inside;
    checked->mapped = 0;
    checked->request_count = count;
    if (count <= ST_CHECKED_ROOM) {
        return true;
    }
    if (count > INT32_MAX) {
        return false;
    }
    size_t bytes = (size_t)count * sizeof *checked->requests;
    checked->mapped = bytes < SPARE_BYTES ? SPARE_BYTES : bytes;
    checked->requests = bytes <= SPARE_BYTES ? atomic_exchange(&spare, NULL) : NULL;
    if (!checked->requests) {
        checked->requests = st_map(checked->mapped);
    }
    return checked->requests != NULL;
}

void st_request_room_give(struct st_checked *checked)
{
    struct st_checked_request *room = checked->mapped ? checked->requests : NULL;
    if (room && checked->mapped == SPARE_BYTES) {
        room = atomic_exchange(&spare, room);
    }
    if (room) {
        st_unmap(room, checked->mapped);
    }
}
