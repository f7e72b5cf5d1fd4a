/* Collective calls of several ranks (core/agree): what must agree, and where the ranks meet. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/meeting.h"
#include "core/agree/rules.h"
#include "core/agree/segment.h"

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

/* --- the rules ----------------------------------------------------------------------------- */

static void forms_have_the_rules_of_their_function(void **state)
{
    (void)state;
    static const char *const alike[][5] = {
        {"Bcast", "MPI_Bcast", "MPI_Ibcast", "MPI_Bcast_init", "MPI_Ibcast_c"},
        {"Gather", "MPI_Gather", "MPI_Igather", "MPI_Gather_init", "MPI_Gather_init_c"},
        {"Gatherv", "MPI_Gatherv_c", "MPI_Igatherv", "MPI_Gatherv_init", "MPI_Igatherv_c"},
        {"Scatter", "MPI_Scatter", "MPI_Iscatter", "MPI_Scatter_init", "MPI_Scatter_c"},
        {"Scatterv", "MPI_Scatterv", "MPI_Iscatterv", "MPI_Scatterv_init", "MPI_Scatterv_c"},
        {"Allgather", "MPI_Allgather", "MPI_Iallgather", "MPI_Allgather_init", "MPI_Allgather_c"},
        {"Alltoallw", "MPI_Alltoallw", "MPI_Ialltoallw", "MPI_Alltoallw_init", "MPI_Alltoallw_c"},
        {"Reduce", "MPI_Reduce", "MPI_Ireduce", "MPI_Reduce_init", "MPI_Ireduce_c"},
        {"Allreduce", "MPI_Allreduce", "MPI_Iallreduce", "MPI_Allreduce_init", "MPI_Allreduce_c"},
        {"Reduce_scatter", "MPI_Reduce_scatter", "MPI_Ireduce_scatter", "MPI_Reduce_scatter_init",
         "MPI_Reduce_scatter_c"},
        {"Reduce_scatter_block", "MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block",
         "MPI_Reduce_scatter_block_init", "MPI_Reduce_scatter_block_c"},
        {"Scan", "MPI_Scan", "MPI_Iscan", "MPI_Scan_init", "MPI_Scan_c"},
        {"Exscan", "MPI_Exscan", "MPI_Iexscan", "MPI_Exscan_init", "MPI_Iexscan_c"},
        {"Comm_dup", "MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_idup",
         "MPI_Comm_idup_with_info"},
    };
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        assert_int_not_equal(st_rules_of(alike[i][0]), 0);
        for (size_t k = 1; k < 5; k++)
            assert_int_equal(st_rules_of(alike[i][k]), st_rules_of(alike[i][0]));
    }
    static const char *const free_ones[] = {
        "Barrier",       "MPI_Ibarrier",   "MPI_Comm_disconnect", "MPI_Comm_split",
        "MPI_Comm_free", "MPI_File_close", "MPI_Barrier_init",    "MPI_Win_create"};
    for (size_t i = 0; i < sizeof free_ones / sizeof *free_ones; i++)
        assert_int_equal(st_rules_of(free_ones[i]), 0);
}

static void the_table_of_rules(void **state)
{
    (void)state;
    const uint32_t rooted = st_rules_of("Bcast") & st_rules_of("Gather") & st_rules_of("Gatherv") &
                            st_rules_of("Scatter") & st_rules_of("Scatterv") &
                            st_rules_of("Reduce") & st_rules_of("Comm_spawn");
    assert_true(rooted & ST_RULE_ROOT);
    const uint32_t placed = st_rules_of("Allgather") & st_rules_of("Allgatherv") &
                            st_rules_of("Alltoall") & st_rules_of("Alltoallv") &
                            st_rules_of("Alltoallw") & st_rules_of("Allreduce") &
                            st_rules_of("Reduce_scatter_block");
    assert_true(placed & ST_RULE_IN_PLACE);
    /* Where MPI allows MPI_IN_PLACE on some ranks alone. */
    const uint32_t some = st_rules_of("Reduce_scatter") | st_rules_of("Scan") |
                          st_rules_of("Exscan") | st_rules_of("Reduce") | st_rules_of("Gather") |
                          st_rules_of("Gatherv") | st_rules_of("Scatter") | st_rules_of("Scatterv");
    assert_false(some & ST_RULE_IN_PLACE);
    const uint32_t reduced = st_rules_of("Reduce") & st_rules_of("Allreduce") &
                             st_rules_of("Reduce_scatter") & st_rules_of("Reduce_scatter_block") &
                             st_rules_of("Scan") & st_rules_of("Exscan");
    assert_true(reduced & ST_RULE_OPERATION);
}

