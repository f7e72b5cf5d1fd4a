/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that MPI does not receive because they are too long. */
#include "runtime/check/left_messages.h"
#include "runtime/check/messages_internal.h"
#include "runtime/check/unreturned.h"
#include "runtime/ranks/partitions_matched.h"
#include "runtime/ranks/requested.h"
#include "runtime/record/lock.h"

__attribute__((noinline)) bool st_messages_truncated(struct st_facts *facts,
                                                     const struct st_record *record, bool fatal)
{
    struct st_misfits found = {.count = 0};
    if (st_messages_off()) {
        return false;
    }
    st_left_messages_enter();
    bool locked = st_lock();
    const struct st_requested *request = record ? st_requested_find(st_records_name(record)) : NULL;
    uint32_t receive = request ? request->receive : st_unreturned_receive();
    bool is_found = receive != ST_NO_RECEIVE && st_matched_cut(receive, fatal, &found);
    st_unlock(locked);
    st_messages_tell(facts, &found);
    return is_found;
}

__attribute__((noinline)) bool st_messages_unequal(struct st_facts *facts,
                                                   const struct st_record *record, bool fatal)
{
    struct st_misfits found = {.count = 0};
    if (st_messages_off()) {
        return false;
    }
    bool locked = st_lock();
    const struct st_requested *request = st_requested_find(st_records_name(record));
    const bool is_found = request && request->is_partitioned && request->probed &&
                          st_partitions_cut(request->probed, fatal, &found);
    st_unlock(locked);
    st_messages_tell(facts, &found);
    return is_found;
}
