/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/model/memory.h"

#include <stdlib.h>
#include <string.h>

/* A walk reads one page after another; its reads grow to this many pages. */
#define WALK_PAGES ((size_t)16)
/* A read of this length or more bypasses the cache, in pieces of this length. */
#define LONG_READ ((size_t)65536)
#define LONGEST_READ ((size_t)1 << 20)
/* The cache is emptied when it has this many pages: 64 MiB. */
#define MOST_PAGES ((size_t)16384)

struct st_page {
    struct st_page *next;
    uint64_t number; /* address / ST_PAGE */
    unsigned char data[ST_PAGE];
};

void st_memory_init(struct st_memory *memory, st_read_fn read, void *context)
{
    *memory = (struct st_memory){.read = read, .context = context};
}

void st_memory_drop(struct st_memory *memory)
{
    for (size_t i = 0; i < memory->bucket_count; i++) {
        struct st_page *page = memory->buckets[i];
        while (page) {
            struct st_page *next = page->next;
            free(page);
            page = next;
        }
        memory->buckets[i] = NULL;
    }
    memory->page_count = 0;
    memory->last = NULL;
    memset(memory->walks, 0, sizeof memory->walks);
    memory->interrupted = false;
}

void st_memory_deinit(struct st_memory *memory)
{
    st_memory_drop(memory);
    free(memory->buckets);
    *memory = (struct st_memory){0};
}

