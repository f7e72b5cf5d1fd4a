/*
 * Call sites as the ranks of a node tell them to each other: in words, because an address means nothing in
 * another process. Each site once, in the rank's area.
 */
#ifndef ST_RUNTIME_RANKS_PLACES_H
#define ST_RUNTIME_RANKS_PLACES_H

#include "core/agree/segment.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/function.h"

/* Where the site of a call stands in this rank's area; 0: there is no room. */
uint32_t st_place_of_call(const struct st_call *call);

/* The frames of a site in an area, which may be any bytes. Empty: not known. */
struct st_frames st_place_read(const struct st_rank_area *area, uint32_t place,
                               struct st_places *places);

#endif
