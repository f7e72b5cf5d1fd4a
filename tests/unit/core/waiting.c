#include "waiting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

void make_job(struct job *job, size_t count)
{
    *job = (struct job){.count = count};
    for (int32_t i = 0; i < (int32_t)count; i++) {
        job->members[i] = st_gpid(WORLD, i);
        job->comms[i] = (struct st_wait_comm){
            .id = ID, .begun = 1, .size = (int32_t)count, .members = job->members, .own_rank = i};
        job->threads[i] = (struct st_wait_thread){.in_call = true};
        job->ranks[i] = (struct st_wait_rank){.world_rank = i,
                                              .world_size = (int32_t)count,
                                              .world = WORLD,
                                              .presence = ST_WAIT_PRESENT,
                                              .threads = &job->threads[i],
                                              .thread_count = 1,
                                              .parts = job->parts[i],
                                              .pending = &job->pending[i],
                                              .comms = &job->comms[i],
                                              .comm_count = 1};
    }
}

struct st_wait_part *wait_for(struct job *job, size_t rank, struct st_wait_part part)
{
    struct st_wait_rank *own = &job->ranks[rank];
    if (part.peer >= 0 && part.sort != ST_WAIT_COLLECTIVE) {
        part.process = job->comms[rank].members[part.peer];
        part.world = st_gpid_rank(part.process);
    }
    own->is_stuck = true;
    own->parts[own->part_count++] = part;
    own->threads[0].count = own->part_count;
    return &own->parts[own->part_count - 1];
}

void receive(struct job *job, size_t rank, int32_t from)
{
    wait_for(job, rank, (struct st_wait_part){.sort = ST_WAIT_RECEIVE, .peer = from, .tag = 7});
}

struct st_wait_part *collect(struct job *job, size_t rank, const char *function, uint64_t n)
{
    struct st_wait_part part = {.sort = ST_WAIT_COLLECTIVE, .n = n, .peer = ST_PEER_NONE};
    snprintf(part.function, sizeof part.function, "%s", function);
    job->comms[rank].begun = n;
    return wait_for(job, rank, part);
}

void expect(const struct job *job, const char *dead)
{
    struct st_deaths deaths;
    assert_true(st_deaths_find(job->ranks, job->count, &deaths));
    for (uint32_t i = 0; i < job->count; i++) {
        bool is_dead = false;
        for (size_t k = 0; k < deaths.count; k++) {
            for (size_t m = 0; m < deaths.list[k].rank_count; m++) {
                is_dead |= deaths.list[k].ranks[m] == i;
            }
            for (size_t m = 0; m < deaths.list[k].behind_count; m++) {
                is_dead |= deaths.list[k].behind[m] == i;
            }
        }
        assert_int_equal(is_dead, strchr(dead, (int)('0' + i)) != NULL);
    }
    st_deaths_free(&deaths);
}
