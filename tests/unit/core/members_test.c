/* Ranks by gpid (core/waits/members.h): of several worlds, with names that two have, and in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/waits/members.h"

enum { RANKS = 40, ROUNDS = 2000 };

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

/* The index of the only rank with that name. */
static uint32_t model(const struct st_wait_rank *ranks, size_t count, uint64_t world, int32_t rank)
{
    uint32_t found = ST_NOT_SEEN;
    size_t times = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (ranks[i].world == world && ranks[i].world_rank == rank) {
            found = i;
            times++;
        }
    }
    return times == 1 ? found : ST_NOT_SEEN;
}

static void random_ranks_against_the_model(void **state)
{
    uint64_t seed = 88172645463325252u;
    size_t found = 0, not_found = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct st_wait_rank ranks[RANKS] = {0};
        struct st_wait_members members;
        const size_t count = next(&seed) % (RANKS + 1);
        for (size_t i = 0; i < count; i++) {
            ranks[i].world = 1 + next(&seed) % 3;
            ranks[i].world_rank = (int32_t)(next(&seed) % RANKS) - 1;
        }
        assert_true(st_wait_members_list(ranks, count, &members));
        for (uint64_t world = 0; world < 5; world++) {
            for (int32_t rank = 0; rank < RANKS; rank++) {
                const uint32_t wanted = model(ranks, count, world, rank);
                assert_int_equal(st_wait_members_find(&members, st_gpid(world, rank)), wanted);
                *(wanted == ST_NOT_SEEN ? &not_found : &found) += 1;
            }
        }
        assert_int_equal(st_wait_members_find(&members, ST_NO_GPID), ST_NOT_SEEN);
        st_wait_members_free(&members);
    }
    assert_in_range(found, ROUNDS, SIZE_MAX);
    assert_in_range(not_found, ROUNDS, SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ranks_against_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
