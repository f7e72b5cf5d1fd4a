/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites: the return addresses of the user's calls, each stored once.
 */
#ifndef ST_RUNTIME_RECORD_SITES_H
#define ST_RUNTIME_RECORD_SITES_H

#include "runtime/record/root.h"

#define ST_SITE_FRAMES 16u /* the most that root.site_frames may be */

/* The sites of the last calls, by their only frame. */
enum { ST_LOG2_REMEMBERED = 6 };
extern struct st_remembered_site {
    uint64_t pc;
    uint32_t site;
} st_remembered_sites[1 << ST_LOG2_REMEMBERED] __attribute__((visibility("hidden")));

static inline struct st_remembered_site *st_remembered_site(uint64_t pc)
{
    return &st_remembered_sites[pc * UINT64_C(0x9E3779B97F4A7C15) >> (64 - ST_LOG2_REMEMBERED)];
}

/* st_site_intern() for a site that is not among the last ones. */
uint32_t st_site_found_or_made(const uint64_t *frames);

/* Returns the index of the site with these root.site_frames return addresses, the innermost first, the rest 0;
 * ST_NO_SITE if there is no memory. */
static inline uint32_t st_site_intern(const uint64_t *frames)
{
    const struct st_remembered_site *known = st_remembered_site(frames[0]);
    if (__builtin_expect(known->pc == frames[0] && frames[0] && st_root.site_frames == 1, 1)) {
        return known->site;
    }
    return st_site_found_or_made(frames);
}

#endif
