/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes_internal.h"

enum {
    TO_DESCRIBE = 2000, /* milliseconds: an agent that does not answer in this time is left out */
    TO_TAKE = 1000      /* after which nobody takes the answers any more */
};

static struct {
    uint32_t ticket; /* 0: nothing is asked now */
    int64_t begun;
} asked;

static bool is_asked(const struct node *node)
{
    return node->is_known && !node->is_silent;
}

void far_describe(int64_t now)
{
    if (asked.ticket != 0 &&
        now - asked.begun < TO_DESCRIBE + TO_TAKE) { /* else who asked has left */
        return;
    }
    asked.ticket = ++nodes_all.tickets;
    asked.begun = now;
    for (size_t i = 0; i < nodes_all.count; i++) {
        struct node *node = nodes_all.nodes[i];
        for (size_t k = 0; k < node->rank_count; k++) {
            json_decref(node->ranks[k]->described);
            node->ranks[k]->described = NULL;
        }
        if (is_asked(node)) {
            nodes_tell(node, NODE_DESCRIBE, asked.ticket, NULL, 0);
        }
    }
}

bool far_describes(int64_t now)
{
    return asked.ticket != 0 && now - asked.begun < TO_DESCRIBE;
}

bool far_are_described(int64_t now)
{
    bool is_done = true;
    for (size_t i = 0; i < nodes_all.count && asked.ticket != 0; i++) {
        const struct node *node = nodes_all.nodes[i];
        is_done = is_done && (!is_asked(node) || node->described == asked.ticket);
    }
    if (!is_done && now - asked.begun < TO_DESCRIBE) {
        return false;
    }
    asked.ticket = 0;
    return true;
}

void far_take_described(struct node *node, uint32_t ticket, json_t *list)
{
    const json_t *one;
    size_t i;
    if (ticket == asked.ticket && ticket != 0) {
        json_array_foreach(list, i, one)
        {
            struct far_rank *rank =
                nodes_find_rank(node->host, json_integer_value(json_object_get(one, "pid")));
            if (rank != NULL && rank->node == node) {
                json_decref(rank->described);
                rank->described = json_deep_copy(one);
            }
        }
        node->described = ticket;
    }
    json_decref(list);
}

const json_t *far_described(const struct far_rank *far)
{
    return far->described;
}
