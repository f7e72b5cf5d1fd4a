/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/clock.h"

void st_clock_publish(struct st_clock_history *history, const struct st_clock *clock, uint32_t own,
                      uint32_t count)
{
    const uint32_t tick = clock->ticks[own];
    struct st_clock_slot *slot = &history->slots[tick % ST_CLOCKS_KEPT];
    __atomic_store_n(&slot->tick, 0, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < count; i++) {
        __atomic_store_n(&slot->clock.ticks[i], clock->ticks[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&slot->tick, tick, __ATOMIC_RELEASE);
    __atomic_store_n(&history->last, tick, __ATOMIC_RELEASE);
}

static bool read_slot(const struct st_clock_history *history, uint32_t tick, uint32_t count,
                      struct st_clock *clock)
{
    const struct st_clock_slot *slot = &history->slots[tick % ST_CLOCKS_KEPT];
    if (__atomic_load_n(&slot->tick, __ATOMIC_ACQUIRE) != tick) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        clock->ticks[i] = __atomic_load_n(&slot->clock.ticks[i], __ATOMIC_ACQUIRE);
    }
    return __atomic_load_n(&slot->tick, __ATOMIC_ACQUIRE) == tick;
}

bool st_clock_at(const struct st_clock_history *history, uint32_t tick, uint32_t count,
                 struct st_clock *clock)
{
    enum { MOST_TRIES = 64 };
    if (tick && read_slot(history, tick, count, clock)) {
        return true;
    }
    for (int i = 0; i < MOST_TRIES; i++) {
        const uint32_t last = __atomic_load_n(&history->last, __ATOMIC_ACQUIRE);
        if (last == 0 || last < tick) {
            return false;
        }
        if (read_slot(history, last, count, clock)) {
            return true;
        }
    }
    return false;
}

bool st_clock_join(struct st_clock *clock, const struct st_clock *other, uint32_t count)
{
    bool more = false;
    for (uint32_t i = 0; i < count; i++) {
        if (other->ticks[i] > clock->ticks[i]) {
            clock->ticks[i] = other->ticks[i];
            more = true;
        }
    }
    return more;
}
