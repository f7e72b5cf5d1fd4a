/*
 * Call sites as a report has them: the file that is mapped at an address, and the place in it.
 */
#ifndef ST_RUNTIME_REPORT_FRAMES_H
#define ST_RUNTIME_REPORT_FRAMES_H

#include "report/report.h"
#include "runtime/wrap/caller.h"
#include "runtime/wrap/function.h"
#include "runtime/record/record.h"

enum { ST_MOST_PLACES = 48, ST_MOST_PLACE_TEXT = 8192 };

/* Writes the call site of a call that makes or takes a handle: with the line in Python where that
 * costs no waiting. The caller must not hold the recorder's lock where the call is Python's. */
void st_site_of_call(const struct st_call *call, struct st_site *site);

/* Returns the number that the call site has in the registry; the same about the lock. */
uint32_t st_site_number(const struct st_call *call);

/* Room for the frames of one report. */
struct st_places {
    size_t used, text_used;
    struct st_frame frames[ST_MOST_PLACES];
    char text[ST_MOST_PLACE_TEXT];
};

/* The frames of a call: root.site_frames of them, 0 filling up. Empty where there is no room. */
struct st_frames st_places_of(struct st_places *places, const uint64_t *frames, size_t most);

/* Those of a site of the registry, ST_NO_SITE included. */
struct st_frames st_places_of_site(struct st_places *places, uint32_t site);

/* The frames of a site of the registry, at most ST_SITE_FRAMES; nothing for ST_NO_SITE. */
void st_site_read(uint32_t site, uint64_t *frames);

#endif