/* --- two calls ----------------------------------------------------------------------------- */

/* The calls of one function have the same flags, but for those that say what this rank is or passes. */
static struct st_collective draw_call(uint64_t *seed)
{
    enum { RANKS_OWN = ST_COLLECTIVE_PLACED | ST_COLLECTIVE_UNIFORM | ST_COLLECTIVE_IS_ROOT };
    struct st_collective call = {
        .hash = {next(seed) % 2, next(seed) % 2},
        .length = (int64_t)(next(seed) % 3),
        .arguments = next(seed) % 2,
        .operation = next(seed) % 3,
        .root = (int32_t)(next(seed) % 2),
        .function = (uint16_t)(next(seed) % 2),
        .rank = (uint32_t)next(seed),
        .place = (uint32_t)next(seed),
        .flags = ST_COLLECTIVE_ROOT | ST_COLLECTIVE_IN_PLACE | ST_COLLECTIVE_SIGNATURE |
                 ST_COLLECTIVE_ARGUMENTS,
    };
    call.flags = (uint16_t)(call.flags | (next(seed) & RANKS_OWN));
    return call;
}

/* The standard's words, for calls of which all is known. */
static enum st_agreement model(const struct st_collective *a, const struct st_collective *b)
{
    if (a->function != b->function)
        return ST_DIFFERS_IN_CALL;
    if (a->root != b->root)
        return ST_DIFFERS_IN_ROOT;
    if (!(a->flags & ST_COLLECTIVE_PLACED) != !(b->flags & ST_COLLECTIVE_PLACED))
        return ST_DIFFERS_IN_PLACE;
    if (a->operation != 0 && b->operation != 0 && a->operation != b->operation)
        return ST_DIFFERS_IN_OPERATION;
    if (a->arguments != b->arguments)
        return ST_DIFFERS_IN_ARGUMENTS;
    if (a->length == 0 && b->length == 0)
        return ST_CALLS_AGREE;
    if (a->length != b->length || a->hash[0] != b->hash[0] || a->hash[1] != b->hash[1] ||
        !(a->flags & ST_COLLECTIVE_UNIFORM) != !(b->flags & ST_COLLECTIVE_UNIFORM))
        return ST_DIFFERS_IN_SIGNATURE;
    return ST_CALLS_AGREE;
}

static void random_calls_against_the_model(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    int seen[ST_DIFFERS_IN_SIGNATURE + 1] = {0};
    for (int i = 0; i < 200000; i++) {
        struct st_collective a = draw_call(&seed), b = i % 4 ? a : draw_call(&seed);
        if (i % 4 == 1) { /* one thing alone may differ */
            const struct st_collective other = draw_call(&seed);
            switch (i / 4 % 6) {
            case 0:
                b.function = other.function;
                break;
            case 1:
                b.root = other.root;
                break;
            case 2:
                b.flags = other.flags;
                break;
            case 3:
                b.operation = other.operation;
                break;
            case 4:
                b.arguments = other.arguments;
                break;
            default:
                b.length = other.length;
                b.hash[1] = other.hash[1];
                break;
            }
        }
        const enum st_agreement expected = model(&a, &b);
        assert_int_equal(st_collective_compare(&a, &b), expected);
        assert_int_equal(st_collective_compare(&b, &a), expected);
        if (expected != ST_CALLS_AGREE)
            assert_true(st_collective_digest(&a) != st_collective_digest(&b));
        seen[expected]++;
    }
    for (int i = 0; i <= ST_DIFFERS_IN_SIGNATURE; i++)
        if (i != ST_DIFFERS_IN_TAG) /* in calls without a signature */
            assert_in_range(seen[i], 500, 200000);
}

