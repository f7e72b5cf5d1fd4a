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

/* The ranks by node: those of node number i are from first[i] to first[i + 1] - 1. */
static struct far_stack *sort_ranks(struct far_rank *const *list, size_t count, size_t *first)
{
    struct far_stack *sorted = zeroed(count + 1, sizeof *sorted);
    size_t *next = zeroed(nodes_all.count + 1, sizeof *next);
    for (size_t i = 0; i < count; i++) {
        first[list[i]->node->index + 1]++;
    }
    for (size_t i = 0; i < nodes_all.count; i++) {
        first[i + 1] += first[i];
        next[i] = first[i];
    }
    for (size_t i = 0; i < count; i++) {
        sorted[next[list[i]->node->index]++] =
            (struct far_stack){list[i]->state.pid, list[i]->state.rank};
    }
    free(next);
    return sorted;
}

struct far_stacks *far_stacks_start(struct far_rank *const *list, size_t count)
{
    struct far_stacks *stacks = zeroed(1, sizeof *stacks);
    size_t *first = zeroed(nodes_all.count + 1, sizeof *first);
    struct far_stack *asked = sort_ranks(list, count, first);
    stacks->ticket = ++nodes_all.tickets;
    stacks->due = clock_ms() + TO_STACK;
    for (size_t i = 0; i < nodes_all.count; i++) {
        const struct node *node = nodes_all.nodes[i];
        const size_t number = first[i + 1] - first[i];
        if (number != 0 && !node->is_silent &&
            nodes_tell(node, NODE_STACKS, stacks->ticket, asked + first[i],
                       number * sizeof *asked)) {
            stacks->missing++;
        }
    }
    free(asked);
    free(first);
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
