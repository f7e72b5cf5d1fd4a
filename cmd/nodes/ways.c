/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways between `mpipp run` and the agents: directly, or by other agents, to which it sends those that are too many. */
#include "nodes_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "../say.h"
#include "../words.h"

enum {
    DEEPEST = 8, /* agents on a way: 32 times as many ranks for each */
    ALIGNMENT = 8
};

/* Agents that have come directly; those that have come by another agent are in its struct node. */
static struct node_list direct;

static size_t width(void)
{
    const char *text = getenv("MPIPP_NODE_WIDTH");
    const long number = text != NULL ? strtol(text, NULL, 10) : 0;
    return number > 0 ? (size_t)number : NODE_WIDTH;
}

/* --- sending --------------------------------------------------------------------------------------- */

static bool send_by(const struct node_way *way, const void *head, size_t head_length,
                    const void *body, size_t length)
{
    struct {
        struct node_head head;
        struct node_up up;
    } down = {{NODE_DOWN, 0}, {way->number, (uint32_t)(head_length + length)}};
    if (way->above == NULL) {
        return link_send(nodes_all.link, way->number, head, head_length, body, length);
    }
    char *whole = zeroed(head_length + length + 1, 1);
    memcpy(whole, head, head_length);
    if (length != 0) {
        memcpy(whole + head_length, body, length);
    }
    const bool sent = send_by(&way->above->way, &down, sizeof down, whole, head_length + length);
    free(whole);
    return sent;
}

bool nodes_tell(const struct node *node, enum node_kind kind, uint32_t ticket, const void *body,
                size_t length)
{
    const struct node_head head = {kind, ticket};
    return send_by(&node->way, &head, sizeof head, body, length);
}

/* Those that came later first: an agent that ends passes nothing on to them any more. */
void nodes_tell_all(enum node_kind kind, const void *body, size_t length)
{
    for (size_t i = nodes_all.count; i-- > 0;) {
        if (nodes_all.nodes[i]->is_known) {
            nodes_tell(nodes_all.nodes[i], kind, 0, body, length);
        }
    }
}

void ways_beat(void)
{
    for (size_t i = 0; i < nodes_all.count; i++) {
        const struct node *node = nodes_all.nodes[i];
        if (node->is_known && node->way.above == NULL) {
            nodes_tell(node, NODE_BEAT, 0, NULL, 0);
        }
    }
}

/* --- nodes ----------------------------------------------------------------------------------------- */

/* The place for the node with this number on a way. */
static struct node **place_on(struct node_list *list, uint32_t number)
{
    if (number >= list->count) {
        struct node **longer = realloc(list->nodes, (number + 1) * sizeof *longer);
        if (longer == NULL) {
            fail(1, "out of memory");
        }
        memset(longer + list->count, 0, (number + 1 - list->count) * sizeof *longer);
        list->nodes = longer;
        list->count = number + 1;
    }
    return &list->nodes[number];
}

static struct node *find_name(const char *name)
{
    for (size_t i = 0; i < nodes_all.count; i++) {
        if (strcmp(nodes_all.nodes[i]->name, name) == 0) {
            return nodes_all.nodes[i];
        }
    }
    return NULL;
}

static struct node *add_node(const char *name)
{
    struct node **longer = realloc(nodes_all.nodes, (nodes_all.count + 1) * sizeof *longer);
    struct node *node = zeroed(1, sizeof *node);
    if (longer == NULL) {
        fail(1, "out of memory");
    }
    nodes_all.nodes = longer;
    node->index = (uint32_t)nodes_all.count;
    node->name = text_of("%s", name);
    node->host = text_of("a node");
    nodes_all.nodes[nodes_all.count++] = node;
    return node;
}

/* The agent that says hello by a way: a new one, or one that came by another way before. */
static struct node *node_of(const struct node_way *way, const struct node_hello *hello)
{
    char unnamed[64] = "";
    if (hello->name[0] == '\0') { /* of another build */
        char *text = text_of(".%p %u", (const void *)way->above, way->number);
        strncpy(unnamed, text, sizeof unnamed - 1);
        free(text);
    }
    const char *name = unnamed[0] != '\0' ? unnamed : hello->name;
    struct node *node = find_name(name);
    if (node == NULL) {
        node = add_node(name);
    } else if (node->way.above != NULL && way->above == NULL) {
        node->is_back = true;
    }
    node->way = *way;
    return node;
}

