/* Ranks that wait (core/waits/deaths.h) for messages and in collective calls: who can never go on, and who may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "waiting.h"

static void messages(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 2);
    receive(&job, 0, 1);
    expect(&job, "");
    receive(&job, 1, 0);
    expect(&job, "01");
    job.pending[1] = (struct st_wait_part){
        .sort = ST_WAIT_SEND, .world = 0, .process = st_gpid(WORLD, 0), .tag = 7};
    job.ranks[1].pending_count = 1;
    expect(&job, "");
    job.pending[1].tag = 8;
    expect(&job, "01");
}

/* Rank 0 receives from rank 1, which receives from rank 0 and has one more request pending. */
static struct st_wait_part *pend(struct job *job)
{
    make_job(job, 3);
    receive(job, 0, 1);
    receive(job, 1, 0);
    job->pending[1] = (struct st_wait_part){
        .sort = ST_WAIT_SEND, .world = 0, .process = st_gpid(WORLD, 0), .tag = 7};
    job->ranks[1].pending_count = 1;
    return &job->pending[1];
}

static void messages_that_fit(void **state)
{
    struct job job;
    (void)state;
    pend(&job)->sort = ST_WAIT_RECEIVE;
    expect(&job, "01");
    pend(&job)->process = st_gpid(WORLD, 2);
    expect(&job, "01");
    struct st_wait_part *part = pend(&job);
    part->world = ST_PEER_NONE; /* to whom is not known */
    part->process = ST_NO_GPID;
    expect(&job, "");
    pend(&job)->tag = ST_PEER_NONE; /* the tag is not known */
    expect(&job, "");
    pend(&job);
    job.pending[1].tag = 8;
    job.parts[0][0].tag = ST_PEER_ANY;
    expect(&job, "");
    pend(&job)->sort = ST_WAIT_RECEIVE;
    job.parts[0][0].sort = ST_WAIT_SEND;
    job.pending[1].tag = 8;
    expect(&job, "01");
    job.pending[1].tag = ST_PEER_ANY;
    expect(&job, "");
    pend(&job);
    job.comms[1].id =
        0; /* the communicator of what is pending is not known, and rank 1 may go on */
    expect(&job, "");
}

/* Partitioned sends and receives fit only each other. */
static void partitioned_messages(void **state)
{
    static const struct {
        const char *receives, *sends, *dead;
    } cases[] = {
        {"MPI_Precv_init", "MPI_Psend_init", ""},
        {"MPI_Precv_init", "MPI_Isend", "01"},
        {"MPI_Irecv", "MPI_Psend_init", "01"},
        {"MPI_Irecv", "MPI_Isend", ""},
        {"MPI_Precv_init", "", ""}, /* it is not known what made the send */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job job;
        strcpy(pend(&job)->function, cases[i].sends);
        strcpy(job.parts[0][0].function, cases[i].receives);
        expect(&job, cases[i].dead);
    }
}

/* A partitioned send comes when all of its partitions are ready. */
static void partitions_that_are_not_ready(void **state)
{
    struct job job;
    (void)state;
    strcpy(pend(&job)->function, "MPI_Psend_init");
    strcpy(job.parts[0][0].function, "MPI_Precv_init");
    job.pending[1].partitions = 4;
    expect(&job, "");
    job.pending[1].unready = 1;
    expect(&job, "01");
    assert_null(st_wait_unready(job.ranks, 2, 1, &job.parts[0][0]));
    assert_non_null(st_wait_unready(job.ranks, 2, 0, &job.parts[0][0]));
}

/* What is pending on another communicator does not fit; where that is not known it may. */
static void messages_of_another_communicator(void **state)
{
    struct job job;
    struct st_wait_comm two[2];
    (void)state;
    pend(&job)->comm = 1;
    two[0] = job.comms[1];
    two[1] = job.comms[1];
    two[1].id = ID + 1;
    job.ranks[1].comms = two;
    job.ranks[1].comm_count = 2;
    expect(&job, "01");
    two[1].id = 0;
    expect(&job, "");
}

