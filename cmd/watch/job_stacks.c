/* SPDX-License-Identifier: BSD-3-Clause */
#include "job_stacks.h"

#include <stdlib.h>

#include "../nodes/nodes.h"
#include "../stacks/beside.h"
#include "../stacks/merge.h"
#include "../words.h"

struct job_stacks {
    struct beside *beside;
    struct far_stacks **far; /* by group; NULL: it has no rank on another node */
    size_t count;
};

static struct stacks_group near_ranks(const struct ranks_group *group)
{
    struct stacks_group near = {zeroed(group->count + 1, sizeof *near.list), 0};
    for (size_t i = 0; i < group->count; i++) {
        if (group->ranks[i]->memory->far == NULL) {
            near.list[near.count++] = (struct stacks_process){group->ranks[i]->memory->pid,
                                                              group->ranks[i]->process->rank};
        }
    }
    return near;
}

static struct far_stacks *start_far(const struct ranks_group *group)
{
    struct far_rank **list = zeroed(group->count + 1, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        if (group->ranks[i]->memory->far != NULL) {
            list[count++] = group->ranks[i]->memory->far;
        }
    }
    struct far_stacks *far = count != 0 ? far_stacks_start(list, count) : NULL;
    free(list);
    return far;
}

struct job_stacks *job_stacks_start(const struct ranks_group *groups, size_t count)
{
    struct stacks_group *near = zeroed(count + 1, sizeof *near);
    struct job_stacks *stacks = zeroed(1, sizeof *stacks);
    stacks->far = zeroed(count + 1, sizeof(struct far_stacks *));
    stacks->count = count;
    for (size_t i = 0; i < count; i++) {
        near[i] = near_ranks(&groups[i]);
        stacks->far[i] = start_far(&groups[i]);
    }
    stacks->beside = beside_start(near, count);
    for (size_t i = 0; i < count; i++) {
        free(near[i].list);
    }
    free(near);
    if (stacks->beside == NULL) {
        json_decref(job_stacks_end(stacks));
        return NULL;
    }
    return stacks;
}

bool job_stacks_are_done(struct job_stacks *stacks, int64_t now)
{
    bool done = beside_is_done(stacks->beside, now);
    for (size_t i = 0; i < stacks->count; i++) {
        done = done && (stacks->far[i] == NULL || far_stacks_are_done(stacks->far[i], now));
    }
    return done;
}

int job_stacks_file(const struct job_stacks *stacks)
{
    return beside_file(stacks->beside);
}

void job_stacks_wait(struct job_stacks *stacks)
{
    beside_wait(stacks->beside);
    for (size_t i = 0; i < stacks->count; i++) {
        if (stacks->far[i] != NULL) {
            far_stacks_wait(stacks->far[i]);
        }
    }
}

json_t *job_stacks_end(struct job_stacks *stacks)
{
    json_t *taken = stacks->beside != NULL ? beside_end(stacks->beside) : NULL;
    if (taken == NULL) {
        taken = json_array();
    }
    for (size_t i = 0; i < stacks->count; i++) {
        if (stacks->far[i] == NULL) {
            continue;
        }
        json_t *far = far_stacks_end(stacks->far[i]), *near = json_array_get(taken, i);
        json_t *both = stacks_merge(near != NULL ? json_incref(near) : NULL, far);
        while (json_array_size(taken) <= i) {
            json_array_append_new(taken, json_null());
        }
        json_array_set_new(taken, i, both != NULL ? both : json_null());
        json_decref(far);
    }
    free(stacks->far);
    free(stacks);
    return taken;
}
