/* Who can never go on (core/waits/graph.h): written-down waits, and random ones against a fixed point. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "image.h"
#include "core/waits/deaths.h"
#include "core/waits/graph.h"

static void fill(struct st_waits *waits, const char *needs, const char *edges)
{
    uint32_t number;
    *waits = (struct st_waits){0};
    for (const char *need = needs; *need; need++) {
        enum st_waits_needs what = *need == 'r'   ? ST_WAITS_RUNS
                                   : *need == '&' ? ST_WAITS_ALL
                                   : *need == '|' ? ST_WAITS_ANY
                                                  : ST_WAITS_GONE;
        assert_true(st_waits_node(waits, what, &number));
    }
    for (const char *edge = edges; *edge; edge += edge[2] ? 3 : 2) {
        assert_true(st_waits_edge(waits, (uint32_t)(edge[0] - '0'), (uint32_t)(edge[1] - '0')));
    }
}

/* needs: a node each: r runs, & all, | any, x gone. edges: "01 12": 0 waits for 1, 1 for 2. dead: a digit for
 * each dead node; cores: the core of each node, '.' for none; below: the same. */
static void expect(const char *needs, const char *edges, const char *dead, const char *cores,
                   const char *below)
{
    struct st_waits waits;
    struct st_dead found;
    fill(&waits, needs, edges);
    assert_true(st_waits_solve(&waits, &found));
    for (size_t i = 0; needs[i]; i++) {
        char core = found.core[i] == ST_NO_CORE ? '.' : (char)('0' + found.core[i]);
        char under = found.below[i] == ST_NO_CORE ? '.' : (char)('0' + found.below[i]);
        assert_int_equal(found.is_dead[i], strchr(dead, (int)('0' + i)) != NULL);
        assert_int_equal(core, cores[i]);
        assert_int_equal(under, below[i]);
    }
    st_dead_free(&found);
    st_waits_free(&waits);
}

static void written_down_waits(void **state)
{
    (void)state;
    expect("", "", "", "", "");
    expect("rr", "", "", "..", "..");
    expect("&&", "01 10", "01", "00", "00");               /* each receives from the other */
    expect("&r", "01", "", "..", "..");                    /* one computes */
    expect("&", "", "", ".", ".");                         /* all of nobody */
    expect("|", "", "0", "0", "0");                        /* any of nobody */
    expect("&x", "01", "01", ".0", "00");                  /* for one that has left */
    expect("|rx", "01 02", "2", "..0", "..0");             /* one of them lives */
    expect("|xx", "01 02", "012", ".01", "001");           /* all have left */
    expect("&&&&", "01 10 20 32", "0123", "00..", "0000"); /* two wait for the cycle */
    /* A ring of three with a short cut: the short cycle is the cause. */
    expect("&&&", "01 12 20 10", "012", "00.", "000");
    /* A knot of wildcards: 0 and 1 wait for any of the others. */
    expect("|||", "01 02 10 12 20 21", "012", "000", "000");
    expect("||r", "01 02 10 12", "", "...", "...");
    /* Two that have nothing to do with each other; the smaller one first. */
    expect("&&&&&", "01 12 20 34 43", "01234", "11100", "11100");
    /* A collective call is a node: 0 and 1 wait in it (node 2) for 3, which receives from 0. */
    expect("&&&&", "02 12 23 30", "0123", "0.00", "0000");
    /* A thread that runs keeps its rank alive: rank 0 is any of its threads 2 and 3. */
    expect("|&&r", "02 03 10 21", "", "....", "....");
    expect("&&", "00 10", "01", "0.", "00"); /* waits for itself */
}

/* --- at random ----------------------------------------------------------------------------- */

enum { MOST = 12 };

static void fixed_point(const struct st_waits *waits, bool *is_dead)
{
    for (size_t i = 0; i < waits->node_count; i++) {
        is_dead[i] = waits->needs[i] != ST_WAITS_RUNS;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < waits->node_count; i++) {
            size_t targets = 0, live = 0;
            for (size_t k = 0; k < waits->edge_count; k++) {
                targets += waits->edges[k].from == i;
                live += waits->edges[k].from == i && !is_dead[waits->edges[k].to];
            }
            bool lives = (waits->needs[i] == ST_WAITS_ALL && live == targets) ||
                         (waits->needs[i] == ST_WAITS_ANY && live > 0);
            if (is_dead[i] && lives) {
                is_dead[i] = false;
                changed = true;
            }
        }
    }
}

