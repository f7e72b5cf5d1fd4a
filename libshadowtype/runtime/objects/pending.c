/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/pending.h"

#include "core/overlap/active.h"
#include "runtime/record/arena.h"
#include "runtime/record/change.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/memory.h"
#include "runtime/objects/seals.h"
#include "runtime/objects/stack.h"
#include "runtime/record/lifetime.h"
#include "runtime/record/publish.h"

/* The most work for comparing a new buffer with all that it meets: a millisecond in the worst case. */
enum { STEPS = 1 << 13, LOG2_CHUNK = 10, MOST_CHUNKS = 1 << 14 };

/* st_record_buffer.spare: st_pending_gone() was called. */
enum { GONE = 1 };

/* The part of a buffer that a debugger does not need; both parts have the same number. */
struct st_pending_buffer {
    struct st_active active;
    uint64_t sp;    /* stack pointer of the call that passed it; 0: not known */
    uint64_t block; /* see st_pending_block() */
    uint32_t number;
    bool from_start; /* active as soon as its record is */
    bool holds;      /* it holds references to its layout and its type, which is not a basic one */
};

static uint64_t chunks[MOST_CHUNKS]; /* addresses of struct st_record_buffer[] */
static struct st_pending_buffer *own_chunks[MOST_CHUNKS];
static uint32_t free_list; /* number + 1, linked by `next` */

struct st_actives st_pending_readers, st_pending_writers;
_Atomic uint32_t st_pending_active;

static inline struct st_record_buffer *buffer_at(uint32_t number)
{
    struct st_record_buffer *chunk = st_pointer(chunks[number >> LOG2_CHUNK]);
    return &chunk[number & ((1u << LOG2_CHUNK) - 1)];
}

static inline struct st_pending_buffer *own_at(uint32_t number)
{
    return &own_chunks[number >> LOG2_CHUNK][number & ((1u << LOG2_CHUNK) - 1)];
}

static void count_buffers(int32_t more)
{
    uint32_t now = atomic_load_explicit(&st_pending_active, memory_order_relaxed);
    atomic_store_explicit(&st_pending_active, now + (uint32_t)more, memory_order_relaxed);
}

void st_pending_watch(void)
{
    count_buffers(1);
}

/* --- numbers ------------------------------------------------------------------------------- */

static bool add_buffer_chunk(uint32_t chunk)
{
    void *published = st_map(sizeof(struct st_record_buffer) << LOG2_CHUNK);
    void *own = published ? st_map(sizeof(struct st_pending_buffer) << LOG2_CHUNK) : NULL;
    if (!own) {
        if (published) {
            st_unmap(published, sizeof(struct st_record_buffer) << LOG2_CHUNK);
        }
        return false;
    }
    own_chunks[chunk] = own;
    st_operations.buffer_chunks = st_address(chunks);
    st_operations.buffers_per_chunk = 1u << LOG2_CHUNK;
    st_publish64(&chunks[chunk], st_address(published));
    st_publish32(&st_operations.buffer_chunk_count, chunk + 1);
    return true;
}

static inline uint32_t take_buffer(void)
{
    uint32_t number = free_list - 1;
    if (free_list) {
        free_list = buffer_at(number)->next;
        return number;
    }
    number = st_operations.buffers_used;
    uint32_t chunk = number >> LOG2_CHUNK;
    if (chunk == MOST_CHUNKS || (!own_chunks[chunk] && !add_buffer_chunk(chunk))) {
        return UINT32_MAX;
    }
    st_publish32(&st_operations.buffers_used, number + 1);
    return number;
}

/* --- references of a buffer ----------------------------------------------------------------- */

/* Takes a reference to a derived type's node. The count is no change of the registry (registry.h),
 * but the end of a type is. */
static void hold_type(uint32_t node)
{
    if (!(st_node_at(node)->flags & ST_PREDEFINED)) {
        st_node_hold(node);
    }
}

static void release_type(uint32_t ordinal)
{
    struct st_node *node = st_node_at(ordinal);
    if (node->flags & ST_PREDEFINED) {
        return;
    }
    if (node->handles) {
        node->references--;
        return;
    }
    st_change_enter();
    st_node_release(ordinal);
    st_change_leave();
}

