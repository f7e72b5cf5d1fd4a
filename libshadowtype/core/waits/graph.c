/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/graph.h"

#include <stdlib.h>
#include <string.h>

#include "core/waits/simple_cores.h"

static bool widen_list(void **list, size_t wider, size_t *room, size_t size)
{
    void *longer = realloc(*list, wider * size);
    if (!longer) {
        return false;
    }
    *list = longer;
    *room = wider;
    return true;
}

static bool make_edge_room(void **list, size_t count, size_t *room, size_t size)
{
    return count < *room || widen_list(list, *room ? *room * 2 : 64, room, size);
}

bool st_waits_reserve(struct st_waits *waits, size_t nodes, size_t edges)
{
    return (nodes <= waits->node_room ||
            widen_list((void **)&waits->needs, nodes, &waits->node_room, 1)) &&
           (edges <= waits->edge_room ||
            widen_list((void **)&waits->edges, edges, &waits->edge_room, sizeof *waits->edges));
}

bool st_waits_node(struct st_waits *waits, enum st_waits_needs needs, uint32_t *number)
{
    if (waits->node_count >= UINT32_MAX - 1 ||
        !make_edge_room((void **)&waits->needs, waits->node_count, &waits->node_room, 1)) {
        return false;
    }
    *number = (uint32_t)waits->node_count;
    waits->needs[waits->node_count++] = (uint8_t)needs;
    return true;
}

bool st_waits_edge(struct st_waits *waits, uint32_t from, uint32_t to)
{
    if (!make_edge_room((void **)&waits->edges, waits->edge_count, &waits->edge_room,
                        sizeof *waits->edges)) {
        return false;
    }
    waits->edges[waits->edge_count++] = (struct st_waits_edge){from, to};
    return true;
}

void st_waits_free(struct st_waits *waits)
{
    free(waits->needs);
    free(waits->edges);
    *waits = (struct st_waits){0};
}

void st_dead_free(struct st_dead *dead)
{
    free(dead->is_dead);
    free(dead->core);
    free(dead->below);
    free(dead->sizes);
    *dead = (struct st_dead){0};
}

/* --- edges by node ------------------------------------------------------------------------- */

#define NO_EDGE UINT32_MAX

/* The edges of each node, as linked lists in the order in which they were added: first[i] is the
 * first edge of node i, next[e] the edge after e, and NO_EDGE the end. */
struct st_adjacent {
    uint32_t *first, *next;
};

static void free_adjacent(struct st_adjacent *adjacent)
{
    free(adjacent->first);
}

/* `backward`: lists the edges by the node to which they lead. */
static void fill_adjacent(const struct st_waits *waits, bool backward, struct st_adjacent *adjacent)
{
    memset(adjacent->first, 0xff, waits->node_count * sizeof *adjacent->first);
    for (uint32_t i = (uint32_t)waits->edge_count; i-- > 0;) {
        uint32_t node = backward ? waits->edges[i].to : waits->edges[i].from;
        adjacent->next[i] = adjacent->first[node];
        adjacent->first[node] = i;
    }
}

static bool link_edges(const struct st_waits *waits, bool backward, struct st_adjacent *adjacent)
{
    adjacent->first = malloc((waits->node_count + waits->edge_count + 1) * sizeof *adjacent->first);
    if (!adjacent->first) {
        return false;
    }
    adjacent->next = adjacent->first + waits->node_count;
    fill_adjacent(waits, backward, adjacent);
    return true;
}

/* --- release ------------------------------------------------------------------------------- */

/* Finds the nodes that are dead. `waiting`: the edges, listed backward. `open` and `queue` have room for a number of each
 * node: new memory costs more than the work in it, so the caller lends lists that it fills later. */
static void release_rank(const struct st_waits *waits, const struct st_adjacent *waiting,
                         uint32_t *open, uint32_t *queue, bool *is_dead)
{
    size_t nodes = waits->node_count, ready = 0;
    memset(open, 0, nodes * sizeof *open); /* number of targets that are not live yet */
    for (size_t i = 0; i < waits->edge_count; i++) {
        open[waits->edges[i].from]++;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        enum st_waits_needs needs = waits->needs[i];
        is_dead[i] = !(needs == ST_WAITS_RUNS || (needs == ST_WAITS_ALL && !open[i]));
        if (!is_dead[i]) {
            queue[ready++] = i;
        }
    }
    for (size_t i = 0; i < ready; i++) {
        for (uint32_t edge = waiting->first[queue[i]]; edge != NO_EDGE;
             edge = waiting->next[edge]) {
            uint32_t node = waits->edges[edge].from;
            enum st_waits_needs needs = waits->needs[node];
            open[node]--;
            if (is_dead[node] &&
                (needs == ST_WAITS_ANY || (needs == ST_WAITS_ALL && !open[node]))) {
                is_dead[node] = false;
                queue[ready++] = node;
            }
        }
    }
}

