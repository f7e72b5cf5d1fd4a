/*
 * Call sites: the return addresses of the user's calls, each kept once.
 */
#ifndef ST_RUNTIME_SITES_H
#define ST_RUNTIME_SITES_H

#include "runtime/root.h"

#define ST_SITE_FRAMES 16u /* the most that root.site_frames may be */

/* The index of the site with these root.site_frames return addresses, innermost first, 0 filling
 * up; ST_NO_SITE: no memory. */
uint32_t st_site_intern(const uint64_t *frames);

#endif