static inline void give_buffer_back(uint32_t number)
{
    struct st_pending_buffer *own = own_at(number);
    struct st_record_buffer *buffer = buffer_at(number);
    if (own->holds) {
        if (own->active.buffer.item.of) {
            st_layout_release(own->active.buffer.item.of);
        }
        release_type(buffer->type);
    }
    buffer->next = free_list;
    free_list = number + 1;
}

void st_pending_give(uint32_t first)
{
    while (first) {
        uint32_t number = first - 1;
        first = buffer_at(number)->next;
        give_buffer_back(number);
    }
}

static uint64_t passed_at;

void st_pending_passed(const struct st_call *call)
{
    passed_at = call->caller == ST_CALLER_USER ? (uint64_t)(uintptr_t)call->sp : 0;
}

static inline void fill_buffer(uint32_t number, const struct st_buffer *bytes, bool from_start,
                               const struct st_record_buffer *like)
{
    struct st_pending_buffer *own = own_at(number);
    own->number = number;
    own->sp = passed_at;
    own->from_start = from_start;
    own->holds = bytes->item.of || !(st_node_at(like->type)->flags & ST_PREDEFINED);
    own->active.buffer = *bytes;
    if (own->holds) {
        if (bytes->item.of) {
            st_layout_ref(bytes->item.of);
        }
        hold_type(like->type);
    }
    *buffer_at(number) = *like;
}

uint32_t st_pending_take(const struct st_uses *uses)
{
    uint32_t first = 0;
    for (size_t i = uses->count; i > 0; i--) {
        const struct st_use *use = &uses->list[i - 1];
        uint32_t number = take_buffer();
        if (number == UINT32_MAX) {
            st_pending_give(first);
            first = 0;
            break;
        }
        fill_buffer(number, &use->buffer, use->active,
                    &(struct st_record_buffer){.address = use->address,
                                               .count = use->count,
                                               .type = use->node,
                                               .next = first,
                                               .access = use->access});
        first = number + 1;
    }
    return first;
}

uint32_t st_pending_take_one(const struct st_buffer *bytes, const struct st_record_buffer *like)
{
    uint32_t number = take_buffer();
    if (number != UINT32_MAX) {
        fill_buffer(number, bytes, true, like);
    }
    return number + 1;
}

void st_pending_hold(uint32_t number, struct st_held_buffer *held)
{
    held->bytes = own_at(number)->active.buffer;
    held->published = *buffer_at(number);
    if (held->bytes.item.of) {
        st_layout_ref(held->bytes.item.of);
    }
    hold_type(held->published.type);
}

void st_pending_let_go(const struct st_held_buffer *held)
{
    if (held->bytes.item.of) {
        st_layout_release(held->bytes.item.of);
    }
    release_type(held->published.type);
}

/* --- active -------------------------------------------------------------------------------- */

static struct st_actives *tree_of(const struct st_record_buffer *buffer)
{
    return buffer->access == ST_WRITE ? &st_pending_writers : &st_pending_readers;
}

/* Notes that the operation begins to use this memory. */
static inline void expect_seal(struct st_pending_buffer *own)
{
    const struct st_buffer *bytes = &own->active.buffer;
    if (st_stack_has(bytes->first) && bytes->span && !bytes->doubt) {
        st_stack_expect(bytes->first + bytes->span);
    }
    if (st_size_on) {
        own->block = st_memory_heap_block(bytes->first);
    }
}

static inline void activate_buffer(uint32_t number, const struct st_record *record)
{
    struct st_record_buffer *const buffer = buffer_at(number);
    struct st_pending_buffer *const own = own_at(number);
    if (buffer->active || st_actives_insert(tree_of(buffer), &own->active) != ST_OK) {
        return;
    }
    buffer->record = record->number;
    st_publish8(&buffer->active, 1);
    count_buffers(1);
    expect_seal(own);
    if (st_seals_on && buffer->access == ST_WRITE) {
        st_pending_spoil(&own->active.buffer);
    }
}

static inline void deactivate_buffer(uint32_t number)
{
    struct st_record_buffer *buffer = buffer_at(number);
    if (!buffer->active) {
        return;
    }
    st_publish8(&buffer->active, 0);
    st_actives_remove(tree_of(buffer), &own_at(number)->active);
    count_buffers(-1);
    if (st_seals_on) {
        st_seals_drop(number);
    }
}

void st_pending_start(const struct st_record *record)
{
    for (uint32_t link = record->buffers; link; link = buffer_at(link - 1)->next) {
        if (own_at(link - 1)->from_start) {
            activate_buffer(link - 1, record);
        }
    }
}