/* --- cores --------------------------------------------------------------------------------- */

/* Finds the strong components of the dead nodes, by Tarjan's algorithm without recursion. */
struct st_search {
    const struct st_waits *waits;
    const bool *is_dead;
    struct st_adjacent targets; /* the edges, listed forward */
    uint32_t *order, *low;      /* for each node; order 0: not visited */
    uint32_t *component;        /* for each node */
    bool *is_left;              /* for each component: an edge leads out of it */
    uint32_t *next;             /* for each node: the edge to follow next */
    uint32_t *path, *stack;
    uint32_t components;
};

static void free_search(struct st_search *search)
{
    free_adjacent(&search->targets);
    free(search->order);
    free(search->low);
    free(search->component);
    free(search->is_left);
    free(search->next);
    free(search->path);
    free(search->stack);
}

static bool begin_search(struct st_search *search, const struct st_waits *waits,
                         const bool *is_dead)
{
    size_t nodes = waits->node_count + 1;
    *search = (struct st_search){.waits = waits, .is_dead = is_dead};
    if (!link_edges(waits, false, &search->targets)) {
        return false;
    }
    search->order = calloc(nodes, sizeof *search->order);
    search->low = malloc(nodes * sizeof *search->low);
    search->component = malloc(nodes * sizeof *search->component);
    search->is_left = calloc(nodes, sizeof *search->is_left);
    search->next = malloc(nodes * sizeof *search->next);
    search->path = malloc(nodes * sizeof *search->path);
    search->stack = malloc(nodes * sizeof *search->stack);
    if (!search->order || !search->low || !search->component || !search->is_left || !search->next ||
        !search->path || !search->stack) {
        free_search(search);
        return false;
    }
    return true;
}

/* The first edge, from `edge` on, that leads to a dead node. */
static uint32_t dead_edge(const struct st_search *search, uint32_t edge)
{
    while (edge != NO_EDGE && !search->is_dead[search->waits->edges[edge].to]) {
        edge = search->targets.next[edge];
    }
    return edge;
}

/* The edges of a node that has gone are ignored. */
static uint32_t first_edge(const struct st_search *search, uint32_t node)
{
    return search->waits->needs[node] == ST_WAITS_GONE
               ? NO_EDGE
               : dead_edge(search, search->targets.first[node]);
}

static uint32_t next_edge(const struct st_search *search, uint32_t edge)
{
    return dead_edge(search, search->targets.next[edge]);
}

static void close_component(struct st_search *search, uint32_t node, size_t *stacked)
{
    uint32_t member;
    do {
        member = search->stack[--*stacked];
        search->component[member] = search->components;
    } while (member != node);
    search->components++;
}

static void visit_rank(struct st_search *search, uint32_t start, uint32_t *counter)
{
    size_t depth = 0, stacked = 0;
    uint32_t node = start;
    search->path[depth++] = node;
    while (depth) {
        node = search->path[depth - 1];
        if (!search->order[node]) {
            search->order[node] = search->low[node] = ++*counter;
            search->stack[stacked++] = node;
            search->component[node] = ST_NO_CORE;
            search->next[node] = first_edge(search, node);
        }
        if (search->next[node] != NO_EDGE) {
            uint32_t target = search->waits->edges[search->next[node]].to;
            search->next[node] = next_edge(search, search->next[node]);
            if (!search->order[target]) {
                search->path[depth++] = target;
            } else if (search->component[target] == ST_NO_CORE &&
                       search->order[target] < search->low[node]) {
                search->low[node] = search->order[target];
            }
            continue;
        }
        depth--;
        if (depth && search->low[node] < search->low[search->path[depth - 1]]) {
            search->low[search->path[depth - 1]] = search->low[node];
        }
        if (search->low[node] == search->order[node]) {
            close_component(search, node, &stacked);
        }
    }
}

