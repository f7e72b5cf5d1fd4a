/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites in the form of a report: the file that is mapped at an address, and the place in it.
 */
#ifndef ST_RUNTIME_REPORT_FRAMES_H
#define ST_RUNTIME_REPORT_FRAMES_H

#include "report/report.h"
#include "runtime/wrap/caller.h"
#include "runtime/wrap/function.h"
#include "runtime/record/record.h"

enum { ST_MOST_PLACES = 48, ST_MOST_PLACE_TEXT = 8192 };

/* Stores the call site of a call that makes or takes a handle; with the line of Python if finding
 * it does not wait. If the call comes from Python, the caller must not hold the recorder's lock. */
void st_site_of_call(const struct st_call *call, struct st_site *site);

/* Returns the number of the call site in the registry. The same holds for the lock. */
uint32_t st_site_number(const struct st_call *call);

/* Memory for the frames of one report. */
struct st_places {
    size_t used, text_used;
    struct st_frame frames[ST_MOST_PLACES];
    char text[ST_MOST_PLACE_TEXT];
};

/* Returns the frames of a call: root.site_frames of them, filled up with 0. Empty if there is no
 * room. */
struct st_frames st_places_of(struct st_places *places, const uint64_t *frames, size_t most);

/* Returns the frames of a site of the registry; `site` may be ST_NO_SITE. */
struct st_frames st_places_of_site(struct st_places *places, uint32_t site);

/* Copies the frames of a site of the registry, at most ST_SITE_FRAMES; none for ST_NO_SITE. */
void st_site_read(uint32_t site, uint64_t *frames);

#endif