void st_pending_stop(const struct st_record *record)
{
    for (uint32_t link = record->buffers; link; link = buffer_at(link - 1)->next) {
        deactivate_buffer(link - 1);
    }
}

void st_pending_partitions(const struct st_record *record, int64_t low, int64_t high, bool active)
{
    int64_t i = 0;
    for (uint32_t link = record->buffers; link && i <= high;
         link = buffer_at(link - 1)->next, i++) {
        if (i < low) {
            continue;
        }
        if (active) {
            activate_buffer(link - 1, record);
        } else {
            deactivate_buffer(link - 1);
        }
    }
}

bool st_pending_writes(const struct st_record *record)
{
    for (uint32_t link = record->buffers; link; link = buffer_at(link - 1)->next) {
        if (buffer_at(link - 1)->access == ST_WRITE) {
            return true;
        }
    }
    return false;
}

void st_pending_remove(struct st_record *record)
{
    uint32_t link = record->buffers;
    st_records_remove(record);
    while (link) {
        uint32_t number = link - 1;
        link = buffer_at(number)->next;
        deactivate_buffer(number);
        give_buffer_back(number);
    }
}

/* --- doubt --------------------------------------------------------------------------------- */

void st_pending_doubt(struct st_record *record)
{
    if (record->flags & ST_RECORD_POSSIBLE) {
        return;
    }
    st_records_mark(record, ST_RECORD_POSSIBLE, 0);
    st_pending_stop(record);
}

void st_pending_doubt_older(struct st_record *record, uint64_t serial)
{
    for (; record && !(record->flags & ST_RECORD_POSSIBLE); record = st_records_older(record)) {
        if (record->serial <= serial) {
            st_pending_doubt(record);
        }
    }
}

void st_pending_supersede(const struct st_record *record)
{
    if (record && record->buffers && st_pending_writes(record)) {
        st_pending_doubt_older(st_records_older(record), record->serial);
    }
}

/* --- meeting ------------------------------------------------------------------------------- */

struct st_meeting_search {
    const struct st_record *own;
    const struct st_pending_buffer *found;
    struct st_shared shared;
};

static bool note_overlap(void *context, struct st_active *active, enum st_verdict verdict,
                         const struct st_shared *shared)
{
    struct st_meeting_search *search = context;
    const struct st_pending_buffer *met = (const struct st_pending_buffer *)active;
    if ((search->own && buffer_at(met->number)->record == search->own->number) ||
        buffer_at(met->number)->spare == GONE) {
        return true;
    }
    if (verdict != ST_YES) {
        st_operations.undecided++;
        return true;
    }
    search->found = met;
    search->shared = *shared;
    return false;
}

/* --- written memory ------------------------------------------------------------------------- */

static bool spoil_seal(void *context, struct st_active *active, enum st_verdict verdict,
                       const struct st_shared *shared)
{
    (void)context, (void)shared;
    if (verdict == ST_YES) {
        st_seals_spoil(((const struct st_pending_buffer *)active)->number);
    }
    return true;
}

void st_pending_spoil(const struct st_buffer *buffer)
{
    struct st_effort effort = st_effort_of(STEPS);
    if (st_seals_on && st_pending_readers.count) {
        st_actives_overlapping(&st_pending_readers, buffer, &effort, spoil_seal, NULL);
    }
}

/* Stops at an operation that writes the buffer. If that is undecided for another operation, it does
 * not: to write it would be an error. If it is undecided for the operation itself, it does: it may
 * write what it reads. */
static bool is_written(void *context, struct st_active *active, enum st_verdict verdict,
                       const struct st_shared *shared)
{
    struct st_meeting_search *search = context;
    const struct st_pending_buffer *writer = (const struct st_pending_buffer *)active;
    (void)shared;
    if (verdict == ST_YES || buffer_at(writer->number)->record == search->own->number) {
        search->found = writer;
    }
    return !search->found;
}

bool st_pending_unwritten(uint32_t number)
{
    struct st_meeting_search search = {.own = st_records_at(buffer_at(number)->record)};
    struct st_effort effort = st_effort_of(STEPS);
    if (st_pending_writers.count) {
        st_actives_overlapping(&st_pending_writers, &own_at(number)->active.buffer, &effort,
                               is_written, &search);
    }
    return !search.found;
}

