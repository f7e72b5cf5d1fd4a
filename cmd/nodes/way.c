/* SPDX-License-Identifier: BSD-3-Clause */
#include "way.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../words.h"
#include "core/agree/segment.h"

enum {
    TO_TRY = 3000, /* milliseconds to answer at an address */
    LOST = 10000,  /* without a word of the agent above */
    DOWN = 300     /* with nobody at the other end of the link */
};

static void send_by(struct link *link, enum node_kind kind, uint32_t ticket, const void *body,
                    size_t length)
{
    const struct node_head head = {kind, ticket};
    if (link != NULL) {
        link_send(link, 0, &head, sizeof head, body, length);
    }
}

void way_send(struct way *way, enum node_kind kind, uint32_t ticket, const void *body,
              size_t length)
{
    send_by(way->link, kind, ticket, body, length);
}

static void say_hello_by(const struct way *way, struct link *link)
{
    struct node_hello hello = {.protocol = NODE_PROTOCOL, .segment = ST_SEGMENT_VERSION};
    gethostname(hello.host, sizeof hello.host - 1);
    strncpy(hello.version, MPIPP_VERSION, sizeof hello.version - 1);
    snprintf(hello.name, sizeof hello.name, "%s", way->name);
    send_by(link, NODE_HELLO, 0, &hello, sizeof hello);
}

void way_say_hello(struct way *way)
{
    say_hello_by(way, way->link);
}

/* --- to `mpipp run` ------------------------------------------------------------------------------- */

static void connect_to_root(struct way *way, int64_t now)
{
    const char *why;
    way->tried = now;
    way->down = 0;
    way->link = link_connect(way->key, way->name, way->key->addresses[way->address], &why);
    way_say_hello(way);
}

/* Tries the addresses of `mpipp run` in turn until it answers at one. A single one is not given up. */
static void keep_root(struct way *way, int64_t now)
{
    if (way->is_heard || (way->link != NULL && way->key->addresses[1] == NULL) ||
        (way->link != NULL && now - way->tried < TO_TRY) ||
        (way->link == NULL && way->tried != 0)) {
        return;
    }
    if (way->link != NULL) {
        link_close(way->link);
        way->address++;
    }
    if (way->key->addresses[way->address] == NULL) {
        way->address = 0;
    }
    connect_to_root(way, now);
}

/* --- by another agent ------------------------------------------------------------------------------ */

static void leave_next(struct way *way)
{
    if (way->next != NULL) {
        link_close(way->next);
        way->next = NULL;
    }
}

static void try_next(struct way *way, int64_t now)
{
    const char *why;
    leave_next(way);
    if (way->above.addresses[way->next_address] == NULL) {
        return;
    }
    way->next_tried = now;
    way->next =
        link_connect(&way->above, way->name, way->above.addresses[way->next_address++], &why);
    say_hello_by(way, way->next);
}

void way_move(struct way *way, const struct node_branch *where, int64_t now)
{
    size_t count = 0;
    if (way->is_below || way->next != NULL) {
        return;
    }
    char *text = text_of("%.*s", (int)sizeof where->addresses - 1, where->addresses);
    way->above = *way->key; /* the texts are kept: it happens once */
    memcpy(way->above.server, where->server, sizeof way->above.server);
    for (char *address; count < MOST_ADDRESSES && (address = strsep(&text, ",")) != NULL;) {
        way->above.addresses[count++] = address;
    }
    way->above.addresses[count] = NULL;
    way->next_address = 0;
    try_next(way, now);
}

/* Back to `mpipp run`, which knows this agent by its name. */
static void go_back(struct way *way, int64_t now)
{
    link_close(way->link);
    way->is_below = false;
    way->is_heard = false;
    way->changes++;
    connect_to_root(way, now);
}

static bool has_nobody(const struct way *way)
{
    return way->link == NULL || link_is_down(way->link);
}

void way_keep(struct way *way, int64_t now)
{
    if (way->next != NULL && now - way->next_tried >= TO_TRY) {
        try_next(way, now);
    }
    if (!has_nobody(way)) {
        way->down = 0;
    } else if (way->down == 0) {
        way->down = now;
    }
    if (way->is_below && (now - way->heard >= LOST || way_is_down(way, now))) {
        go_back(way, now);
    }
    keep_root(way, now);
}

/* --- messages -------------------------------------------------------------------------------------- */

bool way_receive(struct way *way, struct link_message *message)
{
    if (way->next != NULL && link_receive(way->next, 0, message)) {
        if (way->link != NULL) {
            link_close(way->link);
        }
        way->link = way->next;
        way->next = NULL;
        way->is_below = true;
        way->changes++;
        return true;
    }
    return way->link != NULL && link_receive(way->link, 0, message);
}

bool way_is_down(const struct way *way, int64_t now)
{
    /* Between two calls of way_keep() more time than that may pass, and the other end may have come back. */
    return way->was_heard && way->down != 0 && now - way->down >= DOWN && has_nobody(way);
}

int way_file(const struct way *way)
{
    return way->link != NULL ? link_file(way->link) : -1;
}

int way_next_file(const struct way *way)
{
    return way->next != NULL ? link_file(way->next) : -1;
}

void way_close(struct way *way)
{
    leave_next(way);
    if (way->link != NULL) {
        link_close(way->link);
    }
}