static void find_components(struct st_search *search, const bool *is_dead)
{
    uint32_t counter = 0;
    size_t nodes = search->waits->node_count;
    for (uint32_t i = 0; i < nodes; i++) {
        if (is_dead[i] && !search->order[i]) {
            visit_rank(search, i, &counter);
        }
    }
    for (size_t i = 0; i < search->waits->edge_count; i++) {
        const struct st_waits_edge *edge = &search->waits->edges[i];
        if (is_dead[edge->from] && is_dead[edge->to] &&
            search->waits->needs[edge->from] != ST_WAITS_GONE &&
            search->component[edge->from] != search->component[edge->to]) {
            search->is_left[search->component[edge->from]] = true;
        }
    }
}

/* Finds the shortest cycle through `start` in its component. Returns its length, or 0 if there is
 * none. Fills `way` with its nodes, the last one first. `from` has ST_NO_CORE for every node before
 * and after the call. */
static size_t find_cycle(const struct st_search *search, uint32_t start, uint32_t *from,
                         uint32_t *queue, uint32_t *way)
{
    size_t ready = 0, length = 0;
    queue[ready++] = start;
    for (size_t i = 0; i < ready && !length; i++) {
        uint32_t node = queue[i];
        for (uint32_t edge = first_edge(search, node); edge != NO_EDGE && !length;
             edge = next_edge(search, edge)) {
            uint32_t target = search->waits->edges[edge].to;
            if (target == start) {
                for (way[length++] = node; node != start; way[length++] = node) {
                    node = from[node];
                }
            } else if (from[target] == ST_NO_CORE &&
                       search->component[target] == search->component[start]) {
                from[target] = node;
                queue[ready++] = target;
            }
        }
    }
    for (size_t i = 0; i < ready; i++) {
        from[queue[i]] = ST_NO_CORE;
    }
    return length;
}

/* Limits of the search for a short cycle: the number of nodes from which it starts, and the length
 * of a cycle that ends it. A cycle that long is no easier to understand if it is a little shorter. */
enum { CYCLES_TRIED = 16, LONG_CYCLE = 1000 };

struct st_core_list {
    uint32_t *members; /* of all cores, one after the other */
    size_t *first;     /* index in `members` of each core's first node, and the end */
    size_t count;
};

/* Replaces a core by its shortest cycle if all of its nodes wait for all of their targets. Any
 * other core, a knot, stays whole. */
static size_t shrink_members(const struct st_search *search, uint32_t *members, size_t count,
                             uint32_t *scratch)
{
    uint32_t *from = scratch, *queue = from + search->waits->node_count + 1;
    uint32_t *way = queue + search->waits->node_count + 1;
    uint32_t *best = way + search->waits->node_count + 1;
    size_t shortest = 0;
    for (size_t i = 0; i < count; i++) {
        if (search->waits->needs[members[i]] != ST_WAITS_ALL) {
            return count;
        }
    }
    for (size_t i = 0; i < count && i < CYCLES_TRIED && shortest < LONG_CYCLE; i++) {
        size_t length = find_cycle(search, members[i], from, queue, way);
        if (length && (!shortest || length < shortest)) {
            shortest = length;
            memcpy(best, way, length * sizeof *best);
        }
    }
    if (!shortest) {
        return count;
    }
    memcpy(members, best, shortest * sizeof *members);
    return shortest;
}

/* Lists the components that no edge leads out of. */
static bool list_cores(const struct st_search *search, const bool *is_dead,
                       struct st_core_list *cores)
{
    size_t nodes = search->waits->node_count;
    uint32_t *number = malloc((search->components + 1u) * sizeof *number);
    uint32_t *scratch = malloc(4 * (nodes + 1) * sizeof *scratch);
    cores->members = malloc((nodes + 1) * sizeof *cores->members);
    cores->first = calloc(search->components + 2u, sizeof *cores->first);
    if (!number || !scratch || !cores->members || !cores->first) {
        free(number);
        free(scratch);
        return false;
    }
    memset(scratch, 0xff, nodes * sizeof *scratch); /* ST_NO_CORE */
    for (uint32_t i = 0; i < search->components; i++) {
        number[i] = search->is_left[i] ? ST_NO_CORE : (uint32_t)cores->count++;
    }
    size_t *at = cores->first + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < nodes; i++) {
            uint32_t core = is_dead[i] ? number[search->component[i]] : ST_NO_CORE;
            if (core == ST_NO_CORE) {
                continue;
            }
            if (pass == 0) {
                at[core + 1]++;
            } else {
                cores->members[at[core]++] = i;
            }
        }
        for (size_t i = 0; pass == 0 && i < cores->count; i++) {
            at[i + 1] += at[i];
        }
    }
    for (size_t i = 0; i < cores->count; i++) {
        uint32_t *members = cores->members + cores->first[i];
        size_t count = cores->first[i + 1] - cores->first[i];
        size_t left = count > 1 ? shrink_members(search, members, count, scratch) : count;
        for (size_t k = left; k < count; k++) {
            members[k] = ST_NO_CORE;
        }
    }
    free(number);
    free(scratch);
    return true;
}

