/* SPDX-License-Identifier: BSD-3-Clause */
#include "branch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "core/agree/collective.h"
#include "link.h"
#include "packed.h"

enum {
    LOG2_PASSED = 13,
    TO_GATHER = NODE_TO_COME / 2, /* milliseconds for the other agents' messages of a turn */
    MOST_KEPT = 16 << 20,         /* bytes, while `mpipp run' is not heard */
    ALIGNMENT = 8
};

struct branch {
    struct link *link;
    struct job_key key;
    char *up; /* messages to be passed on */
    size_t length, room;
    bool is_sent;   /* it was passed on, and is not there any more at the next branch_take() */
    bool is_urgent; /* an answer is among them */
    int64_t due;
    uint64_t dropped;                         /* messages that were not kept */
    struct far_call passed[1 << LOG2_PASSED]; /* calls and blocks, as they were passed on last */
};

/* --- what was passed on -------------------------------------------------------------------------- */

/* Calls with flags are always passed on: `mpipp run` counts the nodes that have come to them. */
static bool is_fresh(void *context, const struct far_call *call)
{
    struct branch *branch = context;
    const uint64_t step = call->flags & FAR_RUN_BLOCKS ? FAR_BLOCK : 1;
    struct far_call *passed = &branch->passed[st_collective_place(
        call->comm ^ call->flags, call->number / step, LOG2_PASSED)];
    if ((call->flags & ~(uint64_t)FAR_RUN_BLOCKS) != 0) {
        return true;
    }
    if (passed->comm == call->comm && passed->number == call->number &&
        passed->flags == call->flags && passed->digest == call->digest) {
        return false;
    }
    *passed = *call;
    return true;
}

char *branch_fresh(struct branch *branch, const char *calls, size_t length, size_t *fresh)
{
    return packed_kept(calls, length, is_fresh, branch, fresh);
}

void branch_forget(struct branch *branch)
{
    memset(branch->passed, 0, sizeof branch->passed);
}

/* --- opening ------------------------------------------------------------------------------------- */

struct branch *branch_open(const struct job_key *key, struct node_branch *where)
{
    const char *why;
    struct branch *branch = zeroed(1, sizeof *branch);
    branch->link = link_branch(key, &branch->key, &why);
    if (branch->link == NULL) {
        free(branch);
        return NULL;
    }
    *where = (struct node_branch){.addresses = ""};
    memcpy(where->server, branch->key.server, sizeof where->server);
    for (size_t i = 0, at = 0; branch->key.addresses[i] != NULL; i++) {
        const size_t length = strlen(branch->key.addresses[i]) + 1;
        if (at + length < sizeof where->addresses) {
            snprintf(where->addresses + at, sizeof where->addresses - at, "%s%s",
                     at != 0 ? "," : "", branch->key.addresses[i]);
            at += length - (at == 0);
        }
    }
    return branch;
}

void branch_close(struct branch *branch)
{
    if (branch != NULL) {
        link_close(branch->link);
        for (size_t i = 0; branch->key.addresses[i] != NULL; i++) {
            free((char *)(uintptr_t)branch->key.addresses[i]);
        }
        free(branch->up);
        free(branch);
    }
}

int branch_file(const struct branch *branch)
{
    return branch != NULL ? link_file(branch->link) : -1;
}

/* --- messages ------------------------------------------------------------------------------------ */

static void add_message(struct branch *branch, uint32_t child, const struct node_head *head,
                        const char *body, size_t length)
{
    const struct node_up up = {child, (uint32_t)(sizeof *head + length)};
    const size_t padded = (up.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (branch->length != 0 && branch->length + sizeof up + padded > MOST_KEPT) {
        branch->dropped++;
        return;
    }
    if (branch->length + sizeof up + padded > branch->room) {
        const size_t room = 2 * branch->room + sizeof up + padded;
        char *longer = realloc(branch->up, room);
        if (longer == NULL) {
            branch->dropped++;
            return;
        }
        branch->up = longer;
        branch->room = room;
    }
    char *at = branch->up + branch->length;
    memset(at, 0, sizeof up + padded);
    memcpy(at, &up, sizeof up);
    memcpy(at + sizeof up, head, sizeof *head);
    if (length != 0) {
        memcpy(at + sizeof up + sizeof *head, body, length);
    }
    branch->length += sizeof up + padded;
}

/* True for what comes again and again, and may wait for that of the others. */
static bool may_wait(const struct node_head *head)
{
    return (head->kind == NODE_CALLS && head->ticket == 0) || head->kind == NODE_RANKS ||
           head->kind == NODE_SUMS || head->kind == NODE_TURNS;
}

static void take_message(struct branch *branch, const struct link_message *message)
{
    struct node_head head;
    if (message->length < sizeof head) {
        return;
    }
    memcpy(&head, message->bytes, sizeof head);
    const char *body = message->bytes + sizeof head;
    const size_t length = message->length - sizeof head;
    branch->is_urgent |= !may_wait(&head);
    if (head.kind == NODE_CALLS && head.ticket == 0) {
        size_t left;
        char *fresh = branch_fresh(branch, body, length, &left);
        if (fresh != NULL) {
            add_message(branch, message->peer, &head, fresh, left);
        }
        free(fresh);
        return;
    }
    add_message(branch, message->peer, &head, body, length);
}

void branch_take(struct branch *branch, int64_t now)
{
    struct link_message message;
    if (branch == NULL) {
        return;
    }
    if (branch->is_sent) {
        branch->is_sent = false;
        branch->length = 0;
        branch->is_urgent = false;
    }
    const bool was_empty = branch->length == 0;
    while (link_receive(branch->link, 0, &message)) {
        take_message(branch, &message);
    }
    branch->due = was_empty ? now + TO_GATHER : branch->due;
}

int branch_wait(const struct branch *branch, int64_t now)
{
    if (branch == NULL || branch->is_sent || branch->length == 0) {
        return -1;
    }
    return branch->due > now && !branch->is_urgent ? (int)(branch->due - now) : 0;
}

const char *branch_up(struct branch *branch, int64_t now, size_t *length)
{
    if (branch_wait(branch, now) != 0) {
        return NULL;
    }
    branch->is_sent = true;
    *length = branch->length;
    return branch->up;
}

uint64_t branch_dropped(struct branch *branch)
{
    const uint64_t dropped = branch->dropped;
    branch->dropped = 0;
    return dropped;
}

void branch_down(struct branch *branch, const char *body, size_t length)
{
    struct node_up down;
    if (branch == NULL || length < sizeof down) {
        return;
    }
    memcpy(&down, body, sizeof down);
    if (down.length <= length - sizeof down && down.length >= sizeof(struct node_head)) {
        link_send(branch->link, down.child, body + sizeof down, down.length, NULL, 0);
    }
}

void branch_beat(struct branch *branch)
{
    const struct node_head beat = {NODE_BEAT, 0};
    for (uint32_t i = 0; branch != NULL && i < link_peers(branch->link); i++) {
        link_send(branch->link, i, &beat, sizeof beat, NULL, 0);
    }
}
