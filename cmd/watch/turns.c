/* SPDX-License-Identifier: BSD-3-Clause */
#include "turns.h"

#include <stdlib.h>

/* The frames of a call, if it is known which call of its turn it was. */
static json_t *site_of(const struct shared *shared, uint32_t rank, const struct st_order_turn *turn,
                       uint64_t number)
{
    if (turn->number == number) {
        return shared_frames(shared, rank, turn->place);
    }
    const struct st_rank_area *area = shared_area(shared, rank);
    const uint64_t key = st_collective_key(turn->comm, number);
    struct st_collective call;
    for (size_t i = 0; area != NULL && i < 1 << ST_AREA_LOG2_CALLS; i++) {
        if (st_rank_call_read(&area->calls[i], key, &call) && call.comm == turn->comm &&
            call.number == number) {
            return shared_frames(shared, rank, call.place);
        }
    }
    return json_array();
}

json_t *turn_described(const struct shared *shared, uint32_t rank, const struct st_order_turn *turn,
                       uint64_t number)
{
    char *function = shared_function(shared, rank, turn->called);
    json_t *object = json_pack("{s:s, s:o}", "function", function, "frames",
                               site_of(shared, rank, turn, number));
    free(function);
    return object;
}