/* --- the tree -------------------------------------------------------------------------------------- */

static void move_node(struct node *node, const struct node *above)
{
    node->waits_to_move = false;
    nodes_tell(node, NODE_MOVE, 0, above->branch, sizeof *above->branch);
}

/* Sends an agent to another one if there are enough already: the first ones have come directly, the next ones come by
 * these, and so on. */
static void place_node(struct node *node)
{
    const size_t most = width();
    if (node->index < most || node->is_placed || node->way.above != NULL) {
        return;
    }
    struct node *above = nodes_all.nodes[node->index / most - 1];
    node->is_placed = true;
    if (!above->is_known || above->is_silent) {
        return;
    }
    if (above->branch != NULL) {
        move_node(node, above);
        return;
    }
    node->waits_to_move = true;
    if (!above->is_branch) {
        above->is_branch = true;
        nodes_tell(above, NODE_BRANCH, 0, NULL, 0);
    }
}

static void take_branch(struct node *above, const char *body, size_t length)
{
    const size_t most = width();
    if (above->branch != NULL || length < sizeof *above->branch) {
        return;
    }
    above->branch = zeroed(1, sizeof *above->branch);
    memcpy(above->branch, body, sizeof *above->branch);
    above->branch->addresses[sizeof above->branch->addresses - 1] = '\0';
    for (size_t i = most * ((size_t)above->index + 1);
         i < nodes_all.count && i < most * ((size_t)above->index + 2); i++) {
        if (nodes_all.nodes[i]->waits_to_move) {
            move_node(nodes_all.nodes[i], above);
        }
    }
}

/* --- receiving ------------------------------------------------------------------------------------- */

static void take_by(const struct node_way *way, const char *bytes, size_t length, int64_t now,
                    unsigned depth);

/* The messages of agents that have come to another one. */
static void take_up(struct node *above, const char *body, size_t length, int64_t now,
                    unsigned depth)
{
    struct node_up up;
    while (length >= sizeof up) {
        memcpy(&up, body, sizeof up);
        const size_t padded = ((size_t)up.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (padded > length - sizeof up || up.child > UINT16_MAX) {
            return;
        }
        take_by(&(struct node_way){above, up.child}, body + sizeof up, up.length, now, depth + 1);
        body += sizeof up + padded;
        length -= sizeof up + padded;
    }
}

static void take_by(const struct node_way *way, const char *bytes, size_t length, int64_t now,
                    unsigned depth)
{
    struct node_head head;
    struct node_hello hello = {.protocol = 0};
    if (length < sizeof head || depth > DEEPEST) {
        return;
    }
    memcpy(&head, bytes, sizeof head);
    const char *body = bytes + sizeof head;
    length -= sizeof head;
    struct node **place = place_on(way->above != NULL ? &way->above->below : &direct, way->number);
    if (head.kind == NODE_HELLO && length >= offsetof(struct node_hello, name)) {
        memcpy(&hello, body, length < sizeof hello ? length : sizeof hello);
        hello.name[sizeof hello.name - 1] = '\0';
        *place = node_of(way, &hello);
    }
    struct node *node = *place;
    if (node == NULL) {
        const struct node_head who = {NODE_HELLO, 0};
        send_by(way, &who, sizeof who, NULL, 0);
        return;
    }
    node->heard = now;
    node->unheard = 0;
    node->is_silent = false;
    if (node->said_silent && node->ends == NULL) {
        node->said_silent = false;
        warn("the agent on %s is heard again", node->host);
    }
    switch (head.kind) {
    case NODE_HELLO:
        nodes_take_hello(node, &hello);
        if (node->is_known) {
            place_node(node);
        }
        break;
    case NODE_BRANCHES:
        take_branch(node, body, length);
        break;
    case NODE_UP:
        take_up(node, body, length, now, depth);
        break;
    default:
        nodes_take_message(node, &head, body, length);
    }
}

void nodes_take_messages(int wait)
{
    struct link_message message;
    while (link_receive(nodes_all.link, wait, &message)) {
        wait = 0;
        take_by(&(struct node_way){NULL, message.peer}, message.bytes, message.length, clock_ms(),
                0);
    }
}

size_t ways_back(void)
{
    size_t count = 0;
    for (size_t i = 0; i < nodes_all.count; i++) {
        count += nodes_all.nodes[i]->is_back;
    }
    return count;
}
