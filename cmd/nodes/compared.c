/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes_internal.h"

#include <stdlib.h>
#include <string.h>

#include "../say.h"
#include "packed.h"

#define OWN_NODE (UINT32_MAX - 1)

enum {
    /* Milliseconds in which further ranks may come to a call that differs, after those of NODE_TO_COME. */
    TO_ASK = 2,
    TO_ASK_OF_BLOCK = 0, /* of these some have passed already */
    MOST_ASKED = 256     /* blocks of one question */
};

/* Lets all nodes know what the flags of a call say. */
static void spread_flags(const struct far_call *call)
{
    calls_tell(call);
    nodes_tell_all(NODE_TOLD, call, sizeof *call);
}

static void take_run(uint32_t node, const struct far_run *run, const char *words, int64_t due)
{
    struct far_call call = {.comm = run->comm, .flags = run->flags};
    for (uint32_t i = 0; i < run->count; i++) {
        call.number = run->first + i;
        memcpy(&call.digest, words + i * sizeof call.digest, sizeof call.digest);
        if (call.flags & FAR_CALL_ENDED) {
            spread_flags(&call);
        }
        if (disagree_take(nodes_all.disagree, node, &call, due)) {
            blocks_see(nodes_all.blocks, &call);
        }
    }
}

/* WAIT: milliseconds until nodes are asked about a call that differs. */
static size_t take_calls(uint32_t node, const char *body, size_t length, int64_t now, int64_t wait)
{
    struct packed_reader reader = {.body = body, .length = length};
    struct far_run run;
    const char *words;
    size_t count = 0;
    for (; packed_run(&reader, &run, &words); count += run.count) {
        if (run.flags & FAR_RUN_BLOCKS) {
            blocks_take(nodes_all.blocks, nodes_all.disagree, node, &run, words);
        } else {
            take_run(node, &run, words, now + wait);
        }
    }
    return count;
}

void compared_take(uint32_t node, const char *body, size_t length, int64_t now)
{
    take_calls(node, body, length, now, TO_ASK);
}

void compared_take_blocks(uint32_t node, size_t blocks, const char *body, size_t length,
                          int64_t now)
{
    const size_t count = take_calls(node, body, length, now, TO_ASK_OF_BLOCK);
    blocks = blocks < nodes_all.blocks_asked ? blocks : nodes_all.blocks_asked;
    nodes_all.blocks_asked -= blocks;
    nodes_all.blocks_missed += count < blocks * FAR_BLOCK ? blocks * FAR_BLOCK - count : 0;
}

static size_t known_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < nodes_all.count; i++) {
        count += nodes_all.nodes[i]->is_known && !nodes_all.nodes[i]->is_silent;
    }
    return count;
}

void compared_scan(int64_t now)
{
    size_t length = 0;
    char *bytes = call_scan_take(nodes_all.scan, &length);
    compared_take(OWN_NODE, bytes, length, now);
    free(bytes);
}

static void ask_node_for_blocks(uint32_t node, const struct far_call *blocks, size_t count,
                                int64_t now)
{
    nodes_all.blocks_asked += count;
    if (node == OWN_NODE) {
        size_t length = 0;
        char *bytes = call_scan_blocks(nodes_all.scan, blocks, count, &length);
        compared_take_blocks(node, count, bytes, length, now);
        free(bytes);
    } else if (!nodes_tell(nodes_all.nodes[node], NODE_EXPAND, (uint32_t)count, blocks,
                           count * sizeof *blocks)) {
        compared_take_blocks(node, count, NULL, 0, now);
    }
}