/* A receive from any rank waits for all members at once. */
static void messages_from_any(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    for (size_t i = 0; i < 3; i++) {
        wait_for(&job, i,
                 (struct st_wait_part){
                     .sort = ST_WAIT_RECEIVE, .peer = ST_PEER_ANY, .world = ST_PEER_ANY, .tag = 7});
    }
    expect(&job, "012");
    job.pending[2] = (struct st_wait_part){
        .sort = ST_WAIT_SEND, .world = 0, .process = st_gpid(WORLD, 0), .tag = 7};
    job.ranks[2].pending_count = 1;
    expect(&job, "");
    job.ranks[2].pending_count = 0;
    job.ranks[2].is_stuck = false;
    expect(&job, "");
}

/* What is not known of a rank, or of its threads, makes it run. */
static void ranks_that_may_go_on(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 2);
    receive(&job, 0, 1);
    receive(&job, 1, 0);
    expect(&job, "01");
    job.ranks[1].is_stuck = false;
    expect(&job, "");
    job.ranks[1].is_stuck = true;
    job.threads[1].in_call = false;
    expect(&job, "");
    job.threads[1].in_call = true;
    job.threads[1].runs = true;
    expect(&job, "");
    job.threads[1].runs = false;
    job.ranks[1].thread_count = 0;
    expect(&job, "");
    job.ranks[1].thread_count = 1;
    job.members[1] = st_gpid(OTHER_WORLD, 0); /* of a process that nobody sees */
    job.parts[0][0].process = job.members[1];
    expect(&job, "");
    job.parts[0][0].process = st_gpid(WORLD, 1);
    expect(&job, "01");
    job.parts[0][0].comm = ST_NO_COMM;
    expect(&job, "");
    job.parts[0][0].comm = 0;
    job.comms[0].id = 0;
    expect(&job, "");
}

/* Of two threads one that may go on is enough. */
static void two_threads(void **state)
{
    struct job job;
    struct st_wait_thread both[2];
    (void)state;
    make_job(&job, 3);
    receive(&job, 0, 1);
    receive(&job, 0, 2);
    receive(&job, 1, 0);
    both[0] = (struct st_wait_thread){.in_call = true, .first = 0, .count = 1};
    both[1] = (struct st_wait_thread){.in_call = true, .first = 1, .count = 1};
    job.ranks[0].threads = both;
    job.ranks[0].thread_count = 2;
    expect(&job, "");
    receive(&job, 2, 0);
    expect(&job, "012");
    both[1].in_call = false;
    expect(&job, "");
}

static void numbered_calls(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    collect(&job, 0, "MPI_Ibarrier", 2);
    expect(&job, ""); /* the others compute, and may come */
    receive(&job, 1, 0);
    expect(&job, "01"); /* whatever rank 2 does */
    job.comms[2].begun = 2;
    expect(&job, "01");
    job.comms[1].begun = 2; /* it has begun the call: that it waits is its own matter */
    expect(&job, "");
    job.comms[1].begun = 1;
    job.ranks[1].comm_count = 0; /* it has freed the communicator */
    expect(&job, "");
}

/* Without numbers a call waits for those who are in no call of the same function on that communicator. */
static void calls_without_numbers(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 2);
    collect(&job, 0, "MPI_Barrier", 0);
    receive(&job, 1, 0);
    expect(&job, "01");
    job.ranks[1].part_count = 0;
    collect(&job, 1, "MPI_Barrier", 0);
    expect(&job, "");
    job.comms[1].id = ID + 1; /* crosswise */
    expect(&job, "01");
    job.comms[1].id = ID;
    job.ranks[1].part_count = 0;
    collect(&job, 1, "MPI_Bcast", 0);
    expect(&job, "01");
    job.ranks[1].presence = ST_WAIT_LEFT; /* what it was in last means nothing */
    job.ranks[1].part_count = 0;
    collect(&job, 1, "MPI_Barrier", 0);
    expect(&job, "0");
}

