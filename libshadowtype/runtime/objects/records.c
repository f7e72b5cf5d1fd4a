/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/records.h"

#include <string.h>

#include "runtime/record/blocks.h"
#include "runtime/record/change.h"
#include "runtime/objects/operations.h"
#include "runtime/record/lock.h"
#include "runtime/record/publish.h"

/* Chunks are never moved or unmapped: a record's number stays its position. */
enum { LOG2_CHUNK = 10, MOST_CHUNKS = 1 << 14, LOG2_FIRST_HEADS = 10 };

static uint64_t chunks[MOST_CHUNKS]; /* addresses */
static uint32_t free_list;           /* number + 1 */
static uint64_t last_serial;

struct st_operations st_operations = {.magic = ST_OPERATIONS_MAGIC};

static uint32_t *heads[ST_RECORD_CHAINS]; /* for each chain, number + 1 of its newest record */
static uint32_t log2_heads;

static struct st_record *record_at(uint32_t number)
{
    struct st_record *chunk = st_pointer(chunks[number >> LOG2_CHUNK]);
    return &chunk[number & ((1u << LOG2_CHUNK) - 1)];
}

/* Every message passes through the functions below. They are inline, so that each chain gets its
 * own code. */
static inline uint32_t *head_of(int chain, enum st_kind kind, uint64_t handle, uint64_t variable)
{
    uint64_t key = handle + ((uint64_t)kind << 56);
    if (chain == ST_BY_VARIABLE) {
        key ^= variable * UINT64_C(0xD6E8FEB86659FD93);
    }
    return &heads[chain][key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - log2_heads)];
}

static inline uint32_t *head_for(int chain, const struct st_record *record)
{
    return head_of(chain, record->kind, record->handle, record->variable);
}

static inline void put_first(int chain, struct st_record *record)
{
    uint32_t *head = head_for(chain, record);
    record->links[chain] = (struct st_record_link){.next = *head};
    if (*head) {
        record_at(*head - 1)->links[chain].previous = record->number + 1;
    }
    *head = record->number + 1;
}

static inline void take_out(int chain, const struct st_record *record)
{
    struct st_record_link link = record->links[chain];
    if (link.next) {
        record_at(link.next - 1)->links[chain].previous = link.previous;
    }
    if (link.previous) {
        record_at(link.previous - 1)->links[chain].next = link.next;
    } else {
        *head_for(chain, record) = link.next;
    }
}

/* Moves the oldest record first, so that the newest is first again. */
static void move_chain(int chain, uint32_t link)
{
    while (link && record_at(link - 1)->links[chain].next) {
        link = record_at(link - 1)->links[chain].next;
    }
    for (uint32_t previous; link; link = previous) {
        previous = record_at(link - 1)->links[chain].previous;
        put_first(chain, record_at(link - 1));
    }
}

static bool grow_table(void)
{
    uint32_t log2_new = heads[0] ? log2_heads + 1 : LOG2_FIRST_HEADS;
    uint32_t *larger = st_map(ST_RECORD_CHAINS * sizeof(uint32_t) << log2_new);
    if (!larger) {
        return heads[0] != NULL;
    }
    uint32_t *old = heads[0];
    uint32_t log2_old = log2_heads;
    log2_heads = log2_new;
    for (int chain = 0; chain < ST_RECORD_CHAINS; chain++) {
        heads[chain] = larger + ((size_t)chain << log2_new);
    }
    for (int chain = 0; old && chain < ST_RECORD_CHAINS; chain++) {
        for (size_t i = 0; i < (size_t)1 << log2_old; i++) {
            move_chain(chain, old[((size_t)chain << log2_old) + i]);
        }
    }
    if (old) {
        st_unmap(old, ST_RECORD_CHAINS * sizeof(uint32_t) << log2_old);
    }
    return true;
}

static bool add_record_chunk(uint32_t chunk)
{
    void *records = st_map(sizeof(struct st_record) << LOG2_CHUNK);
    if (!records) {
        return false;
    }
    st_operations.record_chunks = st_address(chunks);
    st_operations.records_per_chunk = 1u << LOG2_CHUNK;
    st_publish64(&chunks[chunk], st_address(records));
    st_publish32(&st_operations.record_chunk_count, chunk + 1);
    return true;
}

static inline uint32_t take_record(void)
{
    uint32_t number = free_list - 1;
    if (free_list) {
        free_list = record_at(number)->links[0].next;
        return number;
    }
    number = st_operations.records_used;
    uint32_t chunk = number >> LOG2_CHUNK;
    if (chunk == MOST_CHUNKS || (!chunks[chunk] && !add_record_chunk(chunk))) {
        return ST_NO_RECORD;
    }
    st_publish32(&st_operations.records_used, number + 1);
    return number;
}

static inline void link_in(struct st_record *record)
{
    put_first(ST_BY_HANDLE, record);
    put_first(ST_BY_VARIABLE, record);
}

struct st_record *st_records_new(void)
{
    if ((!heads[0] || st_operations.in_use >> log2_heads) && !grow_table()) {
        return NULL;
    }
    uint32_t number = take_record();
    if (number == ST_NO_RECORD) {
        return NULL;
    }
    struct st_record *record = record_at(number);
    record->number = number;
    return record;
}