static void tags(void **state)
{
    (void)state;
    const struct st_collective five = {.length = 5, .flags = ST_COLLECTIVE_TAG},
                               none = {.length = 7};
    struct st_collective other = five;
    assert_int_equal(st_collective_compare(&five, &other), ST_CALLS_AGREE);
    assert_true(st_collective_digest(&five) == st_collective_digest(&other));
    other.length = 6;
    assert_int_equal(st_collective_compare(&five, &other), ST_DIFFERS_IN_TAG);
    assert_true(st_collective_digest(&five) != st_collective_digest(&other));
    assert_int_equal(st_collective_compare(&five, &none), ST_CALLS_AGREE);
}

/* Who calls, from where, by which of two names, and who is the root's rank, is not in it. */
static void digests(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 20000; i++) {
        struct st_collective a = draw_call(&seed), b = a;
        b.comm++, b.number++, b.pairs++, b.rank++, b.place++, b.member++, b.called++;
        b.flags ^= ST_COLLECTIVE_IS_ROOT;
        assert_true(st_collective_digest(&a) == st_collective_digest(&b));
        a.flags = b.flags = 0; /* what is not told does not count */
        b.root++, b.arguments++, b.hash[0]++, b.length++;
        assert_true(st_collective_digest(&a) == st_collective_digest(&b));
    }
}

/* No function with some flags has the digest of another one with others. */
static void digests_of_functions(void **state)
{
    (void)state;
    enum { FUNCTIONS = 400, FLAGS = 6 };
    static const uint16_t flags[FLAGS] = {0,
                                          ST_COLLECTIVE_VAGUE,
                                          ST_COLLECTIVE_IN_PLACE,
                                          ST_COLLECTIVE_IN_PLACE | ST_COLLECTIVE_PLACED,
                                          ST_COLLECTIVE_ROOT,
                                          ST_COLLECTIVE_INTER};
    static uint64_t seen[FUNCTIONS * FLAGS];
    for (int i = 0; i < FUNCTIONS * FLAGS; i++) {
        const struct st_collective call = {.function = (uint16_t)(i / FLAGS),
                                           .flags = flags[i % FLAGS]};
        seen[i] = st_collective_digest(&call);
        for (int k = 0; k < i; k++)
            assert_true(seen[k] != seen[i]);
    }
}

/* Where no operation is the program's own. */
static void agreement_is_transitive(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int agreed = 0;
    for (int i = 0; i < 2000000; i++) {
        struct st_collective calls[3];
        for (int k = 0; k < 3; k++) {
            calls[k] = draw_call(&seed);
            calls[k].operation |= 1;
            calls[k].function = 0;
            calls[k].root = 0;
        }
        if (st_collective_compare(&calls[0], &calls[1]) ||
            st_collective_compare(&calls[1], &calls[2]))
            continue;
        assert_int_equal(st_collective_compare(&calls[0], &calls[2]), ST_CALLS_AGREE);
        agreed++;
    }
    assert_in_range(agreed, 100, 2000000);
}

/* MPI_Comm_create: calls are compared if one of the two ranks is in the other's group. */
static void groups(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int i = 0; i < 20000; i++) {
        struct st_collective calls[2];
        for (int k = 0; k < 2; k++)
            calls[k] = (struct st_collective){.hash = {next(&seed), next(&seed)},
                                              .arguments = next(&seed) % 2,
                                              .member = (int32_t)(next(&seed) % 140),
                                              .flags = ST_COLLECTIVE_GROUP};
        bool meet = false;
        for (int k = 0; k < 2; k++)
            if (calls[1 - k].member < 128)
                meet |= calls[k].hash[calls[1 - k].member / 64] >> calls[1 - k].member % 64 & 1;
        const enum st_agreement expected = meet && calls[0].arguments != calls[1].arguments
                                               ? ST_DIFFERS_IN_ARGUMENTS
                                               : ST_CALLS_AGREE;
        assert_int_equal(st_collective_compare(&calls[0], &calls[1]), expected);
        assert_int_equal(st_collective_compare(&calls[1], &calls[0]), expected);
        assert_true(st_collective_are_apart(&calls[0], &calls[1]) == !meet);
        /* Those that need not agree come to the same place. */
        assert_true(st_collective_digest(&calls[0]) == st_collective_digest(&calls[1]));
    }
}

