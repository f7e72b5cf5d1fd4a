/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes_internal.h"

#include <stdlib.h>

#include "../clock.h"
#include "../stacks/merge.h"
#include "../words.h"

struct far_stacks {
    uint32_t ticket;
    size_t missing; /* nodes that have not answered */
    int64_t due;
    json_t *taken; /* NULL: nothing yet */
};
enum { MOST_STACKS = 8, TO_STACK = 12000 };
static struct far_stacks *waiting[MOST_STACKS];

void far_stacks_take(uint32_t ticket, json_t *json)
{
    for (size_t i = 0; i < MOST_STACKS; i++) {
        if (waiting[i] != NULL && waiting[i]->ticket == ticket && waiting[i]->missing != 0) {
            waiting[i]->missing--;
            waiting[i]->taken = stacks_merge(waiting[i]->taken, json);
        }
    }
    json_decref(json);
}

struct far_stacks *far_stacks_start(struct far_rank *const *list, size_t count)
{
    struct far_stacks *stacks = zeroed(1, sizeof *stacks);
    stacks->ticket = ++nodes_all.tickets;
    stacks->due = clock_ms() + TO_STACK;
    for (size_t i = 0; i < nodes_all.count; i++) {
        struct far_stack *asked = zeroed(count + 1, sizeof *asked);
        size_t number = 0;
        for (size_t k = 0; k < count; k++) {
            if (list[k]->node == nodes_all.nodes[i]) {
                asked[number++] = (struct far_stack){list[k]->state.pid, list[k]->state.rank};
            }
        }
        if (number != 0 && !nodes_all.nodes[i]->is_silent &&
            nodes_tell(nodes_all.nodes[i], NODE_STACKS, stacks->ticket, asked,
                       number * sizeof *asked)) {
            stacks->missing++;
        }
        free(asked);
    }
    for (size_t i = 0; i < MOST_STACKS; i++) {
        if (waiting[i] == NULL) {
            waiting[i] = stacks;
            return stacks;
        }
    }
    stacks->missing = 0;
    return stacks;
}

bool far_stacks_are_done(struct far_stacks *stacks, int64_t now)
{
    return stacks->missing == 0 || now >= stacks->due;
}

void far_stacks_wait(struct far_stacks *stacks)
{
    while (!far_stacks_are_done(stacks, clock_ms())) {
        nodes_take_messages(100);
    }
}

json_t *far_stacks_end(struct far_stacks *stacks)
{
    json_t *taken = stacks->taken;
    for (size_t i = 0; i < MOST_STACKS; i++) {
        waiting[i] = waiting[i] == stacks ? NULL : waiting[i];
    }
    free(stacks);
    return taken;
}
