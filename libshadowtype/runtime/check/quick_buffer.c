/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/quick_buffer.h"

#include "runtime/check/checks.h"
#include "runtime/check/quick.h"
#include "runtime/record/lock.h"

static void put_solid(struct st_buffer *bytes, uint64_t address, uint64_t length)
{
    bytes->first = address;
    bytes->span = length;
    bytes->item = (struct st_item){.count = length, .stride = 1};
    bytes->doubt = ST_DOUBT_NONE;
    bytes->disjoint = true;
}

/* Returns false if it has no bytes, or if they are not known. */
static bool put_derived(struct st_checked *checked, uint64_t address, int64_t count, uint64_t type)
{
    struct st_quick_derived *known = st_quick_derived(type);
    if (!known) {
        return false;
    }
    if (known->count != count) {
        st_buffer_repeat(&known->bytes, known->shape->layout, true, known->shape->extent, count, 0);
        known->count = count;
    }
    checked->bytes = known->bytes;
    checked->bytes.first += address;
    checked->node = known->ordinal;
    return !known->bytes.doubt && known->bytes.span;
}

static bool put_bytes(struct st_checked *checked)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_part *part = &facts->form->parts[0];
    const uint64_t address = facts->values[part->buffer], count = facts->values[part->count];
    const uint64_t type = facts->values[part->type];
    const uint32_t place = st_quick_place(type);
    uint64_t length;
    if (atomic_load_explicit(&st_lock_armed, memory_order_relaxed)) {
        return false;
    }
    if (st_quick.types[place] != type || !st_quick.basic[place].bytes) {
        return put_derived(checked, address, (int64_t)count, type);
    }
    if (__builtin_mul_overflow(count, st_quick.basic[place].bytes, &length) || !length) {
        return false;
    }
    checked->node = st_quick.basic[place].node;
    put_solid(&checked->bytes, address, length);
    return true;
}

/* Before the call: written right before it is copied, each copy would wait for these stores. */
static void put_published(struct st_checked *checked)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_part *part = &facts->form->parts[0];
    checked->published = (struct st_record_buffer){.address = facts->values[part->buffer],
                                                   .count = (int64_t)facts->values[part->count],
                                                   .type = checked->node,
                                                   .access = part->access};
}

bool st_quick_buffer_put(struct st_checked *checked)
{
    if (!put_bytes(checked)) {
        return false;
    }
    put_published(checked);
    return true;
}

void st_quick_buffer_compare(struct st_checked *checked)
{
    struct st_meeting meeting;
    const struct st_record_buffer *own = &checked->published;
    if (st_pending_may_meet(&checked->bytes, own->access) &&
        st_pending_meets(&checked->bytes, own->access, NULL, &meeting)) {
        st_find_overlap(&checked->facts, checked->facts.form->parts[0].buffer, &meeting, own);
    }
}
