/* Blocks of collective calls (cmd/nodes/blocks.h) of nodes that look at different times: all calls are compared, and the one
 * that differs is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../../cmd/nodes/blocks.h"
#include "../../../cmd/nodes/packed.h"

enum { NODES = 4, COMMS = 3, CALLS = 200 };

/* Instead of disagree.c: what the first node has said of each call, and whether another has said something else. */
struct disagree {
    bool is_known[COMMS][CALLS + 1];
    uint64_t digests[COMMS][CALLS + 1];
    unsigned differing;
    uint64_t comm, number; /* of the last one that differs */
};

bool disagree_digest(const struct disagree *disagree, uint64_t comm, uint64_t number,
                     uint64_t *digest)
{
    if (number > CALLS || !disagree->is_known[comm][number]) {
        return false;
    }
    *digest = disagree->digests[comm][number];
    return true;
}

bool disagree_has_ended(const struct disagree *disagree, uint64_t comm)
{
    (void)disagree;
    (void)comm;
    return false;
}

static bool take_call(struct disagree *disagree, const struct far_call *call)
{
    if (!disagree->is_known[call->comm][call->number]) {
        disagree->is_known[call->comm][call->number] = true;
        disagree->digests[call->comm][call->number] = call->digest;
        return true;
    }
    if (disagree->digests[call->comm][call->number] != call->digest) {
        disagree->differing++;
        disagree->comm = call->comm;
        disagree->number = call->number;
    }
    return false;
}

struct job {
    struct blocks *blocks;
    struct disagree disagree;
    unsigned wrong_node; /* NODES: none */
    uint64_t wrong_comm, wrong_number;
    uint64_t last[NODES][COMMS]; /* number of the last call that was told */
    uint64_t end[NODES][COMMS];
    unsigned asked;
};

static uint64_t digest_of(const struct job *job, unsigned node, uint64_t comm, uint64_t number)
{
    return (comm + 1) * 1000003 * number +
           (node == job->wrong_node && comm == job->wrong_comm && number == job->wrong_number);
}

static void take_bytes(struct job *job, unsigned node, struct far_call *list, size_t count,
                       bool with_blocks)
{
    size_t length;
    char *bytes = packed_calls(list, count, with_blocks, &length);
    struct packed_reader reader = {.body = bytes, .length = length};
    struct far_run run;
    const char *words;
    while (packed_run(&reader, &run, &words)) {
        if (run.flags & FAR_RUN_BLOCKS) {
            assert_true(with_blocks);
            blocks_take(job->blocks, &job->disagree, node, &run, words);
            continue;
        }
        for (uint32_t i = 0; i < run.count; i++) {
            struct far_call call = {.comm = run.comm, .number = run.first + i, .flags = run.flags};
            memcpy(&call.digest, words + i * sizeof call.digest, sizeof call.digest);
            if (take_call(&job->disagree, &call)) {
                blocks_see(job->blocks, &call);
            }
        }
    }
    assert_int_equal(reader.at, length);
    free(bytes);
}

/* A node tells some of its next calls, of all communicators in turn. */
static void tell_some(struct job *job, unsigned node)
{
    struct far_call list[COMMS * CALLS];
    size_t count = 0;
    for (int left = rand() % 60; left > 0; left--) {
        const uint64_t comm = (uint64_t)rand() % COMMS;
        if (job->last[node][comm] < job->end[node][comm]) {
            const uint64_t number = ++job->last[node][comm];
            list[count++] = (struct far_call){comm, number, digest_of(job, node, comm, number), 0};
        }
    }
    take_bytes(job, node, list, count, true);
}

static void answer_all(struct job *job)
{
    uint32_t node;
    struct far_call block;
    while (blocks_next(job->blocks, &job->disagree, &node, &block)) {
        struct far_call list[FAR_BLOCK];
        job->asked++;
        for (uint64_t i = 0; i < FAR_BLOCK; i++) {
            const uint64_t number = block.number + i;
            list[i] =
                (struct far_call){block.comm, number, digest_of(job, node, block.comm, number), 0};
        }
        take_bytes(job, node, list, FAR_BLOCK, false);
    }
}

static void play(struct job *job)
{
    *job = (struct job){.blocks = blocks_new(), .wrong_node = (unsigned)rand() % (NODES + 1)};
    job->wrong_comm = (uint64_t)rand() % COMMS;
    job->wrong_number = 1 + (uint64_t)rand() % CALLS;
    for (unsigned node = 0; node < NODES; node++) {
        for (uint64_t comm = 0; comm < COMMS; comm++) { /* some end in the midst of it */
            job->end[node][comm] = rand() % 3 != 0 ? CALLS : (uint64_t)rand() % CALLS;
        }
    }
    for (int turn = 0; turn < 100; turn++) {
        tell_some(job, (unsigned)rand() % NODES);
        answer_all(job);
    }
    for (unsigned node = 0; node < NODES; node++) {
        for (int turn = 0; turn < 60; turn++) {
            tell_some(job, node);
        }
    }
    answer_all(job);
    assert_int_equal(blocks_open(job->blocks), 0);
    assert_int_equal(blocks_dropped(job->blocks), 0);
}

