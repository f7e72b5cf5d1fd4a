/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/pending_seals.h"

#include "runtime/objects/operations.h"
#include "runtime/objects/seals.h"

/* Finds the record's next buffer, from `*link` on, that must be sealed, and sets `*link` to the one
 * after it. The caller holds the lock. */
static bool next_seal(const struct st_record *record, uint32_t *link, uint32_t *number)
{
    while (record && *link) {
        const struct st_record_buffer *buffer;
        *number = *link - 1;
        st_pending_buffer(*number, &buffer);
        *link = buffer->next;
        if (buffer->active && buffer->access == ST_READ && st_seals_wanted(*number) &&
            st_pending_unwritten(*number)) {
            return true;
        }
    }
    return false;
}

/* Returns false if the buffer is not active any more, or may have no seal. The caller holds the
 * lock. */
static bool put_seal(const struct st_record *record, uint32_t number, const struct st_seal *seal)
{
    const struct st_record_buffer *buffer;
    if (!record) {
        return false;
    }
    st_pending_buffer(number, &buffer);
    return buffer->active && st_seals_put(number, seal);
}

void st_pending_make_seals(struct st_record_name name)
{
    bool locked = st_operations_lock();
    const struct st_record *record = st_records_named(name);
    uint32_t link = record ? record->buffers : 0, number;
    while (next_seal(record, &link, &number)) {
        struct st_held_buffer held;
        struct st_seal seal;
        st_pending_hold(number, &held);
        st_operations_unlock(locked);
        bool made = st_seal_make(&seal, &held.bytes);
        locked = st_operations_lock();
        record = st_records_named(name);
        if (made && !put_seal(record, number, &seal)) {
            st_seal_drop(&seal);
        }
        st_pending_let_go(&held);
    }
    st_operations_unlock(locked);
}

void st_pending_unseal(const struct st_record *record)
{
    for (uint32_t link = record->buffers; link;) {
        const struct st_record_buffer *buffer;
        st_pending_buffer(link - 1, &buffer);
        st_seals_drop(link - 1);
        link = buffer->next;
    }
}
