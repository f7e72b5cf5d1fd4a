/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes_internal.h"

void matched_scan(int64_t now)
{
    size_t count;
    const struct far_sums *list = exchange_scan_take(nodes_all.exchange, &count);
    for (size_t i = 0; i < count; i++) {
        matching_take(nodes_all.matching, &list[i], now);
    }
}

void matched_step(struct findings *findings, int64_t now)
{
    struct far_question question;
    uint32_t ticket;
    json_t *record;
    while (matching_next(nodes_all.matching, now, &question, &ticket)) {
        for (size_t i = 0; i < nodes_all.count; i++) {
            if (nodes_all.nodes[i]->is_known) {
                nodes_tell(nodes_all.nodes[i], NODE_QUESTION, ticket, &question, sizeof question);
            }
        }
        matching_answer(nodes_all.matching, ticket, exchange_list(&question));
    }
    while ((record = matching_record(nodes_all.matching, now)) != NULL) {
        compared_add_record(findings, record);
        json_decref(record);
    }
}