/* How many nodes have told the call that differs in one of them. */
static unsigned told_by(const struct job *job)
{
    unsigned count = 0;
    for (unsigned node = 0; node < NODES; node++) {
        count += job->last[node][job->wrong_comm] >= job->wrong_number;
    }
    return count;
}

static void all_are_compared(void **state)
{
    static struct job job;
    unsigned found = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 3000; seed++) {
        srand(seed);
        play(&job);
        const bool is_told = job.wrong_node < NODES && told_by(&job) > 1 &&
                             job.last[job.wrong_node][job.wrong_comm] >= job.wrong_number;
        assert_int_equal(job.disagree.differing != 0, is_told);
        if (is_told) {
            assert_int_equal(job.disagree.comm, job.wrong_comm);
            assert_int_equal(job.disagree.number, job.wrong_number);
        }
        found += is_told;
        free(job.blocks);
    }
    assert_in_range(found, 1000, 2999);
}

/* Nodes that tell the same blocks, and agree, are asked nothing. */
static void equal_blocks(void **state)
{
    static struct job job;
    (void)state;
    job = (struct job){.blocks = blocks_new(), .wrong_node = NODES};
    for (unsigned node = 0; node < NODES; node++) {
        struct far_call list[CALLS];
        for (uint64_t i = 0; i < CALLS; i++) {
            list[i] = (struct far_call){1, i + 1, digest_of(&job, node, 1, i + 1), 0};
        }
        take_bytes(&job, node, list, CALLS, true);
    }
    answer_all(&job);
    assert_int_equal(job.asked, 0);
    free(job.blocks);
}

/* Calls with flags are in no block; nor are those of blocks that are not whole. */
static void packs(void **state)
{
    struct far_call list[40], call;
    size_t length;
    unsigned blocks = 0, calls = 0;
    bool is_block;
    (void)state;
    for (uint64_t i = 0; i < 40; i++) { /* 3 to 42 */
        list[39 - i] = (struct far_call){7, i + 3, i, i == 37 ? FAR_CALL_ASK : 0};
    }
    char *bytes = packed_calls(list, 40, true, &length);
    struct packed_reader reader = {.body = bytes, .length = length};
    while (packed_next(&reader, &call, &is_block)) {
        blocks += is_block;
        calls += !is_block;
        assert_true(!is_block || call.number == 17);
        assert_true(is_block || call.digest == call.number - 3);
        assert_int_equal(call.flags, call.number == 40 ? FAR_CALL_ASK : 0);
    }
    assert_int_equal(blocks, 1);
    assert_int_equal(calls, 24);
    for (size_t shorter = 0; shorter < length; shorter++) { /* damaged: less, and not beyond */
        char *cut = malloc(shorter + 1);
        memcpy(cut, bytes, shorter);
        reader = (struct packed_reader){.body = cut, .length = shorter};
        for (calls = 0; packed_next(&reader, &call, &is_block); calls++)
            ;
        assert_in_range(calls, 0, 24);
        free(cut);
    }
    free(bytes);
}

static bool keeps_some(void *context, const struct far_call *call)
{
    const bool is_block = (call->flags & FAR_RUN_BLOCKS) != 0;
    (void)context;
    return is_block ? call->number == 17 : call->number % 3 == 0;
}

/* Of calls and blocks those that are kept, as they were. */
static void keeps(void **state)
{
    struct far_call list[60], call;
    size_t length, kept;
    unsigned blocks = 0, calls = 0;
    bool is_block;
    (void)state;
    for (uint64_t i = 0; i < 60; i++) { /* 1 to 60: blocks from 1, 17 and 33 on, and 12 calls */
        list[i] = (struct far_call){7, i + 1, i, 0};
    }
    char *bytes = packed_calls(list, 60, true, &length);
    char *some = packed_kept(bytes, length, keeps_some, NULL, &kept);
    struct packed_reader reader = {.body = some, .length = kept};
    while (packed_next(&reader, &call, &is_block)) {
        blocks += is_block;
        calls += !is_block;
        assert_int_equal(call.comm, 7);
        assert_true(is_block ? call.number == 17
                             : call.number % 3 == 0 && call.digest == call.number - 1);
    }
    assert_int_equal(blocks, 1);
    assert_int_equal(calls, 4);
    free(some);
    for (size_t shorter = 0; shorter < length; shorter++) { /* damaged: less, and not beyond */
        char *cut = malloc(shorter + 1);
        memcpy(cut, bytes, shorter);
        free(packed_kept(cut, shorter, keeps_some, NULL, &kept));
        free(cut);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps),
        cmocka_unit_test(packs),
        cmocka_unit_test(equal_blocks),
        cmocka_unit_test(all_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
