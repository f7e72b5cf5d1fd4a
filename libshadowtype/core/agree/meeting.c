#include "core/agree/meeting.h"

#include <string.h>

#include "core/agree/segment.h"

static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void store(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* The words of a call may be read while they are written: then what is read does not count. Each is stored after
 * the word of publication was withdrawn, and loaded before that is looked at again. */
static void copy_call(struct st_collective *to, const struct st_collective *from)
{
    _Static_assert(sizeof *to % sizeof(uint64_t) == 0, "whole words");
    uint64_t words[sizeof *to / sizeof(uint64_t)];
    const uint64_t *source = (const uint64_t *)(const void *)from;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = load(&source[i]);
    memcpy(to, words, sizeof *to);
}

static void leave_call(struct st_collective *to, const struct st_collective *from)
{
    uint64_t words[sizeof *to / sizeof(uint64_t)];
    uint64_t *target = (uint64_t *)(void *)to;
    memcpy(words, from, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        store(&target[i], words[i]);
}

static enum st_arrival come_later(struct st_meeting_point *meeting, uint64_t key,
                                  struct st_collective *first)
{
    if (load(&meeting->ready) != key) {
        /* In one order with the two of come_first(): one of the two sees the other. */
        __atomic_store_n(&meeting->missed, key, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&meeting->ready, __ATOMIC_SEQ_CST) != key)
            return ST_CAME_MEANWHILE;
    }
    copy_call(first, &meeting->first);
    return load(&meeting->ready) == key ? ST_CAME_LATER : ST_CAME_TOO_LATE;
}

static void come_first(struct st_meeting_point *meeting, uint64_t key, uint64_t before,
                       const struct st_collective *mine, bool *missed)
{
    store(&meeting->ready, 0);
    store(&meeting->before, before);
    leave_call(&meeting->first, mine);
    __atomic_store_n(&meeting->ready, key, __ATOMIC_SEQ_CST);
    *missed = __atomic_load_n(&meeting->missed, __ATOMIC_SEQ_CST) == key;
}

enum st_arrival st_meeting_arrive(struct st_meeting_point *meeting, uint64_t key,
                                  const struct st_collective *mine, struct st_collective *first,
                                  bool *missed)
{
    uint64_t claim = load(&meeting->claim);
    if (claim == key)
        return come_later(meeting, key, first);
    /* Who takes a place that another one still writes would write with it. */
    if (load(&meeting->ready) != claim || load(&meeting->before) == key)
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
    uint64_t told = load(&meeting->told);
    return told != key && __atomic_compare_exchange_n(&meeting->told, &told, key, false,
                                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void st_rank_call_write(struct st_rank_call *place, uint64_t key, const struct st_collective *call)
{
    store(&place->key, 0);
    leave_call(&place->call, call);
    /* Of two that leave theirs and then look for the other's, one finds it. */
    __atomic_store_n(&place->key, key, call->pairs ? __ATOMIC_SEQ_CST : __ATOMIC_RELEASE);
}

bool st_rank_call_read(const struct st_rank_call *place, uint64_t key, struct st_collective *call)
{
    if (__atomic_load_n(&place->key, __ATOMIC_SEQ_CST) != key)
        return false;
    copy_call(call, &place->call);
    return load(&place->key) == key;
}
