/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/simple_cores.h"

#include <stdlib.h>
#include <string.h>

bool st_cores_sort(const uint32_t *sizes, size_t count, uint32_t *numbers, struct st_dead *dead)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        most = sizes[i] > most ? sizes[i] : most;
    }
    uint32_t *before = calloc(most + 2, sizeof *before); /* by size: cores that come before those */
    dead->sizes = malloc((count + 1) * sizeof *dead->sizes);
    if (!before || !dead->sizes) {
        free(before);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        before[sizes[i] + 1]++;
    }
    for (size_t i = 0; i <= most; i++) {
        before[i + 1] += before[i];
    }
    for (size_t i = 0; i < count; i++) {
        numbers[i] = before[sizes[i]]++;
        dead->sizes[numbers[i]] = sizes[i];
    }
    dead->core_count = count;
    free(before);
    return true;
}

/* The only dead node that each dead node waits for; ST_NO_CORE: there is none. Returns false if one waits for two. */
static bool list_targets(const struct st_waits *waits, const bool *is_dead, uint32_t *targets)
{
    memset(targets, 0xff, waits->node_count * sizeof *targets); /* ST_NO_CORE */
    for (size_t i = 0; i < waits->edge_count; i++) {
        const uint32_t from = waits->edges[i].from, to = waits->edges[i].to;
        if (!is_dead[from] || !is_dead[to] || waits->needs[from] == ST_WAITS_GONE) {
            continue;
        }
        if (targets[from] != ST_NO_CORE && targets[from] != to) {
            return false;
        }
        targets[from] = to;
    }
    return true;
}

/* Follows the targets from a node to the core below it, which may be a new one: its size is added to `sizes`. Sets
 * `core` and `below` of all on the way to the number of the core in `sizes`. `below` is NO_CORE of who was not visited,
 * and UNDER_WAY of who is on this way. */
#define UNDER_WAY (ST_NO_CORE - 1)
static void follow_targets(const uint32_t *targets, uint32_t start, struct st_dead *dead,
                           uint32_t *sizes)
{
    uint32_t node = start;
    while (dead->below[node] == ST_NO_CORE) {
        dead->below[node] = UNDER_WAY;
        if (targets[node] == ST_NO_CORE) {
            break;
        }
        node = targets[node];
    }
    uint32_t core = dead->below[node];
    if (core == UNDER_WAY) { /* node is in a cycle, or waits for nobody */
        core = (uint32_t)dead->core_count++;
        sizes[core] = 0;
        do {
            dead->core[node] = dead->below[node] = core;
            sizes[core]++;
            node = targets[node];
        } while (node != ST_NO_CORE && dead->below[node] == UNDER_WAY);
    }
    for (node = start; node != ST_NO_CORE && dead->below[node] == UNDER_WAY; node = targets[node]) {
        dead->below[node] = core;
    }
}

bool st_cores_find_simple(const struct st_waits *waits, uint32_t *targets, struct st_dead *dead,
                          bool *is_done)
{
    const size_t nodes = waits->node_count;
    uint32_t *sizes = calloc(2 * (nodes + 1), sizeof *sizes);
    bool fine = sizes != NULL;
    uint32_t *numbers = fine ? sizes + nodes + 1 : NULL;
    *is_done = fine && list_targets(waits, dead->is_dead, targets);
    if (*is_done) {
        for (uint32_t i = 0; i < nodes; i++) {
            if (dead->is_dead[i]) {
                follow_targets(targets, i, dead, sizes);
            }
        }
        fine = st_cores_sort(sizes, dead->core_count, numbers, dead);
        for (size_t i = 0; i < nodes && fine; i++) {
            if (dead->is_dead[i]) {
                dead->below[i] = numbers[dead->below[i]];
                dead->core[i] = dead->core[i] == ST_NO_CORE ? ST_NO_CORE : numbers[dead->core[i]];
            }
        }
    }
    free(sizes);
    return fine;
}