static void sides(void **state)
{
    (void)state;
    struct st_collective one = {.hash = {7}, .arguments = 1, .flags = ST_COLLECTIVE_SIDE};
    struct st_collective other = one;
    assert_int_equal(st_collective_compare(&one, &other), ST_CALLS_AGREE);
    other.arguments = 0;
    assert_int_equal(st_collective_compare(&one, &other), ST_DIFFERS_IN_ARGUMENTS);
    other.hash[0] = 8;
    assert_int_equal(st_collective_compare(&one, &other), ST_CALLS_AGREE);
    assert_true(st_collective_digest(&one) == st_collective_digest(&other));
}

static void what_is_not_known_is_not_compared(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        struct st_collective a = draw_call(&seed), b = draw_call(&seed);
        b.function = a.function;
        (i % 2 ? &a : &b)->flags |= ST_COLLECTIVE_VAGUE;
        assert_int_equal(st_collective_compare(&a, &b), ST_CALLS_AGREE);
        a = draw_call(&seed), b = draw_call(&seed);
        b.function = a.function;
        a.operation = a.flags = 0; /* one of the two alone has said it */
        assert_int_equal(st_collective_compare(&a, &b), ST_CALLS_AGREE);
    }
}

/* --- meeting points ------------------------------------------------------------------------ */

enum { THREADS = 6, CALLS = 6000, LOG2_PLACES = 4, COMMS = 3, WRONG = 5 };

static struct st_meeting_point meetings[1 << LOG2_PLACES];
static struct st_rank_call areas[THREADS][1 << LOG2_PLACES];
/* By call: how many have seen a difference, how many came too late, whether one is wrong. */
static int differences[CALLS], late[CALLS], tellers[CALLS];
static pthread_barrier_t together;

static int is_wrong(int call, int thread)
{
    return call % WRONG == 0 && thread == call / WRONG % THREADS;
}

static void compare(int number, const struct st_collective *mine, const struct st_collective *other,
                    struct st_meeting_point *meeting, uint64_t key)
{
    if (st_collective_compare(mine, other) == ST_CALLS_AGREE)
        return;
    __atomic_fetch_add(&differences[number], 1, __ATOMIC_RELAXED);
    if (st_meeting_tells(meeting, key))
        __atomic_fetch_add(&tellers[number], 1, __ATOMIC_RELAXED);
}

static void arrive(int thread, int number, uint64_t comm)
{
    struct st_collective other, mine = {.comm = comm,
                                        .number = (uint64_t)number,
                                        .root = is_wrong(number, thread),
                                        .rank = (uint32_t)thread,
                                        .flags = ST_COLLECTIVE_ROOT};
    const struct st_comer comer = {st_collective_digest(&mine), (uint32_t)thread};
    uint32_t first;
    const uint64_t key = st_collective_key(comm, mine.number);
    const uint32_t place = st_collective_place(comm, mine.number, LOG2_PLACES);
    struct st_meeting_point *meeting = &meetings[place];
    st_rank_call_write(&areas[thread][place], key, &mine);
    switch (st_meeting_arrive(meeting, key, &comer, &first)) {
    case ST_CAME_FIRST:
    case ST_CAME_ALIKE:
        break;
    case ST_CAME_OTHERWISE:
        if (first != ST_NOT_KNOWN_WHO && st_rank_call_read(&areas[first][place], key, &other)) {
            compare(number, &mine, &other, meeting, key);
            break;
        }
        for (int i = 0; i < THREADS; i++)
            if (i != thread && st_rank_call_read(&areas[i][place], key, &other))
                compare(number, &mine, &other, meeting, key);
        break;
    case ST_CAME_TOO_LATE:
        __atomic_fetch_add(&late[number], 1, __ATOMIC_RELAXED);
        break;
    }
}

