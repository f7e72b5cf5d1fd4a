/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that differ between nodes (cmd/nodes/disagree.h): each is asked about, also where a node tells of many calls
 * before another one tells of any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../../cmd/nodes/calls.h"
#include "../../../cmd/nodes/disagree.h"
#include "core/model/hash.h"

/* Instead of calls.c and differing.c: an answer is the numbers of ranks, and rank 9 differs from all others. */
static struct {
    enum differing_pairs pairs;
    bool is_told;
} now;

bool calls_append(json_t *calls, struct published_call **list, size_t *count)
{
    *list = realloc(*list, (*count + json_array_size(calls) + 1) * sizeof **list);
    for (size_t i = 0; i < json_array_size(calls); i++) {
        (*list)[(*count)++] =
            (struct published_call){.rank = (int)json_integer_value(json_array_get(calls, i))};
    }
    return now.is_told;
}

void calls_free(struct published_call *list, size_t count)
{
    (void)count;
    free(list);
}

json_t *differing_record(const struct published_call *calls, size_t count, int64_t number,
                         const char *found)
{
    (void)number, (void)found;
    bool is_there[2] = {false, false};
    for (size_t i = 0; i < count; i++) {
        is_there[calls[i].rank == 9] = true;
    }
    return is_there[0] && is_there[1] ? json_pack("{s:s}", "id", "collective-type") : NULL;
}

json_t *differing_pair_record(const struct published_call *calls, size_t count, int64_t number,
                              const char *found)
{
    return differing_record(calls, count, number, found);
}

enum differing_pairs differing_known_pairs(const struct published_call *calls, size_t count)
{
    (void)calls, (void)count;
    return now.pairs;
}

enum { COMMS = 2000, MOST_ASKED = 1000 };

/* The first call of each of many communicators, in which every other one differs. */
static struct far_call call_of(uint64_t i, uint32_t node)
{
    return (struct far_call){
        .comm = st_hash_word(41, i), .number = 1, .digest = 7 * i + (i % 2 ? node : 0)};
}

static void many_communicators(void **state)
{
    (void)state;
    struct disagree *disagree = disagree_new();
    for (uint64_t i = 0; i < COMMS; i++) {
        const struct far_call call = call_of(i, 0);
        assert_true(disagree_take(disagree, 0, &call, 0));
    }
    for (uint64_t i = 0; i < COMMS; i++) {
        const struct far_call call = call_of(i, 1);
        assert_false(disagree_take(disagree, 1, &call, 0));
    }
    assert_int_equal(disagree_open(disagree), MOST_ASKED);
    assert_int_equal(disagree_dropped(disagree), 0);
    for (uint64_t i = 0; i < MOST_ASKED; i++) {
        struct far_call call;
        uint32_t ticket;
        assert_true(disagree_next(disagree, 0, 0, &call, &ticket));
        assert_int_equal(call.comm, call_of(2 * i + 1, 0).comm);
        assert_int_equal(ticket, i + 1);
    }
    disagree_give_up(disagree);
    free(disagree);
}

/* Two nodes tell of a call, which the ranks of MINE and OTHERS have come to. Returns whether that is judged at TIME. */
static enum disagree_result judge(struct disagree *disagree, int64_t time, json_t *mine,
                                  json_t *others)
{
    struct far_call call;
    json_t *record;
    uint32_t ticket;
    assert_true(disagree_next(disagree, time, 2, &call, &ticket));
    disagree_answer(disagree, ticket, mine);
    disagree_answer(disagree, ticket, others);
    const enum disagree_result result = disagree_result(disagree, time, &call, &record);
    assert_int_equal(result == DISAGREE_DIFFERS, record != NULL);
    json_decref(record);
    return result;
}

static struct disagree *disagree_of(uint64_t flags)
{
    struct disagree *disagree = disagree_new();
    for (uint32_t node = 0; node < 2; node++) {
        const struct far_call call = {.comm = 41, .number = 1, .flags = flags};
        disagree_take(disagree, node, &call, 0);
    }
    return disagree;
}

static bool is_due(struct disagree *disagree, int64_t time)
{
    struct far_call call;
    json_t *record;
    uint32_t ticket;
    if (!disagree_next(disagree, time, 0, &call, &ticket)) {
        return false;
    }
    disagree_result(disagree, time, &call, &record);
    assert_null(record);
    return true;
}

/* Data from rank to rank is asked for until all ranks have come, and then found; later and later. */
static void late_ranks(void **state)
{
    (void)state;
    struct disagree *disagree = disagree_of(FAR_CALL_ASK | FAR_CALL_PAIRS);
    int64_t time = 0, wait = 200;
    now.pairs = DIFFERING_PAIRS_TO_COME;
    for (unsigned i = 0; i < 10; i++, time += wait, wait = wait < 12800 ? 4 * wait : wait) {
        assert_int_equal(judge(disagree, time, json_pack("[i]", 0), json_pack("[i]", 2)),
                         DISAGREE_AGREE);
        assert_false(is_due(disagree, time + wait - 1));
        assert_false(disagree_is_busy(disagree, time + wait - 21));
        assert_true(disagree_is_busy(disagree, time + wait - 20));
    }
    assert_int_equal(judge(disagree, time, json_pack("[i]", 0), json_pack("[i]", 9)),
                     DISAGREE_DIFFERS);
    assert_false(disagree_is_busy(disagree, time));
    assert_int_equal(disagree_open(disagree), 0);
    assert_int_equal(disagree_unpaired(disagree), 0);
    free(disagree);
}

