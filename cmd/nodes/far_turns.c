/* SPDX-License-Identifier: BSD-3-Clause */
#include "far_turns.h"

#include <stdlib.h>
#include <string.h>

#include "../watch/turns.h"
#include "../words.h"
#include "nodes_internal.h"

/* --- in an agent ----------------------------------------------------------------------------------- */

enum { MOST_AT_ONCE = 1 << 15 /* turns of all ranks */ };

struct turn_scan {
    uint64_t told[ST_SEGMENT_RANKS]; /* turns of each rank */
};

struct turn_scan *turn_scan_new(void)
{
    return zeroed(1, sizeof(struct turn_scan));
}

/* Writes those of a rank that are new, at most MOST of them. */
static void write_turns(struct turn_scan *scan, const struct shared *shared, uint32_t rank,
                        size_t most, FILE *file)
{
    static struct st_order_turn turns[ST_ORDER_TURNS];
    const struct st_rank_area *area = shared_area(shared, rank);
    uint64_t first;
    if (area == NULL ||
        __atomic_load_n(&area->orders.written, __ATOMIC_ACQUIRE) == scan->told[rank]) {
        return;
    }
    const size_t count = st_order_read_from(&area->orders, turns, &first);
    const uint64_t end = first + count;
    const uint64_t fresh =
        end - first < end - scan->told[rank] ? end - first : end - scan->told[rank];
    const uint64_t taken = fresh < most ? fresh : most;
    if (taken == 0 || end < scan->told[rank]) {
        return;
    }
    const struct far_turns head = {.pid = shared->ranks[rank].pid,
                                   .first = end - taken,
                                   .index = rank,
                                   .count = (uint32_t)taken};
    fwrite(&head, sizeof head, 1, file);
    fwrite(turns + (count - taken), sizeof *turns, taken, file);
    scan->told[rank] = end;
}

char *turn_scan_take(struct turn_scan *scan, size_t *length)
{
    struct shared shared = {0};
    char *bytes = NULL;
    *length = 0;
    FILE *file = shared_map(&shared) ? open_memstream(&bytes, length) : NULL;
    for (uint32_t i = 0; file != NULL && i < shared.rank_count; i++) {
        write_turns(scan, &shared, i, MOST_AT_ONCE / shared.rank_count, file);
    }
    if (file != NULL && (fclose(file) != 0 || *length == 0)) {
        free(bytes);
        bytes = NULL;
    }
    if (shared.bytes != NULL) {
        shared_unmap(&shared);
    }
    return bytes;
}

json_t *turn_answer(const struct far_turn_request *request)
{
    struct shared shared = {0};
    if (!shared_map(&shared)) {
        return json_null();
    }
    json_t *described =
        request->index < shared.rank_count
            ? turn_described(&shared, request->index, &request->turn, request->number)
            : json_null();
    shared_unmap(&shared);
    return described;
}

/* --- in `mpipp run` -------------------------------------------------------------------------------- */

struct rank_turns {
    uint32_t index; /* of the rank in the memory of its node */
    uint64_t end;   /* turns, ever */
    size_t count;
    struct st_order_turn list[ST_ORDER_TURNS];
};

/* Adds turns. What comes after a gap stands alone: the end of a turn is in the one after it. */
static void add_turns(struct rank_turns *turns, const struct far_turns *head, const char *list)
{
    const size_t count = head->count < ST_ORDER_TURNS ? head->count : ST_ORDER_TURNS;
    const size_t skipped = head->count - count;
    if (head->first != turns->end || skipped != 0) {
        turns->count = 0;
    }
    const size_t kept =
        turns->count + count > ST_ORDER_TURNS ? ST_ORDER_TURNS - count : turns->count;
    memmove(turns->list, turns->list + (turns->count - kept), kept * sizeof *turns->list);
    memcpy(turns->list + kept, list + skipped * sizeof *turns->list, count * sizeof *turns->list);
    turns->count = kept + count;
    turns->end = head->first + head->count;
    turns->index = head->index;
}

void far_take_turns(struct node *node, const char *body, size_t length)
{
    while (length >= sizeof(struct far_turns)) {
        struct far_turns head;
        memcpy(&head, body, sizeof head);
        body += sizeof head;
        length -= sizeof head;
        if (head.count > length / sizeof(struct st_order_turn)) {
            return;
        }
        struct far_rank *rank = nodes_find_rank(node->host, head.pid);
        if (rank != NULL && rank->node == node && head.count != 0) {
            rank->turns = rank->turns != NULL ? rank->turns : zeroed(1, sizeof *rank->turns);
            add_turns(rank->turns, &head, body);
        }
        body += head.count * sizeof(struct st_order_turn);
        length -= head.count * sizeof(struct st_order_turn);
    }
}

/* The turns of all ranks. */
static size_t count_kept(void)
{
    size_t count = 0;
    for (size_t i = 0; i < nodes_all.count; i++) {
        for (size_t k = 0; k < nodes_all.nodes[i]->rank_count; k++) {
            const struct rank_turns *turns = nodes_all.nodes[i]->ranks[k]->turns;
            count += turns != NULL ? turns->count : 0;
        }
    }
    return count;
}

struct far_order *far_list_orders(size_t *count)
{
    const size_t most = nodes_all.table_count + 1;
    struct far_order *list =
        zeroed(1, most * sizeof *list + count_kept() * sizeof(struct st_order_turn));
    struct st_order_turn *at = (void *)(list + most);
    *count = 0;
    for (size_t i = 0; i < nodes_all.count; i++) {
        const struct node *node = nodes_all.nodes[i];
        for (size_t k = 0; k < node->rank_count; k++) {
            struct far_rank *rank = node->ranks[k];
            if (rank->turns == NULL) {
                continue;
            }
            memcpy(at, rank->turns->list, rank->turns->count * sizeof *at);
            list[(*count)++] = (struct far_order){.far = rank,
                                                  .rank = rank->state.rank,
                                                  .pid = rank->state.pid,
                                                  .host = node->host,
                                                  .turns = at,
                                                  .count = rank->turns->count};
            at += rank->turns->count;
        }
    }
    return list;
}

uint64_t far_count_turns(void)
{
    uint64_t count = 0;
    for (size_t i = 0; i < nodes_all.count; i++) {
        for (size_t k = 0; k < nodes_all.nodes[i]->rank_count; k++) {
            const struct rank_turns *turns = nodes_all.nodes[i]->ranks[k]->turns;
            count += turns != NULL ? turns->end : 0;
        }
    }
    return count;
}

json_t *far_turn(struct far_rank *far, const struct st_order_turn *turn, uint64_t number)
{
    const struct far_turn_request request = {
        .turn = *turn, .number = number, .index = far->turns->index};
    size_t length = 0;
    char *bytes = far_ask(far->node, NODE_TURN, &request, sizeof request, &length);
    json_t *described = bytes != NULL ? json_loadb(bytes, length, 0, NULL) : NULL;
    free(bytes);
    return described;
}
