/*
 * Who waits for whom, and who can never go on.
 *
 *     struct st_waits waits = {0};
 *     uint32_t a, b;
 *     st_waits_node(&waits, ST_WAITS_ALL, &a);
 *     st_waits_node(&waits, ST_WAITS_ALL, &b);
 *     st_waits_edge(&waits, a, b);
 *     st_waits_edge(&waits, b, a);
 *     struct st_dead dead;
 *     if (st_waits_solve(&waits, &dead)) { ... dead.is_dead[a], dead.core_count ... }
 *     st_dead_free(&dead);
 *     st_waits_free(&waits);
 *
 * Release: a node that runs is live; one that waits for any of its targets is live when one of them is; one
 * that waits for all of them, when all are. What is never reached can never go on, whatever the live ones
 * do. So cycles and knots are found alike.
 *
 * Time: linear in nodes and edges. A node is a thread, a rank, or what many wait for together (a collective
 * call), which keeps the edges few.
 */
#ifndef ST_CORE_WAITS_GRAPH_H
#define ST_CORE_WAITS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum st_waits_needs {
    ST_WAITS_RUNS, /* live; its edges mean nothing */
    ST_WAITS_ALL,  /* live when all of its targets are; without a target, too */
    ST_WAITS_ANY,  /* live when one of its targets is; without a target never */
    ST_WAITS_GONE  /* never live; its edges mean nothing */
};

struct st_waits_edge {
    uint32_t from, to; /* `from` waits for `to` */
};

struct st_waits {
    uint8_t *needs; /* enum st_waits_needs, by node */
    size_t node_count, node_room;
    struct st_waits_edge *edges;
    size_t edge_count, edge_room;
};

/* Each returns false where memory ends. */
bool st_waits_node(struct st_waits *waits, enum st_waits_needs needs, uint32_t *number);
bool st_waits_edge(struct st_waits *waits, uint32_t from, uint32_t to);
void st_waits_free(struct st_waits *waits);

#define ST_NO_CORE UINT32_MAX

/* What can never go on. A core is a set of nodes that no other node could release: the shortest cycle, a
 * knot, or one node that is gone. */
struct st_dead {
    bool *is_dead;  /* by node */
    uint32_t *core; /* by node: the core that it belongs to, or ST_NO_CORE */
    uint32_t *
        below; /* by node: the nearest core that it waits for, its own for one that is in a core; or
                      * ST_NO_CORE for a live one */
    size_t *sizes; /* by core: its nodes; ascending */
    size_t core_count;
};

/* Returns false where memory ends; *dead needs no st_dead_free() then. */
bool st_waits_solve(const struct st_waits *waits, struct st_dead *dead);
void st_dead_free(struct st_dead *dead);

#endif