/* Nobody outside a core could release it: with everybody else running, its nodes stay dead. */
static void check_core(const struct st_waits *waits, const struct st_dead *dead, uint32_t core)
{
    struct st_waits alone = {0};
    struct st_dead again;
    size_t members = 0;
    uint32_t number;
    for (uint32_t i = 0; i < waits->node_count; i++) {
        bool is_member = dead->core[i] == core;
        members += is_member;
        assert_true(st_waits_node(&alone, is_member ? waits->needs[i] : ST_WAITS_RUNS, &number));
    }
    for (size_t i = 0; i < waits->edge_count; i++) {
        assert_true(st_waits_edge(&alone, waits->edges[i].from, waits->edges[i].to));
    }
    assert_true(st_waits_solve(&alone, &again));
    for (uint32_t i = 0; i < waits->node_count; i++) {
        assert_int_equal(again.is_dead[i], dead->core[i] == core);
    }
    assert_int_equal(members, dead->sizes[core]);
    assert_true(core == 0 || dead->sizes[core] >= dead->sizes[core - 1]);
    st_dead_free(&again);
    st_waits_free(&alone);
}

static void random_waits_agree_with_a_fixed_point(void **state)
{
    (void)state;
    uint64_t seed = image_seed(5);
    size_t cores = 0, live = 0;
    for (int round = 0; round < 20000; round++) {
        struct st_waits waits = {0};
        struct st_dead dead;
        bool expected[MOST];
        uint32_t number, nodes = (uint32_t)image_between(&seed, 1, MOST);
        for (uint32_t i = 0; i < nodes; i++) {
            static const uint8_t likely[] = {ST_WAITS_ALL, ST_WAITS_ALL, ST_WAITS_ALL,
                                             ST_WAITS_ANY, ST_WAITS_ANY, ST_WAITS_RUNS,
                                             ST_WAITS_GONE};
            assert_true(st_waits_node(&waits, likely[image_random(&seed) % 7], &number));
        }
        for (uint64_t i = image_random(&seed) % (3 * nodes); i > 0; i--) {
            assert_true(st_waits_edge(&waits, (uint32_t)(image_random(&seed) % nodes),
                                      (uint32_t)(image_random(&seed) % nodes)));
        }
        fixed_point(&waits, expected);
        assert_true(st_waits_solve(&waits, &dead));
        for (uint32_t i = 0; i < nodes; i++) {
            assert_int_equal(dead.is_dead[i], expected[i]);
            assert_int_equal(dead.below[i] != ST_NO_CORE, expected[i]);
            live += !expected[i];
        }
        for (uint32_t core = 0; core < dead.core_count; core++) {
            check_core(&waits, &dead, core);
        }
        cores += dead.core_count;
        st_dead_free(&dead);
        st_waits_free(&waits);
    }
    assert_true(cores > 1000 && live > 1000);
}

/* --- large ones ---------------------------------------------------------------------------- */

/* Milliseconds of processor time: the machine may be busy. */
static double now(void)
{
    return (double)clock() * 1e3 / CLOCKS_PER_SEC;
}

enum { RANKS = 100000 };

static void solve_large(const char *what, const struct st_waits *waits, size_t expected)
{
    double best = 1e9;
    for (int i = 0; i < 20; i++) {
        struct st_dead dead;
        size_t count = 0;
        double start = now();
        assert_true(st_waits_solve(waits, &dead));
        double took = now() - start;
        best = took < best ? took : best;
        for (size_t k = 0; k < waits->node_count; k++) {
            count += dead.is_dead[k];
        }
        assert_int_equal(count, expected);
        st_dead_free(&dead);
    }
    printf("verdict of %d ranks, %s: %.2f ms\n", RANKS, what, best);
}

/* No time is asserted: the machine may be busy. What is not linear would never end. */
static void a_hundred_thousand_ranks(void **state)
{
    (void)state;
    struct st_waits barrier = {0}, ring = {0};
    uint32_t number, collective;
    for (uint32_t i = 0; i < RANKS; i++) {
        assert_true(st_waits_node(&barrier, i < RANKS - 1 ? ST_WAITS_ALL : ST_WAITS_RUNS, &number));
        assert_true(st_waits_node(&ring, ST_WAITS_ALL, &number));
    }
    assert_true(st_waits_node(&barrier, ST_WAITS_ALL, &collective));
    for (uint32_t i = 0; i < RANKS; i++) {
        assert_true(i == RANKS - 1 || st_waits_edge(&barrier, i, collective));
        assert_true(st_waits_edge(&ring, i, (i + 1) % RANKS));
    }
    assert_true(st_waits_edge(&barrier, collective, RANKS - 1));
    solve_large("all but one in a barrier", &barrier, 0);
    barrier.needs[RANKS - 1] = ST_WAITS_GONE;
    solve_large("the same, the last one gone", &barrier, RANKS + 1);
    solve_large("a ring", &ring, RANKS);
    st_waits_free(&barrier);
    st_waits_free(&ring);
}

