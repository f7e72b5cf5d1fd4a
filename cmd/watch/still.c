/* SPDX-License-Identifier: BSD-3-Clause */
#include "still.h"

#include <stdlib.h>
#include <string.h>

#include "core/waits/told.h"
#include "../words.h"
#include "running.h"

/* Where no rank waits in a call: those in MPI_Finalize wait for those that have not come to it. */
static void list_leaving(const struct looks *looks, const struct st_wait_rank *states,
                         struct waiting *waiting)
{
    for (uint32_t i = 0; i < looks->count; i++) {
        if (states[i].presence == ST_WAIT_LEAVING && states[i].is_stuck &&
            st_told_thread(&states[i]) != NULL) {
            waiting->stuck[waiting->stuck_count++] = i;
        } else if (states[i].presence == ST_WAIT_PRESENT || states[i].presence == ST_WAIT_UNSEEN) {
            waiting->running[waiting->running_count++] = i;
        } else if (states[i].presence == ST_WAIT_LEAVING) {
            waiting->stuck_count = waiting->running_count = 0; /* it came a moment ago */
            return;
        }
    }
    waiting->at_end = true;
    if (waiting->running_count == 0) {
        waiting->stuck_count = 0;
    }
}

struct waiting still_list(struct looks *looks, const struct st_wait_rank *states)
{
    struct waiting waiting = {.stuck = zeroed(looks->count, sizeof *waiting.stuck),
                              .running = zeroed(looks->count, sizeof *waiting.running)};
    bool *is_target = zeroed(looks->count, sizeof *is_target);
    bool *is_waiting = zeroed(looks->count, sizeof *is_waiting);
    for (uint32_t i = 0; i < looks->count; i++) {
        bool in_call = states[i].is_stuck && states[i].thread_count != 0;
        for (size_t k = 0; k < states[i].thread_count; k++) {
            in_call &= states[i].threads[k].in_call && states[i].threads[k].count != 0;
        }
        if (!in_call) {
            continue;
        }
        is_waiting[i] = true;
        waiting.stuck[waiting.stuck_count++] = i;
        told_targets(looks, states, i, is_target);
    }
    for (uint32_t i = 0; i < looks->count; i++) {
        enum st_wait_presence presence = states[i].presence;
        if (is_target[i] && !is_waiting[i] &&
            (presence == ST_WAIT_PRESENT || presence == ST_WAIT_UNSEEN)) {
            waiting.running[waiting.running_count++] = i;
        }
    }
    if (waiting.stuck_count == 0) {
        list_leaving(looks, states, &waiting);
    }
    free(is_target);
    free(is_waiting);
    return waiting;
}

void still_free(struct waiting *waiting)
{
    free(waiting->stuck);
    free(waiting->running);
}

static bool has_error(const struct findings *findings)
{
    for (size_t i = 0; i < findings->report_count; i++) {
        if (st_finding_severity(&findings->reports[i]->facts->finding) == ST_SEVERITY_ERROR) {
            return true;
        }
    }
    return false;
}

/* True if there are ranks on other hosts, where they may compute. */
static bool has_ranks_elsewhere(const struct looks *looks)
{
    for (size_t i = 0; i < looks->count; i++) {
        if (looks->ranks[i].process->size > 0 &&
            (size_t)looks->ranks[i].process->size > looks->count) {
            return true;
        }
    }
    return false;
}

/* True if a rank transfers data from or to a file, which may take long. */
static bool has_file_transfers(const struct looks *looks)
{
    for (size_t i = 0; i < looks->count; i++) {
        const struct st_wait_thread *thread = st_told_thread(&looks->ranks[i].waits);
        if (thread != NULL && strncmp(thread->function, "MPI_File_", strlen("MPI_File_")) == 0) {
            return true;
        }
    }
    return false;
}

/* For how long, in milliseconds; -1: a rank is not seen, or is stopped by its user. */
static int64_t patience_with(struct looks *looks, const struct waiting *waiting, int64_t timeout)
{
    /* An error that can be shown is reported first. */
    enum { PATIENCE = 2, WITH_A_COMPUTATION = 10 };
    const int64_t patience = timeout * PATIENCE;
    for (size_t i = 0; i < looks->count; i++) {
        const struct looked *rank = &looks->ranks[i];
        if (rank->processor.is_stopped || rank->state == LOOKED_FORBIDDEN ||
            rank->state == LOOKED_NOT_YET) {
            return -1;
        }
    }
    bool computes = has_ranks_elsewhere(looks) || has_file_transfers(looks);
    for (size_t i = 0; i < waiting->running_count; i++) {
        const struct looked *rank = &looks->ranks[waiting->running[i]];
        computes |= running_computes(rank) || (waiting->at_end && !running_polls(rank));
    }
    return computes ? timeout * WITH_A_COMPUTATION : patience;
}

/* How long the whole job has stood still, in milliseconds that count for some waiting rank: on a busy
 * machine fewer than have passed. */
static int64_t stood_still(const struct looks *looks, const struct waiting *waiting, int64_t now)
{
    int64_t longest = 0;
    for (size_t i = 0; i < waiting->stuck_count; i++) {
        const int64_t counted = looks->ranks[waiting->stuck[i]].counted;
        longest = counted > longest ? counted : longest;
    }
    return now - looks->moved < longest ? now - looks->moved : longest;
}

bool still_is_long(struct looks *looks, const struct waiting *waiting, int64_t timeout, int64_t now)
{
    const int64_t patience = patience_with(looks, waiting, timeout);
    return patience >= 0 && stood_still(looks, waiting, now) >= patience;
}

bool still_after_error(const struct looks *looks, const struct findings *findings,
                       const struct waiting *waiting, int64_t timeout, int64_t now)
{
    size_t present = 0;
    for (size_t i = 0; i < looks->count; i++) {
        const enum st_wait_presence presence = looks->ranks[i].waits.presence;
        present += presence == ST_WAIT_PRESENT || presence == ST_WAIT_UNSEEN;
    }
    return waiting->stuck_count != 0 && !waiting->at_end && waiting->stuck_count == present &&
           stood_still(looks, waiting, now) >= timeout && has_error(findings) &&
           !has_ranks_elsewhere(looks) && !has_file_transfers(looks);
}