static void *make_calls(void *argument)
{
    const int thread = (int)(intptr_t)argument;
    uint64_t seed = 1000 + (uint64_t)thread;
    for (int i = 0; i < CALLS; i++) {
        /* As a collective call of MPI, that some leave before others have come. */
        if (i % (1 << (LOG2_PLACES - 2)) == 0)
            pthread_barrier_wait(&together);
        for (uint64_t skew = next(&seed) % 200; skew > 0; skew--)
            __asm__ volatile("");
        arrive(thread, i, (uint64_t)(i / 4 % COMMS + 1) * 64);
    }
    return NULL;
}

static void threads_meet(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    memset(meetings, 0, sizeof meetings);
    memset(areas, 0, sizeof areas);
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, make_calls, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&together);
    int compared = 0;
    for (int i = 0; i < CALLS; i++) {
        if (i % WRONG != 0) {
            assert_int_equal(differences[i], 0);
        } else if (late[i] == 0) {
            assert_in_range(differences[i], 1, THREADS);
            assert_int_equal(tellers[i], 1);
            compared++;
        }
    }
    assert_in_range(compared, CALLS / WRONG / 2, CALLS);
}

/* Places that one thread takes for call after call: what the others read is one call, never parts of two. */
static struct st_meeting_point taken;
static struct st_rank_call written;
static int taking, torn;
static uint64_t last_taken;

/* An assertion would leave the thread's stack. */
static void expect_whole(const struct st_collective *call, const struct st_collective *expected)
{
    if (memcmp(call, expected, sizeof *call) != 0)
        __atomic_store_n(&torn, 1, __ATOMIC_RELAXED);
}

static struct st_collective call_of(uint64_t key)
{
    return (struct st_collective){.comm = key,
                                  .number = key,
                                  .hash = {key, key},
                                  .length = (int64_t)key,
                                  .arguments = key,
                                  .operation = key};
}

/* A key whose digest and rank follow from it. */
static uint64_t key_of(uint64_t number)
{
    return st_collective_key(64, number);
}

static struct st_comer comer_of(uint64_t number)
{
    return (struct st_comer){number << 1, (uint32_t)number & 0xffff};
}

