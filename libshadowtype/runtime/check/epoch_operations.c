/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/epoch_operations.h"

#include "runtime/objects/pending.h"
#include "runtime/objects/records.h"

enum { MOST_OPERATIONS = 1 << 16 };
static uint32_t operations;
static struct st_record_name newest; /* of all */

/* Returns the newest operation with this window and target; NULL if there is none. */
static const struct st_record *newest_of(uint64_t window, uint64_t target)
{
    const struct st_record *record = st_records_named(newest);
    if (!record || record->handle != window || record->variable != target) {
        record = st_records_find(ST_KIND_OPERATION, window, target);
    }
    return record && record->variable == target ? record : NULL;
}

bool st_epoch_has_same(uint64_t window, uint64_t target, uint16_t function, uint32_t site,
                       const struct st_record_buffer *own)
{
    if (own->access != ST_READ) {
        return false;
    }
    const struct st_record *last = newest_of(window, target);
    if (!last || last->function != function || last->site != site || !last->buffers) {
        return false;
    }
    const struct st_record_buffer *buffer;
    st_pending_buffer(last->buffers - 1, &buffer);
    return buffer->access == ST_READ && !buffer->next && buffer->address == own->address &&
           buffer->count == own->count && buffer->type == own->type;
}

bool st_epoch_has_room(void)
{
    return operations < MOST_OPERATIONS;
}

void st_epoch_begins_operation(const struct st_record *record)
{
    operations++;
    newest = st_records_name(record);
}

void st_epoch_ends_operation(void)
{
    operations--;
}
