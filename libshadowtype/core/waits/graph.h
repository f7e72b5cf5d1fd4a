/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph of who waits for whom, and the nodes of it that can never go on.
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
 * A node that runs is live. A node that waits for any of its targets becomes live when one of them
 * is live. A node that waits for all of its targets becomes live when all of them are live. All
 * other nodes are dead: they can never go on, whatever the live ones do. This finds cycles and
 * knots alike.
 *
 * Time: linear in the number of nodes and edges. A node is a rank, or what several ranks wait for
 * together (a collective call), which keeps the number of edges small.
 */
#ifndef ST_CORE_WAITS_GRAPH_H
#define ST_CORE_WAITS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum st_waits_needs {
    ST_WAITS_RUNS, /* live; its edges are ignored */
    ST_WAITS_ALL,  /* live when all of its targets are, or if it has none */
    ST_WAITS_ANY,  /* live when one of its targets is; never if it has none */
    ST_WAITS_GONE  /* never live; its edges are ignored */
};

struct st_waits_edge {
    uint32_t from, to; /* `from` waits for `to` */
};

struct st_waits {
    uint8_t *needs; /* for each node: enum st_waits_needs */
    size_t node_count, node_room;
    struct st_waits_edge *edges;
    size_t edge_count, edge_room;
};

/* These return false if memory runs out. The first makes room for so many nodes and edges: more can
 * still be added. */
bool st_waits_reserve(struct st_waits *waits, size_t nodes, size_t edges);
bool st_waits_node(struct st_waits *waits, enum st_waits_needs needs, uint32_t *number);
bool st_waits_edge(struct st_waits *waits, uint32_t from, uint32_t to);
void st_waits_free(struct st_waits *waits);

#define ST_NO_CORE UINT32_MAX

/* The nodes that can never go on. A core is a set of nodes that no node outside it could release:
 * the shortest cycle, a knot, or one node that has gone. */
struct st_dead {
    bool *is_dead;  /* for each node */
    uint32_t *core; /* for each node: the core to which it belongs, or ST_NO_CORE */
    uint32_t
        *below; /* for each node: the nearest core that it waits for; its own core for a node of a
                  core; ST_NO_CORE for a live node */
    size_t *sizes; /* for each core: its number of nodes, ascending */
    size_t core_count;
};

/* Returns false if memory runs out. Then *dead needs no st_dead_free(). */
bool st_waits_solve(const struct st_waits *waits, struct st_dead *dead);
void st_dead_free(struct st_dead *dead);

#endif