void st_records_publish(struct st_record *record)
{
    if (!(record->flags & ST_RECORD_RUNNING)) {
        link_in(record);
    }
    st_operations.in_use++;
    st_publish64(&record->serial, ++last_serial);
}

struct st_record *st_records_add(const struct st_record *like)
{
    struct st_record *record = st_records_new();
    if (!record) {
        return NULL;
    }
    /* The serial stays 0 meanwhile: a debugger may look at any instruction. */
    struct st_record fresh = *like;
    fresh.serial = 0;
    fresh.number = record->number;
    *record = fresh;
    st_records_publish(record);
    return record;
}

void st_records_settle(struct st_record *record, uint64_t handle, uint64_t variable, uint8_t flags)
{
    record->handle = handle;
    record->variable = variable;
    link_in(record);
    st_publish64(&record->serial, ++last_serial);
    st_publish8(&record->flags, flags & (uint8_t)~ST_RECORD_RUNNING);
}

void st_records_rename(struct st_record *record, uint64_t handle)
{
    take_out(ST_BY_HANDLE, record);
    take_out(ST_BY_VARIABLE, record);
    st_publish64(&record->handle, handle);
    link_in(record);
}

void st_records_mark(struct st_record *record, uint8_t set, uint8_t clear)
{
    st_publish8(&record->flags, (uint8_t)((record->flags & ~clear) | set));
}

void st_records_started(struct st_record *record)
{
    st_publish32(&record->starts, record->starts + 1);
    st_records_mark(record, ST_RECORD_ACTIVE, ST_RECORD_POSSIBLE | ST_RECORD_CANCELLED);
}

/* Returns the first matching record of a chain; NULL if there is none. */
static inline struct st_record *find_in(int chain, enum st_kind kind, uint64_t handle,
                                        uint64_t variable)
{
    uint32_t link = *head_of(chain, kind, handle, variable);
    for (; link; link = record_at(link - 1)->links[chain].next) {
        struct st_record *record = record_at(link - 1);
        if (record->handle == handle && record->kind == kind &&
            (chain == ST_BY_HANDLE || record->variable == variable)) {
            return record;
        }
    }
    return NULL;
}

struct st_record *st_records_find(enum st_kind kind, uint64_t handle, uint64_t variable)
{
    if (!heads[0]) {
        return NULL;
    }
    struct st_record *record = find_in(ST_BY_VARIABLE, kind, handle, variable);
    return record ? record : find_in(ST_BY_HANDLE, kind, handle, variable);
}

struct st_record *st_records_find_by(enum st_kind kind, uint64_t handle, uint64_t serial)
{
    if (!heads[0]) {
        return NULL;
    }
    uint32_t link = *head_of(ST_BY_HANDLE, kind, handle, 0);
    for (; link; link = record_at(link - 1)->links[ST_BY_HANDLE].next) {
        struct st_record *record = record_at(link - 1);
        if (record->handle == handle && record->kind == kind && record->serial <= serial) {
            return record;
        }
    }
    return NULL;
}

uint64_t st_records_last_serial(void)
{
    return last_serial;
}

struct st_record_name st_records_name(const struct st_record *record)
{
    if (!record) {
        return (struct st_record_name){.number = ST_NO_RECORD};
    }
    return (struct st_record_name){.number = record->number, .serial = record->serial};
}

struct st_record *st_records_named(struct st_record_name name)
{
    if (name.number >= st_operations.records_used) {
        return NULL;
    }
    struct st_record *record = record_at(name.number);
    return record->serial == name.serial ? record : NULL;
}

void st_records_remove(struct st_record *record)
{
    if (!record->serial) {
        return;
    }
    st_publish64(&record->serial, 0);
    st_withdrawn();
    if (!(record->flags & ST_RECORD_RUNNING)) {
        take_out(ST_BY_HANDLE, record);
        take_out(ST_BY_VARIABLE, record);
    }
    record->links[0].next = free_list;
    free_list = record->number + 1;
    st_operations.in_use--;
}

struct st_record *st_records_older(const struct st_record *record)
{
    uint32_t link = record->links[ST_BY_HANDLE].next;
    for (; link; link = record_at(link - 1)->links[ST_BY_HANDLE].next) {
        if (record_at(link - 1)->handle == record->handle &&
            record_at(link - 1)->kind == record->kind) {
            return record_at(link - 1);
        }
    }
    return NULL;
}

struct st_record *st_records_newer(const struct st_record *record)
{
    uint32_t link = record->links[ST_BY_HANDLE].previous;
    for (; link; link = record_at(link - 1)->links[ST_BY_HANDLE].previous) {
        if (record_at(link - 1)->handle == record->handle &&
            record_at(link - 1)->kind == record->kind) {
            return record_at(link - 1);
        }
    }
    return NULL;
}

struct st_record *st_records_at(uint32_t number)
{
    return record_at(number);
}

struct st_record *st_records_walk(uint32_t *number)
{
    while (*number < st_operations.records_used) {
        struct st_record *record = record_at((*number)++);
        if (record->serial) {
            return record;
        }
    }
    return NULL;
}

bool st_records_next(uint32_t *number, struct st_record *copy)
{
    bool locked = st_lock();
    const struct st_record *record = st_records_walk(number);
    if (record) {
        *copy = *record;
    }
    st_unlock(locked);
    return record;
}
