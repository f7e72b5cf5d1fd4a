/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes_internal.h"

#include <stdlib.h>
#include <string.h>

#include "../say.h"

enum { OWN_NODE = UINT32_MAX - 1 };

/* Lets all nodes know what the flags of a call say. */
static void spread_flags(const struct far_call *call)
{
    calls_tell(call);
    nodes_tell_all(NODE_TOLD, call, sizeof *call);
}

void compared_take(uint32_t node, const struct far_call *call, int64_t now)
{
    if (call->flags & FAR_CALL_ENDED) {
        spread_flags(call);
    }
    disagree_take(nodes_all.disagree, node, call, now);
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
    size_t count;
    const struct far_call *list = call_scan_take(nodes_all.scan, &count);
    for (size_t i = 0; i < count; i++) {
        compared_take(OWN_NODE, &list[i], now);
    }
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
    unsigned long long missed =
        call_scan_missed(nodes_all.scan) + disagree_dropped(nodes_all.disagree);
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
        warn("%llu collective calls came too fast to be compared between nodes", missed);
    }
}
