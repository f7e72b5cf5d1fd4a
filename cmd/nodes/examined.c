/* SPDX-License-Identifier: BSD-3-Clause */
#include "examined.h"

#include <stdlib.h>

#include "../watch/spots.h"
#include "core/model/hash.h"

/* The frames of call sites, which do not change: finding them takes longer than all else. */
enum { KNOWN = 4096 };
static struct known_site {
    const struct process *process;
    uint64_t pc; /* where the site is not known */
    uint32_t site;
    char *text; /* NULL: this place is free */
} known_sites[KNOWN];

static bool is_of_site(const struct known_site *known, const struct looked *rank, uint32_t site,
                       uint64_t pc)
{
    return known->text != NULL && known->process == rank->process && known->site == site &&
           known->pc == pc;
}

static const char *frames_of(void *context, const struct st_thread_call *call, uint32_t site)
{
    struct looked *rank = context;
    const uint64_t pc = call != NULL ? call->pc : 0;
    site = call != NULL ? call->site : site;
    struct known_site *known =
        &known_sites[st_hash_word(st_hash_word(pc, site), (uint64_t)rank->process->pid) % KNOWN];
    if (!is_of_site(known, rank, site, pc)) {
        json_t *frames = call != NULL ? spots_of_call(rank, call) : spots_of_site(rank, site);
        free(known->text);
        *known = (struct known_site){rank->process, pc, site, NULL};
        if (json_array_size(frames) != 0) {
            known->text = json_dumps(frames, JSON_COMPACT);
        }
        json_decref(frames);
    }
    return known->text;
}

void examined_add(struct states_writer *writer, int64_t pid, struct looked *rank)
{
    struct st_wait_shown shown = {0};
    struct states_told told = {.pid = pid};
    if (rank != NULL && looks_examine(rank, &shown)) {
        told = (struct states_told){.pid = pid,
                                    .identity = rank->identity,
                                    .is_read = true,
                                    .is_stuck = rank->waits.is_stuck,
                                    .is_stopped = rank->processor.is_stopped,
                                    .waits = &rank->waits,
                                    .shown = &shown,
                                    .frames = frames_of,
                                    .context = rank};
    }
    states_add(writer, &told);
    st_wait_shown_free(&shown);
}