static bool number_cores(const struct st_core_list *cores, struct st_dead *dead)
{
    uint32_t *sizes = calloc(2 * cores->count + 1, sizeof *sizes), *numbers = sizes + cores->count;
    for (size_t i = 0; i < cores->count && sizes; i++) {
        for (size_t at = cores->first[i]; at < cores->first[i + 1]; at++) {
            sizes[i] += cores->members[at] != ST_NO_CORE;
        }
    }
    bool done = sizes && st_cores_sort(sizes, cores->count, numbers, dead);
    for (size_t i = 0; i < cores->count && done; i++) {
        for (size_t at = cores->first[i]; at < cores->first[i + 1]; at++) {
            if (cores->members[at] != ST_NO_CORE) {
                dead->core[cores->members[at]] = numbers[i];
            }
        }
    }
    free(sizes);
    return done;
}

/* Assigns each dead node to the nearest core. `waiting`: the edges, listed backward. */
static bool find_below(const struct st_waits *waits, const struct st_adjacent *waiting,
                       struct st_dead *dead)
{
    size_t ready = 0;
    uint32_t *queue = malloc((waits->node_count + 1) * sizeof *queue);
    if (!queue) {
        return false;
    }
    for (uint32_t i = 0; i < waits->node_count; i++) {
        dead->below[i] = dead->core[i];
        if (dead->core[i] != ST_NO_CORE) {
            queue[ready++] = i;
        }
    }
    for (size_t i = 0; i < ready; i++) {
        for (uint32_t edge = waiting->first[queue[i]]; edge != NO_EDGE;
             edge = waiting->next[edge]) {
            uint32_t node = waits->edges[edge].from;
            if (dead->is_dead[node] && dead->below[node] == ST_NO_CORE &&
                waits->needs[node] != ST_WAITS_GONE) {
                dead->below[node] = dead->below[queue[i]];
                queue[ready++] = node;
            }
        }
    }
    free(queue);
    return true;
}

/* --- all of it ------------------------------------------------------------------------------ */

static bool find_other_cores(const struct st_waits *waits, const struct st_adjacent *waiting,
                             struct st_dead *dead)
{
    struct st_search search;
    struct st_core_list cores = {0};
    if (!begin_search(&search, waits, dead->is_dead)) {
        return false;
    }
    find_components(&search, dead->is_dead);
    bool done = list_cores(&search, dead->is_dead, &cores) && number_cores(&cores, dead) &&
                find_below(waits, waiting, dead);
    free(cores.members);
    free(cores.first);
    free_search(&search);
    return done;
}

/* `waiting`: the edges backward, which are used up. */
static bool find_cores(const struct st_waits *waits, struct st_adjacent *waiting,
                       struct st_dead *dead)
{
    bool is_done;
    if (!st_cores_find_simple(waits, waiting->first, dead, &is_done)) {
        return false;
    }
    if (!is_done) {
        fill_adjacent(waits, true, waiting);
        is_done = find_other_cores(waits, waiting, dead);
    }
    return is_done;
}

bool st_waits_solve(const struct st_waits *waits, struct st_dead *dead)
{
    size_t nodes = waits->node_count;
    struct st_adjacent waiting = {0};
    *dead = (struct st_dead){.is_dead = calloc(nodes + 1, sizeof *dead->is_dead),
                             .core = malloc((nodes + 1) * sizeof *dead->core),
                             .below = malloc((nodes + 1) * sizeof *dead->below)};
    bool done = dead->is_dead && dead->core && dead->below && waits->edge_count < NO_EDGE &&
                link_edges(waits, true, &waiting);
    bool is_linked = done;
    if (done) {
        release_rank(waits, &waiting, dead->core, dead->below, dead->is_dead);
        memset(dead->core, 0xff, nodes * sizeof *dead->core); /* ST_NO_CORE */
        memset(dead->below, 0xff, nodes * sizeof *dead->below);
    }
    done = done && (!memchr(dead->is_dead, true, nodes) || find_cores(waits, &waiting, dead));
    if (is_linked) {
        free_adjacent(&waiting);
    }
    if (!done) {
        st_dead_free(dead);
    }
    return done;
}