static void *take_places(void *nothing)
{
    for (uint64_t number = 1; number < 400000; number++) {
        const uint64_t key = key_of(number);
        const struct st_comer comer = comer_of(number);
        struct st_collective mine = call_of(key);
        uint32_t first;
        st_rank_call_write(&written, key, &mine);
        st_meeting_arrive(&taken, key, &comer, &first);
        __atomic_store_n(&last_taken, number, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&taking, 0, __ATOMIC_RELEASE);
    return nothing;
}

static void *read_places(void *nothing)
{
    while (__atomic_load_n(&taking, __ATOMIC_ACQUIRE)) {
        struct st_collective call;
        uint64_t key = __atomic_load_n(&written.key, __ATOMIC_ACQUIRE);
        struct st_collective mine = call_of(key);
        if (key && st_rank_call_read(&written, key, &call))
            expect_whole(&call, &mine);
        const uint64_t number = __atomic_load_n(&last_taken, __ATOMIC_ACQUIRE);
        struct st_comer comer = comer_of(number);
        comer.digest ^= 2; /* another one */
        uint32_t first;
        if (number &&
            st_meeting_arrive(&taken, key_of(number), &comer, &first) == ST_CAME_OTHERWISE &&
            first != comer.rank && first != ST_NOT_KNOWN_WHO)
            __atomic_store_n(&torn, 1, __ATOMIC_RELAXED);
    }
    return nothing;
}

static void calls_are_read_whole(void **state)
{
    (void)state;
    pthread_t threads[3];
    taking = 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i ? read_places : take_places, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(torn, 0);
}

/* A rank that was killed between the two words of its place. */
static void half_written_places(void **state)
{
    (void)state;
    const uint64_t dead = key_of(1), older = key_of(2), newer = key_of(3);
    const struct st_comer mine = {.digest = 64, .rank = 1}, other = {.digest = 32, .rank = 2};
    struct st_meeting_point meeting = {0}, before;
    uint32_t first;
    assert_int_equal(st_meeting_arrive(&meeting, older, &mine, &first), ST_CAME_FIRST);
    before = meeting;
    assert_int_equal(st_meeting_arrive(&meeting, dead, &mine, &first), ST_CAME_FIRST);
    meeting.first = before.first;
    assert_int_equal(st_meeting_arrive(&meeting, newer, &mine, &first), ST_CAME_TOO_LATE);
    assert_int_equal(st_meeting_arrive(&meeting, older, &mine, &first), ST_CAME_TOO_LATE);
    assert_int_equal(st_meeting_arrive(&meeting, dead, &mine, &first), ST_CAME_ALIKE);
    assert_int_equal(st_meeting_arrive(&meeting, dead, &other, &first), ST_CAME_OTHERWISE);
    assert_int_equal(first, ST_NOT_KNOWN_WHO);

    const struct st_collective call = {.comm = 64, .number = 1};
    struct st_collective read;
    struct st_rank_call place = {.key = 0, .call = call};
    assert_false(st_rank_call_read(&place, 11, &read));
    st_rank_call_write(&place, 11, &call);
    assert_true(st_rank_call_read(&place, 11, &read));
    assert_false(st_rank_call_read(&place, 13, &read));
}

/* A place that another communicator's call has taken is not taken back: who comes late knows it. */
static void a_place_taken_away(void **state)
{
    (void)state;
    const uint64_t one = key_of(1), two = key_of(2), three = key_of(3);
    const struct st_comer mine = {.digest = 64, .rank = 7}, other = {.digest = 32, .rank = 4095};
    struct st_meeting_point meeting = {0};
    uint32_t first;
    assert_int_equal(st_meeting_arrive(&meeting, one, &mine, &first), ST_CAME_FIRST);
    assert_int_equal(st_meeting_arrive(&meeting, two, &other, &first), ST_CAME_FIRST);
    assert_int_equal(st_meeting_arrive(&meeting, one, &mine, &first), ST_CAME_TOO_LATE);
    assert_int_equal(st_meeting_arrive(&meeting, two, &other, &first), ST_CAME_ALIKE);
    assert_int_equal(st_meeting_arrive(&meeting, two, &mine, &first), ST_CAME_OTHERWISE);
    assert_int_equal(first, 4095);
    assert_int_equal(st_meeting_arrive(&meeting, three, &mine, &first), ST_CAME_FIRST);
    assert_int_equal(st_meeting_arrive(&meeting, two, &mine, &first), ST_CAME_TOO_LATE);
}

/* Two calls that the point cannot tell apart: both ranks that differ from what is there look at the
 * other's call. */
static void keys_that_look_alike(void **state)
{
    (void)state;
    const uint64_t key = key_of(1), like = key ^ 2;
    const struct st_comer stale = {.digest = 64, .rank = 0}, a = {.digest = 32, .rank = 1},
                          b = {.digest = 16, .rank = 2};
    struct st_meeting_point meeting = {0};
    uint32_t first;
    assert_int_equal(st_meeting_arrive(&meeting, like, &stale, &first), ST_CAME_FIRST);
    assert_int_equal(st_meeting_arrive(&meeting, key, &a, &first), ST_CAME_OTHERWISE);
    assert_int_equal(st_meeting_arrive(&meeting, key, &b, &first), ST_CAME_OTHERWISE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests),
        cmocka_unit_test(digests_of_functions),
        cmocka_unit_test(a_place_taken_away),
        cmocka_unit_test(forms_have_the_rules_of_their_function),
        cmocka_unit_test(the_table_of_rules),
        cmocka_unit_test(random_calls_against_the_model),
        cmocka_unit_test(tags),
        cmocka_unit_test(agreement_is_transitive),
        cmocka_unit_test(groups),
        cmocka_unit_test(sides),
        cmocka_unit_test(what_is_not_known_is_not_compared),
        cmocka_unit_test(threads_meet),
        cmocka_unit_test(calls_are_read_whole),
        cmocka_unit_test(half_written_places),
        cmocka_unit_test(keys_that_look_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