/* A job in which each rank waits in the same way. */
struct large {
    struct st_wait_rank *ranks;
    struct st_wait_thread *threads;
    struct st_wait_part *parts;
    struct st_wait_comm *comms;
};

static struct large large_job(enum st_wait_sort sort)
{
    struct large job = {calloc(RANKS, sizeof *job.ranks), calloc(RANKS, sizeof *job.threads),
                        calloc(RANKS, sizeof *job.parts), calloc(RANKS, sizeof *job.comms)};
    assert_true(job.ranks && job.threads && job.parts && job.comms);
    for (int32_t i = 0; i < RANKS; i++) {
        job.comms[i] = (struct st_wait_comm){.id = ST_WORLD_ID, .begun = 2, .size = RANKS};
        job.parts[i] = (struct st_wait_part){.sort = sort,
                                             .peer = i ^ 1,
                                             .world = i ^ 1,
                                             .process = st_gpid(0, i ^ 1),
                                             .tag = 7,
                                             .site = ST_NO_SITE,
                                             .n = 2};
        strcpy(job.parts[i].function, "MPI_Barrier");
        job.threads[i] = (struct st_wait_thread){.in_call = true, .count = 1};
        job.ranks[i] = (struct st_wait_rank){.world_rank = i,
                                             .world_size = RANKS,
                                             .is_stuck = true,
                                             .threads = &job.threads[i],
                                             .thread_count = 1,
                                             .parts = &job.parts[i],
                                             .part_count = 1,
                                             .comms = &job.comms[i],
                                             .comm_count = 1};
    }
    return job;
}

static void free_large(struct large *job)
{
    free(job->ranks);
    free(job->threads);
    free(job->parts);
    free(job->comms);
}

/* No time is asserted; what takes each rank for each other one would never end. */
static struct st_deaths find_large(const char *what, const struct large *job)
{
    struct st_deaths deaths = {0};
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        st_deaths_free(&deaths);
        double start = now();
        assert_true(st_deaths_find(job->ranks, RANKS, &deaths));
        double took = now() - start;
        best = took < best ? took : best;
    }
    printf("deaths of %d ranks, %s: %.2f ms\n", RANKS, what, best);
    return deaths;
}

static void deaths_of_a_hundred_thousand_ranks(void **state)
{
    (void)state;
    struct large barrier = large_job(ST_WAIT_COLLECTIVE), pairs = large_job(ST_WAIT_RECEIVE);
    barrier.ranks[RANKS - 1].is_stuck = false; /* it computes */
    barrier.comms[RANKS - 1].begun = 1;
    struct st_deaths deaths = find_large("all but one in a barrier", &barrier);
    assert_int_equal(deaths.count, 0);
    st_deaths_free(&deaths);
    barrier.ranks[RANKS - 1].presence = ST_WAIT_ENDED;
    deaths = find_large("the same, the last one gone", &barrier);
    assert_int_equal(deaths.count, 1);
    assert_int_equal(deaths.list[0].kind, ST_DEATH_MISSING);
    assert_int_equal(deaths.list[0].rank_count, RANKS - 1);
    assert_int_equal(deaths.list[0].missing[0], RANKS - 1);
    st_deaths_free(&deaths);
    deaths = find_large("each two receive from each other", &pairs);
    assert_int_equal(deaths.count, RANKS / 2);
    assert_int_equal(deaths.list[7].rank_count, 2);
    assert_int_equal(deaths.list[7].behind_count, 0);
    assert_int_equal(deaths.list[7].ranks[0] ^ 1, deaths.list[7].ranks[1]);
    st_deaths_free(&deaths);
    free_large(&barrier);
    free_large(&pairs);
}

int main(void)
{
    mallopt(M_MMAP_THRESHOLD,
            1 << 25); /* as mpipp run has it: memory that was used before is there */
    mallopt(M_TRIM_THRESHOLD, 1 << 26);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_down_waits),
        cmocka_unit_test(random_waits_agree_with_a_fixed_point),
        cmocka_unit_test(a_hundred_thousand_ranks),
        cmocka_unit_test(deaths_of_a_hundred_thousand_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