static int64_t bytes_shared(const struct st_buffer *a, const struct st_buffer *b)
{
    struct st_effort effort = st_effort_of(STEPS);
    uint64_t bytes;
    return st_overlap_bytes(a, b, &effort, &bytes) && bytes <= INT64_MAX ? (int64_t)bytes : -1;
}

void st_shared_first(const struct st_buffer *a, const struct st_buffer *b, struct st_shared *shared)
{
    struct st_effort effort = st_effort_of(STEPS);
    uint64_t first = a->first > b->first ? a->first : b->first;
    const struct st_buffer byte = {
        .first = first, .span = 1, .item = {.count = 1, .stride = 1}, .disjoint = true};
    if (st_overlap(a, &byte, &effort, NULL) == ST_YES &&
        st_overlap(b, &byte, &effort, NULL) == ST_YES) {
        shared->address = first;
    }
}

bool st_pending_meets(const struct st_buffer *buffer, uint8_t access, const struct st_record *own,
                      struct st_meeting *meeting)
{
    struct st_meeting_search search = {.own = own};
    struct st_effort effort = st_effort_of(STEPS);
    if (st_pending_writers.count) {
        st_actives_overlapping(&st_pending_writers, buffer, &effort, note_overlap, &search);
    }
    if (!search.found && access == ST_WRITE && st_pending_readers.count) {
        st_actives_overlapping(&st_pending_readers, buffer, &effort, note_overlap, &search);
    }
    if (!search.found) {
        return false;
    }
    meeting->buffer = *buffer_at(search.found->number);
    meeting->record = *st_records_at(meeting->buffer.record);
    meeting->shared = search.shared;
    st_shared_first(&search.found->active.buffer, buffer, &meeting->shared);
    meeting->bytes = bytes_shared(&search.found->active.buffer, buffer);
    return true;
}

/* --- gone ---------------------------------------------------------------------------------- */

struct st_below_search {
    uint64_t from, to;
    uint32_t thread;
    const struct st_pending_buffer *found;
};

static bool is_below(void *context, struct st_active *active, enum st_verdict verdict,
                     const struct st_shared *shared)
{
    struct st_below_search *search = context;
    const struct st_pending_buffer *own = (const struct st_pending_buffer *)active;
    const struct st_buffer *bytes = &own->active.buffer;
    const struct st_record_buffer *buffer = buffer_at(own->number);
    const struct st_record *record = st_records_at(buffer->record);
    (void)verdict, (void)shared;
    if (!bytes->doubt && bytes->first >= search->from && bytes->first < search->to &&
        bytes->span <= search->to - bytes->first && buffer->spare != GONE &&
        record->thread == search->thread && record->flags & ST_RECORD_ACTIVE &&
        !(record->flags & (ST_RECORD_RUNNING | ST_RECORD_POSSIBLE))) {
        search->found = own;
    }
    return !search->found;
}

bool st_pending_below(uint64_t from, uint64_t to, uint32_t thread, uint32_t *number)
{
    struct st_below_search search = {.from = from, .to = to, .thread = thread};
    struct st_effort effort = st_effort_of(STEPS);
    const struct st_buffer memory = {.first = from,
                                     .span = to - from,
                                     .item = {.count = to - from, .stride = 1},
                                     .disjoint = true};
    if (st_pending_writers.count) {
        st_actives_overlapping(&st_pending_writers, &memory, &effort, is_below, &search);
    }
    if (!search.found && st_pending_readers.count) {
        st_actives_overlapping(&st_pending_readers, &memory, &effort, is_below, &search);
    }
    if (search.found) {
        *number = search.found->number;
    }
    return search.found;
}

void st_pending_gone(uint32_t number)
{
    buffer_at(number)->spare = GONE;
    if (st_seals_on) {
        st_seals_spoil(number);
    }
}

uint64_t st_pending_sp(uint32_t number)
{
    return own_at(number)->sp;
}

uint64_t st_pending_block(uint32_t number)
{
    return buffer_at(number)->spare == GONE ? 0 : own_at(number)->block;
}

/* --- one ----------------------------------------------------------------------------------- */

const struct st_buffer *st_pending_buffer(uint32_t number,
                                          const struct st_record_buffer **published)
{
    *published = buffer_at(number);
    return &own_at(number)->active.buffer;
}

bool st_pending_starts(uint32_t number)
{
    return own_at(number)->from_start;
}
