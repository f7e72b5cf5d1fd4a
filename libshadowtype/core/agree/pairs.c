/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/pairs.h"

#include <string.h>

static uint64_t load_word(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

struct st_rank_pairs *st_pairs_take(struct st_rank_pairs_room *room, uint64_t sends,
                                    uint64_t receives, uint64_t *place)
{
    uint64_t bytes =
        sizeof(struct st_rank_pairs) + (sends + receives) * sizeof(struct st_rank_pair);
    if (sends > ST_PAIRS_BYTES || receives > ST_PAIRS_BYTES || bytes > ST_PAIRS_BYTES / 2) {
        return NULL;
    }
    uint64_t from = room->begun;
    uint64_t left = ST_PAIRS_BYTES - from % ST_PAIRS_BYTES;
    if (left < bytes) {
        from += left;
    }
    /* A reader of the old data sees by this that it is gone. */
    __atomic_store_n(&room->begun, from + bytes, __ATOMIC_SEQ_CST);
    *place = from + 1;
    struct st_rank_pairs *pairs =
        (struct st_rank_pairs *)(void *)&room->bytes[from % ST_PAIRS_BYTES / 8];
    pairs->sends = (uint32_t)sends;
    pairs->receives = (uint32_t)receives;
    return pairs;
}

static bool is_pair_there(const struct st_rank_pairs_room *room, uint64_t from)
{
    uint64_t begun = load_word(&room->begun);
    return from < begun && begun - from <= ST_PAIRS_BYTES;
}

static bool read_words(const struct st_rank_pairs_room *room, uint64_t from, uint64_t *words,
                       uint64_t count)
{
    uint64_t first = from % ST_PAIRS_BYTES / sizeof *words;
    if (count > ST_PAIRS_BYTES / sizeof *words - first) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        words[i] = load_word(&room->bytes[first + i]);
    }
    return true;
}

/* Returns false if it is not there any more. */
static bool read_head(const struct st_rank_pairs_room *room, uint64_t place,
                      struct st_rank_pairs *head)
{
    uint64_t from = place - 1, word;
    _Static_assert(sizeof *head == sizeof word, "one word");
    if (!place || from % sizeof word || !is_pair_there(room, from) ||
        !read_words(room, from, &word, 1)) {
        return false;
    }
    memcpy(head, &word, sizeof word);
    return true;
}

bool st_pairs_are_there(const struct st_rank_pairs_room *room, uint64_t place)
{
    struct st_rank_pairs head;
    return read_head(room, place, &head) && is_pair_there(room, place - 1);
}

uint32_t st_pairs_count(const struct st_rank_pairs_room *room, uint64_t place, bool sends)
{
    struct st_rank_pairs head;
    if (!read_head(room, place, &head) || !is_pair_there(room, place - 1)) {
        return 0;
    }
    return sends ? head.sends : head.receives;
}

bool st_pairs_read(const struct st_rank_pairs_room *room, uint64_t place, bool sends,
                   int32_t member, struct st_rank_pair *pair)
{
    struct st_rank_pairs head;
    uint64_t from = place - 1, words[sizeof *pair / sizeof(uint64_t)];
    if (member < 0 || !read_head(room, place, &head)) {
        return false;
    }
    uint64_t count = sends ? head.sends : head.receives;
    uint64_t index = (sends ? 0 : (uint64_t)head.sends) + (count == 1 ? 0 : (uint64_t)member);
    if (count == 0 || (count > 1 && (uint64_t)member >= count) ||
        !read_words(room, from + sizeof head + index * sizeof *pair, words, sizeof words / 8)) {
        return false;
    }
    memcpy(pair, words, sizeof *pair);
    return is_pair_there(room, from);
}

bool st_pairs_differ(const struct st_rank_pair *sent, const struct st_rank_pair *received)
{
    if (!(sent->flags & received->flags & ST_COLLECTIVE_SIGNATURE)) {
        return false;
    }
    if (sent->length != received->length) {
        return true;
    }
    return sent->length != 0 &&
           ((sent->flags ^ received->flags) & ST_COLLECTIVE_UNIFORM ||
            sent->hash[0] != received->hash[0] || sent->hash[1] != received->hash[1]);
}
