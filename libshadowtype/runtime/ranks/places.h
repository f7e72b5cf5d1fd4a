/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites that the ranks of a node publish for each other: in words, because an address has no
 * meaning in another process. Each site is once in the rank's area.
 */
#ifndef ST_RUNTIME_RANKS_PLACES_H
#define ST_RUNTIME_RANKS_PLACES_H

#include "core/agree/segment.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/function.h"

/* Returns the offset of a call's site in this rank's area; 0 if there is no room. */
uint32_t st_place_of_call(const struct st_call *call);

/* Reads the frames of a site in an area, which may contain any bytes. Empty if not known. */
struct st_frames st_place_read(const struct st_rank_area *area, uint32_t place,
                               struct st_places *places);

#endif