/* Rank 0 waits in a call that not all have come to, rank 1 for rank 0, and rank 2 computes. */
static void calls_that_not_all_hold_up(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    collect(&job, 0, "MPI_Bcast", 0);
    receive(&job, 1, 0);
    expect(&job, ""); /* rank 2 may be the root */
    snprintf(job.parts[0][0].function, sizeof job.parts[0][0].function, "MPI_Barrier");
    expect(&job, "01");
}

/* Two calls of one communicator are two, also where they have the same function. */
static void calls_are_told_apart(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    collect(&job, 0, "MPI_Ibarrier", 2);
    job.comms[0].begun = 3;
    collect(&job, 1, "MPI_Ibarrier", 3);
    job.comms[2].begun = 2;
    receive(&job, 2, 1);
    expect(&job, "12"); /* rank 0 has what it waits for */
    make_job(&job, 3);
    collect(&job, 0, "MPI_Barrier", 2);
    collect(&job, 1, "MPI_Barrier", 2);
    receive(&job, 2, 1);
    job.comms[1].id = job.comms[2].id = ID + 1;
    expect(&job, "12");
}

/* Two functions at one place of the order: neither call ends. */
static void calls_of_two_functions(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    collect(&job, 0, "MPI_Bcast", 2);
    collect(&job, 1, "MPI_Bcast_c", 2);
    collect(&job, 2, "MPI_Bcast", 2);
    expect(&job, "");
    struct st_wait_part *other = &job.parts[2][0];
    snprintf(other->function, sizeof other->function, "MPI_Barrier");
    expect(&job, "012");
    other->is_request = true; /* begun and waited for: the request may be complete */
    expect(&job, "");
    other->is_request = false;
    job.ranks[2].is_stuck = false;
    expect(&job, "");
}

/* MPI_Comm_create_group waits for one of the others, who that is nobody knows. */
static void calls_of_some(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    collect(&job, 0, "MPI_Comm_create_group", 0)->of_some = true;
    receive(&job, 1, 0);
    expect(&job, ""); /* it may be rank 2 */
    receive(&job, 2, 1);
    expect(&job, "012");
    job.ranks[2].part_count = 0;
    collect(&job, 2, "MPI_Comm_create_group", 0)->of_some = true;
    expect(&job, ""); /* these two may be all */
}

/* A rank that does not know a group has not come to its call. One that does not know a communicator has freed it. */
static void calls_of_groups(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    collect(&job, 0, "MPI_Comm_create_group", 1);
    receive(&job, 1, 0);
    job.comms[1].id = ID + 1;
    expect(&job, "");
    job.comms[0].kind = ST_KIND_GROUP;
    expect(&job, "01");
    job.comms[1].id = ID;
    job.comms[1].begun = 1;
    expect(&job, "");
}

/* Ranks 0 and 1 are the one group, rank 2 the other one. Each receives from any of the other group. */
static void each_group_waits_for_the_other(void **state)
{
    struct job job;
    const struct st_wait_part any = {
        .sort = ST_WAIT_RECEIVE, .peer = ST_PEER_ANY, .world = ST_PEER_ANY, .tag = 7};
    (void)state;
    make_job(&job, 3);
    for (size_t i = 0; i < 3; i++) {
        job.comms[i].is_inter = true;
        job.comms[i].members = i < 2 ? &job.members[2] : &job.members[0];
        job.comms[i].size = i < 2 ? 1 : 2;
    }
    wait_for(&job, 0, any);
    wait_for(&job, 2, any);
    expect(&job, ""); /* rank 1 may send to rank 2 */
    wait_for(&job, 1, any);
    expect(&job, "012");
}

/* Ranks 0 and 1 are the one group, rank 2 the other one. */
static void both_groups_come_to_a_call(void **state)
{
    struct job job;
    uint64_t own[2];
    (void)state;
    make_job(&job, 3);
    collect(&job, 0, "MPI_Barrier", 2);
    receive(&job, 1, 0);
    job.comms[2].begun = 2;
    own[0] = job.members[0];
    own[1] = job.members[1];
    job.comms[0].is_inter = true;
    job.comms[0].members = &job.members[2];
    job.comms[0].size = 1;
    job.comms[0].own_members = own;
    job.comms[0].own_size = 2;
    expect(&job, "01");
    job.comms[1].begun = 2;
    expect(&job, "");
}

