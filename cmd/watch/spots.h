/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places (spots) where a rank made a call or a request, as frames of a record
 * (findings/facts.h).
 */
#ifndef MPIPP_WATCH_SPOTS_H
#define MPIPP_WATCH_SPOTS_H

#include <jansson.h>

#include "../findings/lines.h"
#include "looks.h"

enum { SPOTS_MOST = 16 }; /* frames of a call site */

/* The frames of a call site of RANK, the innermost first. Returns a new array, which is empty if
 * nothing is known. */
json_t *spots_of_site(struct looked *rank, uint32_t site);

/* The same of addresses, as st_registry_site() has them. */
json_t *spots_of_frames(struct looked *rank, const uint64_t *frames, size_t count);

/* The same for a call that the rank is in. */
json_t *spots_of_call(struct looked *rank, const struct st_thread_call *call);

/* The innermost of FRAMES that has a line and is not skipped (--skip-frames), or else the innermost. CALL is as for spots_short(). All members are
 * NULL if nothing is known. It lasts as long as FRAMES. */
struct place spots_place(const json_t *frames, const char *call);

/* The innermost of FRAMES in a few words: "halo.c:57". CALL is the MPI function called there,
 * "MPI_Recv". Returns NULL if nothing is known. */
char *spots_short(json_t *frames, const char *call);

#endif