static size_t bucket_of(const struct st_memory *memory, uint64_t number)
{
    return (size_t)((number * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (memory->bucket_count - 1);
}

static struct st_page *look_up_page(struct st_memory *memory, uint64_t number)
{
    if (memory->last && memory->last->number == number) {
        return memory->last;
    }
    if (!memory->bucket_count) {
        return NULL;
    }
    for (struct st_page *page = memory->buckets[bucket_of(memory, number)]; page;
         page = page->next) {
        if (page->number == number) {
            return memory->last = page;
        }
    }
    return NULL;
}

static bool grow_buckets(struct st_memory *memory)
{
    size_t count = memory->bucket_count ? memory->bucket_count * 4 : 64;
    struct st_page **buckets = calloc(count, sizeof(*buckets));
    if (!buckets) {
        return memory->bucket_count != 0; /* the chains get longer: no failure */
    }
    struct st_memory wider = *memory;
    wider.buckets = buckets;
    wider.bucket_count = count;
    for (size_t i = 0; i < memory->bucket_count; i++) {
        struct st_page *page = memory->buckets[i];
        while (page) {
            struct st_page *next = page->next;
            size_t to = bucket_of(&wider, page->number);
            page->next = buckets[to];
            buckets[to] = page;
            page = next;
        }
    }
    free(memory->buckets);
    *memory = wider;
    return true;
}

/* Reads target bytes; stores whether the read was interrupted, and counts the bytes read. */
static bool deliver_bytes(struct st_memory *memory, uint64_t address, void *buffer, size_t length)
{
    enum st_read_result result = memory->read(address, buffer, length, memory->context);
    memory->interrupted = result == ST_READ_INTERRUPTED;
    memory->delivered += result == ST_READ_OK ? length : 0;
    return result == ST_READ_OK;
}

static bool insert_page(struct st_memory *memory, struct st_page *page, uint64_t number)
{
    if (memory->page_count >= memory->bucket_count * 2 && !grow_buckets(memory)) {
        return false;
    }
    page->number = number;
    size_t to = bucket_of(memory, number);
    page->next = memory->buckets[to];
    memory->buckets[to] = page;
    memory->page_count++;
    memory->last = page;
    return true;
}

static bool fetch_one(struct st_memory *memory, uint64_t number)
{
    struct st_page *page = malloc(sizeof(*page));
    if (page && deliver_bytes(memory, number * ST_PAGE, page->data, ST_PAGE) &&
        insert_page(memory, page, number)) {
        return true;
    }
    free(page);
    return false;
}

static bool insert_copy(struct st_memory *memory, uint64_t number, const unsigned char *data)
{
    struct st_page *page = malloc(sizeof(*page));
    if (!page) {
        return false;
    }
    memcpy(page->data, data, ST_PAGE);
    if (insert_page(memory, page, number)) {
        return true;
    }
    free(page);
    return false;
}

/* Brings pages into the cache with one read. Uses no large buffer on the stack: a rank's thread may
 * have a stack of only 16 KiB. */
static bool fetch_pages(struct st_memory *memory, uint64_t number, size_t pages)
{
    if (pages == 1) {
        return fetch_one(memory, number);
    }
    unsigned char *buffer = malloc(pages * ST_PAGE);
    bool done = buffer && deliver_bytes(memory, number * ST_PAGE, buffer, pages * ST_PAGE);
    for (size_t i = 0; done && i < pages; i++) {
        done = look_up_page(memory, number + i) ||
               insert_copy(memory, number + i, buffer + i * ST_PAGE);
    }
    free(buffer);
    return done;
}

/* Returns the walk that continues with this page; NULL if no walk does. Stores how many pages to
 * read, twice as many as the last time, and in *first the first of them. */
static struct st_walk *walk_to(struct st_memory *memory, uint64_t number, uint64_t *first,
                               size_t *pages)
{
    const uint64_t last_number = UINT64_MAX / ST_PAGE;
    for (size_t i = 0; i < sizeof memory->walks / sizeof *memory->walks; i++) {
        struct st_walk *walk = &memory->walks[i];
        *pages = walk->pages * 2 < WALK_PAGES ? walk->pages * 2 : WALK_PAGES;
        *first = number;
        if (walk->pages && walk->end == number && number <= last_number - WALK_PAGES) {
            return walk;
        }
        if (walk->pages && walk->first == number + 1 && number >= WALK_PAGES) {
            *first = number + 1 - *pages;
            return walk;
        }
    }
    return NULL;
}

/* Returns the page with this number, and reads it if it is not cached; NULL if some of it cannot be
 * read. */
static struct st_page *page_at(struct st_memory *memory, uint64_t number)
{
    struct st_page *page = look_up_page(memory, number);
    if (page || memory->interrupted) {
        return page;
    }
    if (memory->page_count >= MOST_PAGES) {
        st_memory_drop(memory);
    }
    uint64_t first;
    size_t pages;
    struct st_walk *walk = walk_to(memory, number, &first, &pages);
    if (walk && fetch_pages(memory, first, pages)) {
        *walk = (struct st_walk){.first = first, .end = first + pages, .pages = pages};
        return look_up_page(memory, number);
    }
    if (memory->interrupted || !fetch_pages(memory, number, 1)) {
        return NULL;
    }
    if (!walk) {
        walk = &memory->walks[memory->next_walk++ % (sizeof memory->walks / sizeof *walk)];
    }
    *walk = (struct st_walk){.first = number, .end = number + 1, .pages = 1};
    return look_up_page(memory, number);
}

/* Reads target bytes without the cache. */
static bool read_past(struct st_memory *memory, uint64_t address, void *buffer, size_t length)
{
    return !memory->interrupted && deliver_bytes(memory, address, buffer, length);
}

/* Returns the first byte that cannot be read. A page may be readable in part: a core file may end
 * in it. */
static uint64_t first_bad(struct st_memory *memory, uint64_t address, void *buffer, size_t length)
{
    size_t good = 0, over = length;
    while (over - good > 1) {
        size_t middle = good + (over - good) / 2;
        if (read_past(memory, address, buffer, middle)) {
            good = middle;
        } else {
            over = middle;
        }
    }
    return address + good;
}

/* Reads bytes within one page, through the cache. */
static bool read_part(struct st_memory *memory, uint64_t address, void *buffer, size_t length,
                      uint64_t *bad)
{
    struct st_page *page = page_at(memory, address / ST_PAGE);
    if (page) {
        memcpy(buffer, page->data + address % ST_PAGE, length);
        return true;
    }
    if (read_past(memory, address, buffer, length)) {
        return true;
    }
    if (bad) {
        *bad = first_bad(memory, address, buffer, length);
    }
    return false;
}

bool st_memory_read(struct st_memory *memory, uint64_t address, void *buffer, size_t length,
                    uint64_t *bad)
{
    unsigned char *to = buffer;
    size_t by_pages = 0; /* bytes that follow and are read page by page, because one read of them
                            failed */
    while (length) {
        size_t within = (size_t)(address % ST_PAGE);
        size_t part = ST_PAGE - within < length ? ST_PAGE - within : length;
        if (length >= LONG_READ && !by_pages) {
            size_t most = length < LONGEST_READ ? length : LONGEST_READ;
            if (address + most > address && read_past(memory, address, to, most)) {
                part = most;
            } else {
                by_pages = most;
                continue;
            }
        } else {
            if (!read_part(memory, address, to, part, bad)) {
                return false;
            }
            by_pages -= by_pages < part ? by_pages : part;
        }
        to += part;
        length -= part;
        address += part;
        if (length && address == 0) {
            if (bad) {
                *bad = UINT64_MAX;
            }
            return false; /* beyond the end of the address space */
        }
    }
    return true;
}

bool st_affordable(const struct st_memory *memory, uint64_t bytes)
{
    const uint64_t free_bytes = ST_FREE_BYTES / 2;
    return bytes <= free_bytes || (bytes - free_bytes) / (ST_PER_BYTE / 2) < memory->delivered;
}
