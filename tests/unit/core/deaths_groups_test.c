/* The same (deaths_test.c) of ranks of two worlds, leaders of groups, and windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "waiting.h"

/* Ranks 0 and 1 of two worlds have the same numbers. */
static void two_worlds(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 4);
    for (size_t i = 2; i < 4; i++) {
        job.members[i] = st_gpid(OTHER_WORLD, (int32_t)i - 2);
        job.ranks[i].world = OTHER_WORLD;
        job.ranks[i].world_rank = (int32_t)i - 2;
    }
    receive(&job, 0, 2);
    receive(&job, 1, 0);
    receive(&job, 2, 0);
    expect(&job, "012");
    job.ranks[2].world = WORLD; /* two ranks with one name: neither is known */
    expect(&job, "");
}

static struct st_wait_part *join(struct job *job, size_t rank, int32_t leader)
{
    collect(job, rank, "MPI_Intercomm_create", 2);
    return wait_for(job, rank,
                    (struct st_wait_part){.sort = ST_WAIT_LEADER, .peer = leader, .tag = 3});
}

/* Rank 0 leads a group of its own, rank 1 the other one. */
static void leaders_wait_for_each_other(void **state)
{
    struct job job;
    uint64_t alone;
    (void)state;
    make_job(&job, 2);
    join(&job, 0, 1);
    receive(&job, 1, 0);
    alone = job.members[0];
    job.comms[0].members = &alone;
    job.comms[0].size = 1;
    expect(&job, "01");
    job.ranks[1].part_count = 0;
    join(&job, 1, 0);
    expect(&job, ""); /* both are there */
    job.parts[1][1].tag = 4;
    expect(&job, "01");
    job.parts[1][1].tag = 3;
    job.comms[1].id = ID + 1; /* another communicator to meet on */
    expect(&job, "01");
    job.comms[1].id = ID;
    job.ranks[1].part_count = 0;
    receive(&job, 1, 0);
    job.parts[1][0].tag = 3; /* a message with that tag is no leader */
    expect(&job, "01");
}

/* Rank 0 leads to rank 1, which leads to rank 2; each is alone in its group. */
static void a_leader_of_another_group(void **state)
{
    struct job job;
    uint64_t alone[2];
    (void)state;
    make_job(&job, 3);
    for (size_t i = 0; i < 2; i++) {
        join(&job, i, (int32_t)i + 1);
        alone[i] = job.members[i];
        job.comms[i].members = &alone[i];
        job.comms[i].size = 1;
    }
    expect(&job, "");
    receive(&job, 2, 1);
    expect(&job, "012");
    job.parts[1][1].process = st_gpid(OTHER_WORLD, 0); /* nobody sees the leader */
    expect(&job, "");
}

static struct job *make_windows(struct job *job)
{
    make_job(job, 2);
    for (size_t i = 0; i < 2; i++) {
        job->comms[i].kind = ST_KIND_WIN;
        job->comms[i].peers = job->peers[i];
    }
    return job;
}

static void epochs(void **state)
{
    struct job job;
    (void)state;
    make_windows(&job);
    wait_for(&job, 0, (struct st_wait_part){.sort = ST_WAIT_POSTS, .peer = ST_PEER_NONE});
    receive(&job, 1, 0);
    job.peers[0][1].started = 2;
    job.peers[1][0].posted = 1;
    expect(&job, "01");
    job.peers[1][0].posted = 2;
    expect(&job, "");
    job.peers[0][1].started = 0; /* after 2^32 epochs */
    job.peers[1][0].posted = UINT32_MAX;
    expect(&job, "01");
    job.comms[0].own_rank = -1; /* which rank it is, is not known */
    expect(&job, "");
    make_windows(&job);
    wait_for(&job, 0, (struct st_wait_part){.sort = ST_WAIT_COMPLETES, .peer = ST_PEER_NONE});
    receive(&job, 1, 0);
    job.peers[0][1].posted = 1;
    expect(&job, "01");
    job.peers[1][0].completed = 1;
    expect(&job, "");
    job.peers[0][1].posted = 0; /* after 2^32 epochs */
    job.peers[1][0].completed = UINT32_MAX;
    expect(&job, "01");
    job.peers[0][1].posted = UINT32_MAX;
    job.peers[1][0].completed = 0; /* it has completed one that this rank is about to post */
    expect(&job, "");
}

/* Rank 0 waits for two targets: one that posts no more, and one that computes. */
static void epochs_wait_for_all(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    for (size_t i = 0; i < 3; i++) {
        job.comms[i].peers = job.peers[i];
    }
    wait_for(&job, 0, (struct st_wait_part){.sort = ST_WAIT_POSTS, .peer = ST_PEER_NONE});
    receive(&job, 1, 0);
    job.peers[0][1].started = job.peers[0][2].started = 1;
    expect(&job, "01");
    job.peers[1][0].posted = 1;
    expect(&job, "");
    job.peers[1][0].posted = 0;
    job.ranks[1].comm_count = 0; /* nothing is known of its window */
    expect(&job, "");
    job.ranks[1].comm_count = 1;
    job.members[1] = st_gpid(OTHER_WORLD, 0); /* nobody sees the target */
    expect(&job, "");
}

static void locks(void **state)
{
    struct job job;
    (void)state;
    make_windows(&job);
    wait_for(&job, 0,
             (struct st_wait_part){.sort = ST_WAIT_LOCK, .peer = 1, .tag = ST_LOCK_SHARED});
    receive(&job, 1, 0);
    expect(&job, "");
    job.peers[1][1].lock = ST_LOCK_EXCLUSIVE; /* asked for, as far as is known */
    expect(&job, "");
    job.peers[1][1].lock = ST_LOCK_EXCLUSIVE | ST_LOCK_HELD;
    expect(&job, "01");
    job.peers[1][1].lock = ST_LOCK_SHARED | ST_LOCK_HELD;
    expect(&job, "");
    job.parts[0][0].tag = ST_LOCK_EXCLUSIVE;
    expect(&job, "01");
    job.peers[1][1].lock = 0;
    job.peers[0][1].lock = ST_LOCK_SHARED | ST_LOCK_HELD; /* its own */
    expect(&job, "");
    job.peers[1][0].lock = ST_LOCK_SHARED | ST_LOCK_HELD; /* of rank 0's memory */
    expect(&job, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_worlds),
        cmocka_unit_test(leaders_wait_for_each_other),
        cmocka_unit_test(a_leader_of_another_group),
        cmocka_unit_test(epochs),
        cmocka_unit_test(epochs_wait_for_all),
        cmocka_unit_test(locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
