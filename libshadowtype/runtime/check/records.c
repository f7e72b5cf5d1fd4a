#include "runtime/check/records.h"

#include <string.h>

#include "runtime/root.h"

/* Chunks are never moved nor given back: a record's number stays its place. */
enum { LOG2_CHUNK = 10, MOST_CHUNKS = 1 << 14, LOG2_FIRST_BUCKETS = 10, GRAVES = 128 };

static struct st_record *chunks[MOST_CHUNKS];
static uint32_t used;      /* numbers handed out so far */
static uint32_t free_list; /* number + 1 */
static uint32_t in_use;
static uint64_t last_serial;

static uint32_t *buckets; /* number + 1 */
static uint32_t log2_buckets;

static struct {
    uint64_t comm;
    uint32_t site;
} graves[GRAVES];
static uint32_t next_grave;

static struct st_record *at(uint32_t number)
{
    return &chunks[number >> LOG2_CHUNK][number & ((1u << LOG2_CHUNK) - 1)];
}

static uint32_t *bucket_of(enum st_kind kind, uint64_t handle)
{
    uint64_t hash = (handle + ((uint64_t)kind << 56)) * UINT64_C(0x9E3779B97F4A7C15);
    return &buckets[hash >> (64 - log2_buckets)];
}

static bool grow(void)
{
    uint32_t log2_new = buckets ? log2_buckets + 1 : LOG2_FIRST_BUCKETS;
    uint32_t *larger = st_map(sizeof(uint32_t) << log2_new);
    if (!larger)
        return buckets != NULL;
    uint32_t *old = buckets;
    uint32_t log2_old = log2_buckets;
    buckets = larger;
    log2_buckets = log2_new;
    for (uint32_t i = 0; old && i < 1u << log2_old; i++)
        for (uint32_t next, link = old[i]; link; link = next) {
            struct st_record *record = at(link - 1);
            uint32_t *head = bucket_of(record->kind, record->handle);
            next = record->next;
            record->next = *head;
            *head = link;
        }
    if (old)
        st_unmap(old, sizeof(uint32_t) << log2_old);
    return true;
}

static uint32_t take(void)
{
    uint32_t number = free_list - 1;
    if (free_list) {
        free_list = at(number)->next;
        return number;
    }
    number = used;
    uint32_t chunk = number >> LOG2_CHUNK;
    if (chunk == MOST_CHUNKS)
        return ST_NO_RECORD;
    if (!chunks[chunk] && !(chunks[chunk] = st_map(sizeof(struct st_record) << LOG2_CHUNK)))
        return ST_NO_RECORD;
    used++;
    return number;
}

struct st_record *st_records_add(enum st_kind kind, uint64_t handle)
{
    if ((!buckets || in_use >> log2_buckets) && !grow())
        return NULL;
    uint32_t number = take();
    if (number == ST_NO_RECORD)
        return NULL;
    struct st_record *record = at(number);
    uint32_t *head = bucket_of(kind, handle);
    *record = (struct st_record){.handle = handle,
                                 .kind = (uint8_t)kind,
                                 .serial = ++last_serial,
                                 .site = ST_NO_SITE,
                                 .other_site = ST_NO_SITE,
                                 .number = number,
                                 .next = *head};
    *head = number + 1;
    in_use++;
    return record;
}

struct st_record *st_records_find(enum st_kind kind, uint64_t handle, uint64_t variable)
{
    struct st_record *first = NULL;
    if (!buckets)
        return NULL;
    for (uint32_t link = *bucket_of(kind, handle); link; link = at(link - 1)->next) {
        struct st_record *record = at(link - 1);
        if (record->handle != handle || record->kind != kind)
            continue;
        if (record->variable == variable)
            return record;
        if (!first)
            first = record;
    }
    return first;
}

struct st_record_name st_records_name(const struct st_record *record)
{
    if (!record)
        return (struct st_record_name){.number = ST_NO_RECORD};
    return (struct st_record_name){.number = record->number, .serial = record->serial};
}

struct st_record *st_records_named(struct st_record_name name)
{
    if (name.number >= used)
        return NULL;
    struct st_record *record = at(name.number);
    return record->serial == name.serial ? record : NULL;
}

void st_records_remove(struct st_record *record)
{
    uint32_t *link = bucket_of(record->kind, record->handle);
    while (*link && at(*link - 1) != record)
        link = &at(*link - 1)->next;
    if (!*link)
        return;
    uint32_t number = *link - 1;
    *link = record->next;
    record->serial = 0;
    record->next = free_list;
    free_list = number + 1;
    in_use--;
}

const struct st_record *st_records_walk(uint32_t *number)
{
    while (*number < used) {
        const struct st_record *record = at((*number)++);
        if (record->serial)
            return record;
    }
    return NULL;
}

void st_records_bury(uint64_t comm, uint32_t site)
{
    graves[next_grave].comm = comm;
    graves[next_grave].site = site;
    next_grave = (next_grave + 1) % GRAVES;
}

bool st_records_buried(uint64_t comm, uint32_t *site)
{
    for (uint32_t i = 1; i <= GRAVES; i++) {
        uint32_t grave = (next_grave + GRAVES - i) % GRAVES;
        if (graves[grave].comm == comm && comm) {
            *site = graves[grave].site;
            return true;
        }
    }
    return false;
}

void st_records_forget_buried(void)
{
    memset(graves, 0, sizeof graves);
}
