/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes_internal.h"

#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "../watch/memory.h"
#include "../words.h"

enum {
    TO_ANSWER = 2000,      /* milliseconds: an agent that does not answer in this time */
    MOST_TO_ANSWER = 6000, /* milliseconds, where answers of others still come */
    DEAF = 10000,          /* is asked nothing for this one */
    MOST_READ = 16 << 20   /* bytes */
};

/* --- answers ---------------------------------------------------------------------------------- */

static void take_one(struct node *node, uint32_t ticket, struct states *states,
                     const struct states_one *one)
{
    struct far_rank *rank = nodes_find_rank(node->host, one->pid);
    if (rank == NULL || rank->node != node || rank->asked != ticket || ticket == 0) {
        return;
    }
    rank->asked = 0;
    nodes_all.examining--;
    if (one->is_read) {
        nodes_all.taken(nodes_all.context, rank->place, states, one);
    }
}

void far_take_examined(struct node *node, uint32_t ticket, const char *body, size_t length)
{
    struct states *states = states_read(body, length);
    nodes_all.damaged += states == NULL;
    for (size_t i = 0; states != NULL && i < states->count; i++) {
        take_one(node, ticket, states, &states->list[i]);
    }
    states_drop(states);
}

/* Keeps an answer that somebody waits for. */
void far_take_answer(uint32_t ticket, const char *body, size_t length)
{
    if (ticket == 0 || ticket != nodes_all.wanted) {
        return;
    }
    nodes_all.answer = zeroed(length + 1, 1);
    memcpy(nodes_all.answer, body, length);
    nodes_all.answer_length = length;
    nodes_all.wanted = 0;
}

/* --- questions -------------------------------------------------------------------------------- */

char *far_ask(struct node *node, enum node_kind kind, const void *body, size_t size, size_t *length)
{
    const int64_t begun = clock_ms();
    if (node->is_silent || begun < node->deaf_until) {
        return NULL;
    }
    const uint32_t ticket = ++nodes_all.tickets;
    nodes_all.wanted = ticket;
    nodes_all.answer = NULL;
    if (nodes_tell(node, kind, ticket, body, size)) {
        for (int64_t now = begun; nodes_all.wanted != 0 && now - begun < TO_ANSWER;
             now = clock_ms()) {
            nodes_take_messages((int)(TO_ANSWER - (now - begun)));
        }
    }
    if (nodes_all.wanted != 0) {
        nodes_all.wanted = 0;
        node->deaf_until = clock_ms() + DEAF;
        return NULL;
    }
    *length = nodes_all.answer_length;
    return nodes_all.answer;
}

/* Asks for whole pages, and keeps them. */
static bool fetch_pages(struct far_rank *far, uint64_t address, size_t length)
{
    const uint64_t from = address / IMAGE_PAGE * IMAGE_PAGE;
    const uint64_t to = (address + length + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE;
    const struct far_read_request what = {far->state.pid, from, to - from};
    size_t got = 0;
    char *bytes = far_ask(far->node, NODE_READ, &what, sizeof what, &got);
    const bool is_whole = bytes != NULL && got == to - from;
    for (uint64_t page = from; is_whole && page < to; page += IMAGE_PAGE) {
        image_touch(&far->image, page, bytes + (page - from), 0, IMAGE_PAGE);
    }
    free(bytes);
    return is_whole;
}

bool far_read(struct far_rank *far, uint64_t address, void *buffer, size_t length)
{
    if (length == 0 || image_read(&far->image, address, buffer, length)) {
        return true;
    }
    return length <= MOST_READ && address + length + IMAGE_PAGE > address &&
           fetch_pages(far, address, length) && image_read(&far->image, address, buffer, length);
}

bool far_place(struct far_rank *far, uint64_t address, struct memory_place *place)
{
    const struct far_read_request what = {.pid = far->state.pid, .address = address};
    struct far_placed placed = {0};
    size_t length = 0;
    char *answer = far_ask(far->node, NODE_PLACE, &what, sizeof what, &length);
    bool is_known = answer != NULL && length >= sizeof placed;
    if (is_known) {
        memcpy(&placed, answer, sizeof placed);
        is_known = placed.is_known && placed.length < sizeof place->path &&
                   length == sizeof placed + placed.length;
    }
    if (is_known) {
        place->offset = placed.offset;
        memcpy(place->path, answer + sizeof placed, placed.length);
        place->path[placed.length] = '\0';
    }
    free(answer);
    return is_known;
}

/* Asks for those of its ranks that have this ticket. */
static void ask_node_to_examine(struct node *node, uint32_t ticket)
{
    int64_t *pids = zeroed(node->rank_count + 1, sizeof *pids);
    size_t pid_count = 0;
    for (size_t i = 0; i < node->rank_count; i++) {
        if (node->ranks[i]->asked == ticket) {
            pids[pid_count++] = node->ranks[i]->state.pid;
        }
    }
    if (pid_count != 0) {
        nodes_tell(node, NODE_EXAMINE, ticket, pids, pid_count * sizeof *pids);
    }
    free(pids);
}

static bool is_asked_now(const struct node *node, int64_t now)
{
    return !node->is_silent && now >= node->deaf_until;
}

/* Waits for the answers: for so long after the last one, and in a large job no longer than MOST_TO_ANSWER in all. */
static void wait_for_examined(int64_t begun)
{
    int64_t heard = begun;
    for (int64_t now = begun;
         nodes_all.examining != 0 && now - heard < TO_ANSWER && now - begun < MOST_TO_ANSWER;
         now = clock_ms()) {
        const size_t open = nodes_all.examining;
        nodes_take_messages((int)(TO_ANSWER - (now - heard)));
        heard = nodes_all.examining < open ? clock_ms() : heard;
    }
}

void far_examine(struct far_rank *const *list, size_t count, far_taken_fn *taken, void *context)
{
    const uint32_t ticket = ++nodes_all.tickets;
    const int64_t begun = clock_ms();
    nodes_all.taken = taken;
    nodes_all.context = context;
    nodes_all.examining = 0;
    for (size_t i = 0; i < count; i++) {
        list[i]->place = (uint32_t)i;
        list[i]->asked = is_asked_now(list[i]->node, begun) ? ticket : 0;
        nodes_all.examining += list[i]->asked != 0;
    }
    for (size_t i = 0; i < nodes_all.count; i++) {
        if (is_asked_now(nodes_all.nodes[i], begun)) {
            ask_node_to_examine(nodes_all.nodes[i], ticket);
        }
    }
    wait_for_examined(begun);
    for (size_t i = 0; i < count; i++) {
        if (list[i]->asked != 0) {
            list[i]->asked = 0;
            list[i]->node->deaf_until = clock_ms() + DEAF;
        }
    }
}

void far_forget(struct far_rank *far)
{
    image_clear(&far->image);
}
