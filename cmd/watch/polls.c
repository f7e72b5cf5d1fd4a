/* SPDX-License-Identifier: BSD-3-Clause */
#include "polls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "core/model/hash.h"
#include "core/waits/describe.h"
#include "core/waits/functions.h"
#include "core/waits/told.h"

/* A request is polled for; a probe needs none. */
static bool may_poll(const struct st_wait_rank *waits, const char *function)
{
    return strstr(function, "probe") != NULL || waits->pending_count != 0;
}

static uint64_t hash_pending(const struct st_wait_rank *waits)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < waits->pending_count; i++) {
        const struct st_wait_part *part = &waits->pending[i];
        hash = st_hash_word(st_hash_word(hash, part->handle),
                            (uint64_t)part->site << 32 | (uint32_t)part->tag);
    }
    return hash;
}

void polls_note(struct polls **noted, const struct st_wait_rank *waits)
{
    const struct st_wait_thread *thread = st_told_thread(waits);
    if (thread == NULL || strcmp(thread->function, "MPI_Wtime") == 0) {
        return;
    }
    if (waits->thread_count != 1 || !st_function_polls(thread->function) ||
        !may_poll(waits, thread->function)) {
        free(*noted);
        *noted = NULL;
        return;
    }
    const uint64_t pending = hash_pending(waits);
    struct polls *polls = *noted;
    if (polls == NULL) {
        polls = *noted = zeroed(1, sizeof *polls);
    }
    if (polls->pending != pending) {
        *polls = (struct polls){.pending = pending};
    }
    snprintf(polls->function, sizeof polls->function, "%s", thread->function);
    polls->call = thread->call;
    polls->looks++;
}

bool polls_go_on(const struct polls *polls)
{
    enum { ENOUGH = 3 };
    return polls != NULL && polls->looks >= ENOUGH;
}

char *polls_text(const struct st_wait_rank *waits)
{
    enum { MOST = 3 };
    char *text = text_of("%s", ""), one[ST_DESCRIBED];
    for (size_t i = 0; i < waits->pending_count && i < MOST; i++) {
        st_describe_operation(waits, &waits->pending[i], one, sizeof one);
        text = text_of("%s%s%s", text, i == 0 ? "" : ", ", one);
    }
    return waits->pending_count > MOST
               ? text_of("%s and %zu more", text, waits->pending_count - MOST)
               : text;
}