/* Asks for the calls of blocks that have to be compared one by one: each node once for all of them. */
static void ask_for_blocks(int64_t now)
{
    static struct far_call blocks[MOST_ASKED];
    static uint32_t nodes[MOST_ASKED];
    size_t count = 0;
    while (count < MOST_ASKED &&
           blocks_next(nodes_all.blocks, nodes_all.disagree, &nodes[count], &blocks[count])) {
        count++;
    }
    for (size_t i = 0, same; i < count; i += same) {
        same = 1;
        for (size_t k = i + 1; k < count; k++) {
            if (nodes[k] == nodes[i]) { /* side by side with the others */
                const struct far_call block = blocks[k];
                nodes[k] = nodes[i + same];
                blocks[k] = blocks[i + same];
                nodes[i + same] = nodes[i];
                blocks[i + same] = block;
                same++;
            }
        }
        ask_node_for_blocks(nodes[i], &blocks[i], same, now);
    }
}

bool compared_is_busy(int64_t now)
{
    return nodes_all.blocks_asked != 0 || disagree_is_busy(nodes_all.disagree, now);
}

size_t compared_hurry(void)
{
    return blocks_open(nodes_all.blocks) + disagree_hurry(nodes_all.disagree) +
           nodes_all.blocks_asked;
}

void compared_give_up(void)
{
    nodes_all.blocks_missed += FAR_BLOCK * (nodes_all.blocks_asked + blocks_open(nodes_all.blocks));
    nodes_all.blocks_asked = 0;
    disagree_give_up(nodes_all.disagree);
}

void compared_add_record(struct findings *findings, const json_t *record)
{
    const int64_t pid = json_integer_value(json_object_get(record, "pid"));
    const int rank = (int)json_integer_value(json_object_get(record, "rank"));
    char *line = json_dumps(record, JSON_COMPACT);
    for (size_t i = 0; i < findings->process_count && line != NULL; i++) {
        const struct process *process = findings->processes[i];
        if (process->pid == pid && process->rank == rank) {
            findings_line(findings, process->key, line, strlen(line));
            break;
        }
    }
    free(line);
}

void compared_step(struct findings *findings, int64_t now)
{
    struct far_call call;
    uint32_t ticket;
    json_t *record;
    ask_for_blocks(now);
    while (disagree_next(nodes_all.disagree, now, known_count() + 1, &call, &ticket)) {
        for (size_t i = 0; i < nodes_all.count; i++) {
            if (nodes_all.nodes[i]->is_known) {
                nodes_tell(nodes_all.nodes[i], NODE_DETAILS, ticket, &call, sizeof call);
            }
        }
        disagree_answer(nodes_all.disagree, ticket, calls_with(call.comm, call.number));
    }
    for (enum disagree_result result;
         (result = disagree_result(nodes_all.disagree, now, &call, &record)) != DISAGREE_NOTHING;) {
        if (result == DISAGREE_DIFFERS) {
            const char *id = json_string_value(json_object_get(record, "id"));
            call.flags = FAR_CALL_TOLD |
                         (id != NULL && strcmp(id, "collective-call") == 0 ? FAR_CALL_ENDED : 0u);
            compared_add_record(findings, record);
        }
        if (result == DISAGREE_TOLD) {
            call.flags = FAR_CALL_TOLD;
        }
        if (result != DISAGREE_AGREE) {
            spread_flags(&call);
        }
        json_decref(record);
    }
}

/* Says how many calls were not compared because agents were too slow. */
void compared_say_missed(void)
{
    unsigned long long missed = call_scan_missed(nodes_all.scan) +
                                disagree_dropped(nodes_all.disagree) +
                                blocks_dropped(nodes_all.blocks) + nodes_all.blocks_missed;
    for (size_t i = 0; i < nodes_all.count; i++) {
        missed += (unsigned long long)json_integer_value(
            json_object_get(nodes_all.nodes[i]->ends, "missed"));
    }
    if (disagree_unpaired(nodes_all.disagree) != 0) {
        warn("in %lu collective calls the data from rank to rank could not be compared between "
             "nodes",
             disagree_unpaired(nodes_all.disagree));
    }
    if (missed != 0) {
        warn("%llu collective call%s came too fast to be compared between nodes", missed,
             missed == 1 ? "" : "s");
    }
}
