#include "runtime/objects/seals.h"

#include "runtime/objects/operations.h"
#include "runtime/objects/peek.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"

enum { LOG2_CHUNK = 10, MOST_CHUNKS = 1 << 14 };

bool st_seals_on;
static struct st_seal *chunks[MOST_CHUNKS]; /* by the numbers of buffers; mapped when needed */

bool st_seals_begin(void)
{
    st_seals_on = st_peek_works();
    return st_seals_on;
}

/* NULL: it has never had one. */
static struct st_seal *seal_at(uint32_t number)
{
    struct st_seal *chunk = chunks[number >> LOG2_CHUNK];
    return chunk ? &chunk[number & ((1u << LOG2_CHUNK) - 1)] : NULL;
}

static struct st_seal *make_at(uint32_t number)
{
    struct st_seal **chunk = &chunks[number >> LOG2_CHUNK];
    if (!*chunk)
        *chunk = st_map(sizeof **chunk << LOG2_CHUNK);
    return seal_at(number);
}

/* The record's next buffer from `*link` on that is to be sealed; `*link` is behind it then. Under the
 * lock. */
static bool next_seal(const struct st_record *record, uint32_t *link, uint32_t *number)
{
    while (record && *link) {
        const struct st_record_buffer *buffer;
        *number = *link - 1;
        st_pending_buffer(*number, &buffer);
        *link = buffer->next;
        const struct st_seal *sealed = seal_at(*number);
        if (buffer->active && buffer->access == ST_READ &&
            !(sealed && (sealed->spoilt || sealed->count)) && st_pending_unwritten(*number))
            return true;
    }
    return false;
}

/* Under the lock. False: there is nothing to be sealed any more. */
static bool put_seal(const struct st_record *record, uint32_t number, const struct st_seal *seal)
{
    const struct st_record_buffer *buffer;
    struct st_seal *sealed = record ? make_at(number) : NULL;
    if (!sealed)
        return false;
    st_pending_buffer(number, &buffer);
    if (!buffer->active || sealed->spoilt || sealed->count)
        return false;
    *sealed = *seal;
    return true;
}

void st_seals_make(struct st_record_name name)
{
    if (!st_seals_on)
        return;
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
        if (made && !put_seal(record, number, &seal))
            st_seal_drop(&seal);
        st_pending_let_go(&held);
    }
    st_operations_unlock(locked);
}

bool st_seals_take(uint32_t number, struct st_seal *seal)
{
    struct st_seal *sealed = seal_at(number);
    if (!sealed || !sealed->count)
        return false;
    *seal = *sealed;
    sealed->count = 0;
    return true;
}

void st_seals_drop(uint32_t number)
{
    struct st_seal *sealed = seal_at(number);
    if (!sealed)
        return;
    st_seal_drop(sealed);
    sealed->spoilt = false;
}

void st_seals_spoil(uint32_t number)
{
    struct st_seal *sealed = make_at(number);
    if (!sealed)
        return;
    st_seal_drop(sealed);
    sealed->spoilt = true;
}

void st_seals_drop_all(const struct st_record *record)
{
    for (uint32_t link = record->buffers; link;) {
        const struct st_record_buffer *buffer;
        st_pending_buffer(link - 1, &buffer);
        st_seals_drop(link - 1);
        link = buffer->next;
    }
}
