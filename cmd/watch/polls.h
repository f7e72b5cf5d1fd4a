/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes that a rank calls only functions that look whether something has come, such as MPI_Test and
 * MPI_Iprobe. Such calls return at once, so a look sees some of them only.
 *
 *     struct polls *polls = NULL;
 *     ... at each look at which the rank has called MPI since: polls_note(&polls, &waits); ...
 *     if (polls_go_on(polls)) { ... polls->call is one of them; polls_text(&waits) ... }
 */
#ifndef MPIPP_WATCH_POLLS_H
#define MPIPP_WATCH_POLLS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/waits/state.h"

struct polls {
    char function[ST_FUNCTION_BYTES]; /* of the call that was seen last: "MPI_Test" */
    struct st_thread_call call;
    uint64_t pending; /* a hash of the requests that were pending then */
    unsigned looks;   /* at which the rank was in such a call, and its requests were the same */
};

/* Forgets what was noted if the rank is in another call, or if its requests have changed. *noted is NULL until the
 * rank is in such a call: most never are. */
void polls_note(struct polls **noted, const struct st_wait_rank *waits);

/* True if the rank was seen in such calls alone, at several looks. POLLS may be NULL. */
bool polls_go_on(const struct polls *polls);

/* The requests that it may poll for: "MPI_Irecv(source=1, tag=7, MPI_COMM_WORLD)", in new memory; "": none. */
char *polls_text(const struct st_wait_rank *waits);

#endif
