/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/meeting.h"

enum { TAG_BITS = 24, DIGEST_BITS = 40, RANK_BITS = 16 };

static uint64_t load_word(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static uint64_t tag_of(uint64_t key)
{
    return key >> (64 - TAG_BITS);
}

/* Of st_meeting_point.call. */
static uint64_t word_tag(uint64_t word)
{
    return word >> DIGEST_BITS;
}

/* Never 0, so that an unused point has no call. */
static uint64_t call_word(uint64_t key, uint64_t digest)
{
    return tag_of(key) << DIGEST_BITS | (digest & ((UINT64_C(1) << DIGEST_BITS) - 1)) | 1;
}

static uint64_t first_word(uint64_t key, uint64_t before, uint32_t rank)
{
    return tag_of(key) << DIGEST_BITS | word_tag(before) << RANK_BITS |
           (rank & ((1u << RANK_BITS) - 1));
}

static enum st_arrival come_later(const struct st_meeting_point *meeting, uint64_t call,
                                  uint64_t mine, uint32_t *first)
{
    if (call == mine) {
        return ST_CAME_ALIKE;
    }
    const uint64_t word = load_word(&meeting->first);
    *first = word_tag(word) == word_tag(mine) ? (uint32_t)word & ((1u << RANK_BITS) - 1)
                                              : ST_NOT_KNOWN_WHO;
    return ST_CAME_OTHERWISE;
}

/* Returns true if the point may have been taken from the call: by the one that has it now, or by one
 * that is still writing. */
static bool may_be_taken(const struct st_meeting_point *meeting, uint64_t call, uint64_t mine)
{
    const uint64_t word = load_word(&meeting->first);
    return call && (word_tag(word) != word_tag(call) ||
                    (word >> RANK_BITS & ((1u << TAG_BITS) - 1)) == word_tag(mine));
}

enum st_arrival st_meeting_arrive(struct st_meeting_point *meeting, uint64_t key,
                                  const struct st_comer *comer, uint32_t *first)
{
    const uint64_t mine = call_word(key, comer->digest);
    uint64_t call = load_word(&meeting->call);
    if (word_tag(call) == word_tag(mine) && call) {
        return come_later(meeting, call, mine, first);
    }
    if (may_be_taken(meeting, call, mine)) {
        return ST_CAME_TOO_LATE;
    }
    const uint64_t before = call;
    if (__atomic_compare_exchange_n(&meeting->call, &call, mine, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_ACQUIRE)) {
        __atomic_store_n(&meeting->first, first_word(key, before, comer->rank), __ATOMIC_RELEASE);
        return ST_CAME_FIRST;
    }
    return word_tag(call) == word_tag(mine) ? come_later(meeting, call, mine, first)
                                            : ST_CAME_TOO_LATE;
}

bool st_meeting_tells(struct st_meeting_point *meeting, uint64_t key)
{
    uint64_t told = load_word(&meeting->told);
    return told != key && __atomic_compare_exchange_n(&meeting->told, &told, key, false,
                                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