static void one_that_is_gone(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 2);
    collect(&job, 0, "MPI_Barrier", 2);
    job.ranks[1].presence = ST_WAIT_LEFT;
    expect(&job, "0");
    job.comms[1].begun = 2;
    expect(&job, "");
    job.ranks[1].comm_count =
        0; /* it has freed the communicator, or nobody has looked: it will not come */
    expect(&job, "0");
    job.ranks[1].presence = ST_WAIT_LEAVING;
    expect(&job, "0");
    job.ranks[1].presence = ST_WAIT_ENDED;
    expect(&job, "0");
}

static void persistent_calls_count_their_starts(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 2);
    collect(&job, 0, "MPI_Barrier_init", 1)->starts = 2;
    receive(&job, 1, 0);
    job.pending[1] = (struct st_wait_part){.sort = ST_WAIT_COLLECTIVE, .n = 1, .starts = 1};
    job.ranks[1].pending_count = 1;
    expect(&job, "01");
    job.pending[1].starts = 2;
    expect(&job, "");
    job.ranks[1].pending_count = 0; /* it has freed the request: nobody knows */
    expect(&job, "");
    job.ranks[1].pending_count = 1;
    job.pending[1].starts = 1;
    expect(&job, "01");
    job.pending[1].n = 2; /* of another one */
    expect(&job, "");
    job.pending[1].n = 1;
    job.pending[1].sort = ST_WAIT_UNKNOWN;
    expect(&job, "");
    make_job(&job, 2); /* rank 1 waits for its first start, which has all that it needs */
    for (size_t i = 0; i < 2; i++) {
        collect(&job, i, "MPI_Barrier_init", 1)->starts = 2 - (uint32_t)i;
        job.pending[i] = job.parts[i][0];
        job.ranks[i].pending_count = 1;
    }
    expect(&job, "");
}

static void what_is_complete_is_no_wait(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    receive(&job, 0, 1);
    receive(&job, 0, 2); /* MPI_Waitall: one of them at least, and rank 2 computes */
    receive(&job, 1, 0);
    expect(&job, "");
    job.parts[0][1].is_complete = true;
    expect(&job, "01");
}

/* Rank 1 waits for rank 0, rank 2 computes: a neighbour of rank 0 may be the one or the other. */
static void neighbourhoods_wait_for_one(void **state)
{
    struct job job;
    (void)state;
    make_job(&job, 3);
    struct st_wait_part *part = collect(&job, 0, "MPI_Neighbor_allgather", 2);
    receive(&job, 1, 0);
    part->from_nearby = true;
    expect(&job, "");
    receive(&job, 2, 0);
    expect(&job, "012");
    job.members[2] = st_gpid(OTHER_WORLD, 0); /* nobody sees rank 2's process */
    expect(&job, "");
    job.members[2] = st_gpid(WORLD, 2);
    job.comms[1].begun = job.comms[2].begun = 2; /* all have come */
    expect(&job, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(messages_that_fit),
        cmocka_unit_test(partitioned_messages),
        cmocka_unit_test(partitions_that_are_not_ready),
        cmocka_unit_test(messages_of_another_communicator),
        cmocka_unit_test(messages_from_any),
        cmocka_unit_test(ranks_that_may_go_on),
        cmocka_unit_test(two_threads),
        cmocka_unit_test(numbered_calls),
        cmocka_unit_test(calls_without_numbers),
        cmocka_unit_test(calls_that_not_all_hold_up),
        cmocka_unit_test(calls_are_told_apart),
        cmocka_unit_test(calls_of_two_functions),
        cmocka_unit_test(calls_of_some),
        cmocka_unit_test(calls_of_groups),
        cmocka_unit_test(both_groups_come_to_a_call),
        cmocka_unit_test(each_group_waits_for_the_other),
        cmocka_unit_test(one_that_is_gone),
        cmocka_unit_test(persistent_calls_count_their_starts),
        cmocka_unit_test(what_is_complete_is_no_wait),
        cmocka_unit_test(neighbourhoods_wait_for_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
