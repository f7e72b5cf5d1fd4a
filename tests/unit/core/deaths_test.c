/* Ranks that wait (core/waits/deaths.h), written down: who can never go on, and who may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/waits/deaths.h"
#include "core/waits/functions.h"

enum { RANKS = 4, WORLD = 9, OTHER_WORLD = 11, ID = 77 };

/* Each rank has one thread, one communicator of all of them, and some parts. */
struct job {
    struct st_wait_rank ranks[RANKS];
    struct st_wait_thread threads[RANKS];
    struct st_wait_part parts[RANKS][2];
    struct st_wait_part pending[RANKS];
    struct st_wait_comm comms[RANKS];
    struct st_win_peer peers[RANKS][RANKS];
    uint64_t members[RANKS];
    size_t count;
};

/* All run. */
static void make_job(struct job *job, size_t count)
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

static struct st_wait_part *wait_for(struct job *job, size_t rank, struct st_wait_part part)
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

static void receive(struct job *job, size_t rank, int32_t from)
{
    wait_for(job, rank, (struct st_wait_part){.sort = ST_WAIT_RECEIVE, .peer = from, .tag = 7});
}

static struct st_wait_part *collect(struct job *job, size_t rank, const char *function, uint64_t n)
{
    struct st_wait_part part = {.sort = ST_WAIT_COLLECTIVE, .n = n, .peer = ST_PEER_NONE};
    snprintf(part.function, sizeof part.function, "%s", function);
    job->comms[rank].begun = n;
    return wait_for(job, rank, part);
}

/* dead: a digit for each rank that is told of, as of the cycle or who waits for one that left. */
static void expect(const struct job *job, const char *dead)
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

static void functions_by_name(void **state)
{
    (void)state;
    assert_int_equal(st_function_sort("MPI_Send_c"), ST_FUNCTION_SENDS);
    assert_int_equal(st_function_sort("MPI_Sendx"), ST_FUNCTION_OTHER);
    assert_int_equal(st_function_sort("Send"), ST_FUNCTION_OTHER);
    assert_int_equal(st_function_request_sort("MPI_Ibarrier"), ST_FUNCTION_COLLECTS);
    assert_int_equal(st_function_request_sort("MPI_Ialltoallw_c"), ST_FUNCTION_COLLECTS);
    assert_int_equal(st_function_request_sort("MPI_Comm_idup_with_info"),
                     ST_FUNCTION_COPIES_ATTRIBUTES);
    assert_int_equal(st_function_request_sort("MPIX_Reduce_init"), ST_FUNCTION_COLLECTS_WITH_OP);
    assert_int_equal(st_function_request_sort("MPI_Ineighbor_alltoall"),
                     ST_FUNCTION_COLLECTS_FROM_NEARBY);
    assert_int_equal(st_function_request_sort("MPI_Isend"), ST_FUNCTION_OTHER);
    assert_int_equal(st_function_request_sort("MPI_Send_init"), ST_FUNCTION_OTHER);
    assert_int_equal(st_function_request_sort("MPI_I"), ST_FUNCTION_OTHER);
    assert_int_equal(
        st_function_request_sort("MPI_I234567890123456789012345678901234567890123456789"
                                 "0123456789012345678901234567890123456789"),
        ST_FUNCTION_OTHER);
    assert_int_equal(st_function_request_sort(""), ST_FUNCTION_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(messages_that_fit),
        cmocka_unit_test(messages_of_another_communicator),
        cmocka_unit_test(messages_from_any),
        cmocka_unit_test(ranks_that_may_go_on),
        cmocka_unit_test(two_threads),
        cmocka_unit_test(numbered_calls),
        cmocka_unit_test(calls_without_numbers),
        cmocka_unit_test(calls_that_not_all_hold_up),
        cmocka_unit_test(calls_are_told_apart),
        cmocka_unit_test(both_groups_come_to_a_call),
        cmocka_unit_test(each_group_waits_for_the_other),
        cmocka_unit_test(one_that_is_gone),
        cmocka_unit_test(persistent_calls_count_their_starts),
        cmocka_unit_test(what_is_complete_is_no_wait),
        cmocka_unit_test(neighbourhoods_wait_for_one),
        cmocka_unit_test(two_worlds),
        cmocka_unit_test(leaders_wait_for_each_other),
        cmocka_unit_test(a_leader_of_another_group),
        cmocka_unit_test(epochs),
        cmocka_unit_test(epochs_wait_for_all),
        cmocka_unit_test(locks),
        cmocka_unit_test(functions_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