/* When the job has ended, it is asked for once more, and then counted as not compared; what is gone at once. */
static void absent_ranks(void **state)
{
    (void)state;
    struct disagree *disagree = disagree_of(FAR_CALL_ASK | FAR_CALL_PAIRS);
    now.pairs = DIFFERING_PAIRS_TO_COME;
    judge(disagree, 0, json_pack("[i]", 0), json_array());
    assert_int_equal(disagree_hurry(disagree), 1);
    judge(disagree, 1, json_pack("[i]", 0), json_array());
    assert_int_equal(disagree_open(disagree), 0);
    assert_int_equal(disagree_unpaired(disagree), 1);
    free(disagree);
    disagree = disagree_of(FAR_CALL_ASK | FAR_CALL_PAIRS);
    now.pairs = DIFFERING_PAIRS_GONE;
    judge(disagree, 0, json_pack("[i]", 0), json_pack("[i]", 2));
    assert_int_equal(disagree_open(disagree), 0);
    assert_int_equal(disagree_unpaired(disagree), 1);
    free(disagree);
}

/* Calls that wait for ranks make room for others. */
static void more_than_room(void **state)
{
    (void)state;
    enum { ROOM = 256, MORE = 10 };
    struct disagree *disagree = disagree_new();
    now.pairs = DIFFERING_PAIRS_TO_COME;
    for (uint64_t i = 1; i <= ROOM + MORE; i++) {
        for (uint32_t node = 0; node < 2; node++) {
            const struct far_call call = {
                .comm = 41, .number = i, .flags = FAR_CALL_ASK | FAR_CALL_PAIRS};
            disagree_take(disagree, node, &call, 0);
        }
        judge(disagree, 0, json_pack("[i]", 0), json_pack("[i]", 2));
    }
    assert_int_equal(disagree_open(disagree), ROOM);
    assert_int_equal(disagree_unpaired(disagree), MORE);
    assert_int_equal(disagree_dropped(disagree), 0);
    disagree_give_up(disagree);
    free(disagree);
}

/* Where ranks of one node differ, one of them reports it. If none has within a second, `mpipp run' does. */
static void within_a_node(void **state)
{
    (void)state;
    for (int is_told = 0; is_told < 2; is_told++) {
        struct disagree *disagree = disagree_of(FAR_CALL_ASK);
        int64_t time = 1;
        for (; time < 1001; time += 20) {
            assert_int_equal(judge(disagree, time, json_pack("[i]", 0), json_pack("[i, i]", 2, 9)),
                             DISAGREE_AGREE);
            assert_false(is_due(disagree, time + 19));
        }
        now.is_told = is_told;
        assert_int_equal(judge(disagree, time, json_pack("[i]", 0), json_pack("[i, i]", 2, 9)),
                         is_told ? DISAGREE_TOLD : DISAGREE_DIFFERS);
        now.is_told = false;
        assert_int_equal(disagree_open(disagree), 0);
        free(disagree);
    }
}

/* Of an agent that is lost nothing is waited for: the others have two seconds. */
static void lost_agent(void **state)
{
    (void)state;
    struct disagree *disagree = disagree_of(FAR_CALL_ASK);
    struct far_call call;
    json_t *record;
    uint32_t ticket;
    assert_true(disagree_next(disagree, 0, 3, &call, &ticket));
    disagree_answer(disagree, ticket, json_pack("[i]", 0));
    disagree_answer(disagree, ticket, json_pack("[i]", 9));
    assert_int_equal(disagree_result(disagree, 59999, &call, &record), DISAGREE_NOTHING);
    assert_true(disagree_is_busy(disagree, 0));
    disagree_lose(disagree, 10000);
    assert_int_equal(disagree_result(disagree, 11999, &call, &record), DISAGREE_NOTHING);
    assert_int_equal(disagree_result(disagree, 12000, &call, &record), DISAGREE_DIFFERS);
    json_decref(record);
    free(disagree);
}

/* A call that two nodes have told of: the answers do, or do not, have those of both. */
static void gone_calls(void **state)
{
    (void)state;
    for (size_t known = 0; known < 3; known++) {
        struct disagree *disagree = disagree_new();
        for (uint32_t node = 0; node < 2; node++) {
            const struct far_call call = call_of(1, node);
            disagree_take(disagree, node, &call, 0);
        }
        struct far_call call;
        json_t *record;
        uint32_t ticket;
        assert_true(disagree_next(disagree, 0, 3, &call, &ticket));
        for (size_t node = 0; node < 3; node++) {
            disagree_answer(disagree, ticket,
                            node < known ? json_pack("[i]", (int)node) : json_array());
        }
        assert_int_equal(disagree_result(disagree, 0, &call, &record), DISAGREE_AGREE);
        assert_null(record);
        assert_int_equal(disagree_open(disagree), 0);
        assert_int_equal(disagree_dropped(disagree), known < 2);
        free(disagree);
    }
}

/* The calls of one communicator, one after the other, of which the last one of all differs. */
static void many_calls(void **state)
{
    (void)state;
    enum { AHEAD = 100000 };
    struct disagree *disagree = disagree_new();
    struct far_call call = {.comm = st_hash_word(41, 1)};
    for (call.number = 1; call.number <= AHEAD; call.number++) {
        assert_true(disagree_take(disagree, 0, &call, 0));
    }
    for (call.number = 1; call.number <= AHEAD; call.number++) {
        call.digest = call.number == AHEAD;
        assert_false(disagree_take(disagree, 1, &call, 0));
    }
    assert_int_equal(disagree_open(disagree), 1);
    disagree_give_up(disagree);
    free(disagree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_communicators), cmocka_unit_test(many_calls),
        cmocka_unit_test(gone_calls),         cmocka_unit_test(late_ranks),
        cmocka_unit_test(absent_ranks),       cmocka_unit_test(more_than_room),
        cmocka_unit_test(within_a_node),      cmocka_unit_test(lost_agent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
