/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/orders.h"

#include <string.h>

typedef uint64_t __attribute__((may_alias)) st_turn_word;
enum { WORDS = sizeof(struct st_order_turn) / sizeof(st_turn_word) };
_Static_assert(sizeof(struct st_order_turn) % sizeof(st_turn_word) == 0, "whole words");

void st_order_note(struct st_order_room *room, const struct st_order_turn *turn)
{
    const uint64_t written = room->written;
    const st_turn_word *from = (const st_turn_word *)turn;
    st_turn_word *to = (st_turn_word *)&room->turns[written % ST_ORDER_TURNS];
    for (int i = 0; i < WORDS; i++) {
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&room->written, written + 1, __ATOMIC_RELEASE);
}

size_t st_order_read(const struct st_order_room *room, struct st_order_turn turns[ST_ORDER_TURNS])
{
    uint64_t first;
    return st_order_read_from(room, turns, &first);
}

size_t st_order_read_from(const struct st_order_room *room,
                          struct st_order_turn turns[ST_ORDER_TURNS], uint64_t *first)
{
    const uint64_t end = __atomic_load_n(&room->written, __ATOMIC_ACQUIRE);
    const uint64_t begin = end > ST_ORDER_TURNS ? end - ST_ORDER_TURNS : 0;
    for (uint64_t i = begin; i < end; i++) {
        const st_turn_word *from = (const st_turn_word *)&room->turns[i % ST_ORDER_TURNS];
        st_turn_word *to = (st_turn_word *)&turns[i - begin];
        for (int k = 0; k < WORDS; k++) {
            to[k] = __atomic_load_n(&from[k], __ATOMIC_ACQUIRE);
        }
    }
    /* The turn that is written now takes the place of the one so many before it. */
    const uint64_t now = __atomic_load_n(&room->written, __ATOMIC_ACQUIRE);
    const uint64_t good = now >= ST_ORDER_TURNS ? now - ST_ORDER_TURNS + 1 : 0;
    const size_t lost = good <= begin ? 0
                        : good >= end ? (size_t)(end - begin)
                                      : (size_t)(good - begin);
    *first = begin + lost;
    memmove(turns, turns + lost, (size_t)(end - begin - lost) * sizeof *turns);
    return (size_t)(end - begin) - lost;
}
