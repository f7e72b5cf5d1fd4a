/*
 * Where a call or a request of a rank was made, as frames of a record (findings/facts.h).
 */
#ifndef MPIPP_WATCH_SPOTS_H
#define MPIPP_WATCH_SPOTS_H

#include <jansson.h>

#include "looks.h"

/* Frames of a call site of RANK, the innermost first: a new array, empty where nothing is known. */
json_t *spots_of_site(struct looked *rank, uint32_t site);

/* The same of a call that it is in. */
json_t *spots_of_call(struct looked *rank, const struct st_thread_call *call);

/* The innermost of FRAMES in a few words: "halo.c:57". It calls CALL, "MPI_Recv". Returns NULL if nothing is known. */
char *spots_short(json_t *frames, const char *call);

#endif
