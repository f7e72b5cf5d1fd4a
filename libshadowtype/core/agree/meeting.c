/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/meeting.h"

static uint64_t load_word(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void store_word(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static enum st_arrival come_later(struct st_meeting_point *meeting, uint64_t key,
                                  struct st_comer *first)
{
    if (load_word(&meeting->ready) != key) {
        /* Ordered with the two stores of come_first(): one of the two sees the other. */
        __atomic_store_n(&meeting->missed, key, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&meeting->ready, __ATOMIC_SEQ_CST) != key)
            return ST_CAME_MEANWHILE;
    }
    *first = (struct st_comer){load_word(&meeting->digest), (uint32_t)load_word(&meeting->rank)};
    return load_word(&meeting->ready) == key ? ST_CAME_LATER : ST_CAME_TOO_LATE;
}

static void come_first(struct st_meeting_point *meeting, uint64_t key, uint64_t before,
                       const struct st_comer *mine, bool *missed)
{
    store_word(&meeting->ready, 0);
    store_word(&meeting->before, before);
    store_word(&meeting->digest, mine->digest);
    store_word(&meeting->rank, mine->rank);
    __atomic_store_n(&meeting->ready, key, __ATOMIC_SEQ_CST);
    *missed = __atomic_load_n(&meeting->missed, __ATOMIC_SEQ_CST) == key;
}

enum st_arrival st_meeting_arrive(struct st_meeting_point *meeting, uint64_t key,
                                  const struct st_comer *mine, struct st_comer *first, bool *missed)
{
    uint64_t claim = load_word(&meeting->claim);
    if (claim == key)
        return come_later(meeting, key, first);
    /* A rank must not take a place that another one is still writing. */
    if (load_word(&meeting->ready) != claim || load_word(&meeting->before) == key)
        return ST_CAME_TOO_LATE;
    const uint64_t before = claim;
    if (__atomic_compare_exchange_n(&meeting->claim, &claim, key, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        come_first(meeting, key, before, mine, missed);
        return ST_CAME_FIRST;
    }
    return claim == key ? come_later(meeting, key, first) : ST_CAME_TOO_LATE;
}

bool st_meeting_tells(struct st_meeting_point *meeting, uint64_t key)
{
    uint64_t told = load_word(&meeting->told);
    return told != key && __atomic_compare_exchange_n(&meeting->told, &told, key, false,
                                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
