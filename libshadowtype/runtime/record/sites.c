/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record/sites.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/record/publish.h"

#define SITES_PER_CHUNK 512u
#define SITE_CHUNKS 8192u

static uint64_t chunks[SITE_CHUNKS];

/* A hash table with open addressing, at most half full: 0 or site + 1. Only for the recorder:
 * readers need no lookup. */
static uint32_t *slots;
static uint32_t log2_slots;

static uint64_t *frames_of(uint32_t site)
{
    uint64_t *chunk = st_pointer(chunks[site / SITES_PER_CHUNK]);
    return chunk + (size_t)(site % SITES_PER_CHUNK) * st_root.site_frames;
}

static uint32_t home_of(const uint64_t *frames)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < st_root.site_frames; i++) {
        hash = (hash ^ frames[i]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return (uint32_t)(hash >> (64u - log2_slots));
}

static bool same_frames(const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < st_root.site_frames; i++) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

static uint32_t probe_site(const uint64_t *frames)
{
    uint32_t mask = (1u << log2_slots) - 1;
    uint32_t at = home_of(frames);
    while (slots[at] && !same_frames(frames_of(slots[at] - 1), frames)) {
        at = (at + 1) & mask;
    }
    return at;
}

static bool make_site_room(void)
{
    if (slots && st_root.sites_used < 1u << (log2_slots - 1)) {
        return true;
    }
    uint32_t old_log2 = log2_slots;
    uint32_t *old = slots;
    uint32_t new_log2 = old ? old_log2 + 1 : 10;
    uint32_t *larger = st_map(sizeof(uint32_t) << new_log2);
    if (!larger) {
        return false;
    }
    slots = larger;
    log2_slots = new_log2;
    for (uint32_t site = 0; site < st_root.sites_used; site++) {
        slots[probe_site(frames_of(site))] = site + 1;
    }
    if (old) {
        st_unmap(old, sizeof(uint32_t) << old_log2);
    }
    return true;
}

static bool add_site_chunk(void)
{
    uint32_t count = st_root.site_chunk_count;
    if (count == SITE_CHUNKS) {
        return false;
    }
    void *chunk = st_map(SITES_PER_CHUNK * st_root.site_frames * sizeof(uint64_t));
    if (!chunk) {
        return false;
    }
    st_root.sites_per_chunk = SITES_PER_CHUNK;
    st_root.site_chunks = st_address(chunks);
    st_publish64(&chunks[count], st_address(chunk));
    st_publish32(&st_root.site_chunk_count, count + 1);
    return true;
}

struct st_remembered_site st_remembered_sites[1 << ST_LOG2_REMEMBERED];

static uint32_t find_or_add(const uint64_t *frames)
{
    if (!make_site_room()) {
        return ST_NO_SITE;
    }
    uint32_t at = probe_site(frames);
    if (slots[at]) {
        return slots[at] - 1;
    }
    uint32_t site = st_root.sites_used;
    if (site == st_root.site_chunk_count * SITES_PER_CHUNK && !add_site_chunk()) {
        return ST_NO_SITE;
    }
    memcpy(frames_of(site), frames, st_root.site_frames * sizeof *frames);
    st_publish32(&st_root.sites_used, site + 1);
    slots[at] = site + 1;
    return site;
}

uint32_t st_site_found_or_made(const uint64_t *frames)
{
    uint32_t site = find_or_add(frames);
    if (site != ST_NO_SITE && st_root.site_frames == 1) {
        *st_remembered_site(frames[0]) = (struct st_remembered_site){frames[0], site};
    }
    return site;
}
