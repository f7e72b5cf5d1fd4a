/* SPDX-License-Identifier: BSD-3-Clause */
/* When an agent takes `mpipp run` for gone (cmd/nodes/way.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../cmd/clock.h"
#include "../../../cmd/nodes/way.h"

static struct job_key key;

/* Lets an agent's way lead to a new `mpipp run', which answers. */
static struct link *connect_way(struct way *way)
{
    const char *why = NULL;
    struct link_message message;
    key = (struct job_key){.host = "here", .nonce = 7};
    setenv(NODE_SIZE_VARIABLE, "1", 1); /* only this host */
    struct link *root = link_listen(&key, &why);
    assert_non_null(root);
    *way = (struct way){.key = &key, .name = "agent", .heard = clock_ms()};
    way_keep(way, clock_ms());
    while (!link_receive(root, 1000, &message)) {
    }
    link_send(root, message.peer, "beat", 4, NULL, 0);
    while (!way_receive(way, &message)) {
        usleep(1000);
    }
    way->is_heard = way->was_heard = true;
    return root;
}

static void free_addresses(void)
{
    for (size_t i = 0; key.addresses[i] != NULL; i++) {
        free((char *)(uintptr_t)key.addresses[i]);
    }
}

/* The agent was busy, or had no processor, for long: that says nothing of the other end. */
static void test_long_turn(void **state)
{
    struct way way;
    (void)state;
    struct link *root = connect_way(&way);
    const int64_t now = clock_ms();
    way_keep(&way, now);
    assert_false(way_is_down(&way, now + 60000));
    way_close(&way);
    link_close(root);
    free_addresses();
}

/* Nobody is at the other end: it is gone after a moment, and not before. */
static void test_gone(void **state)
{
    struct way way;
    (void)state;
    struct link *root = connect_way(&way);
    link_close(root);
    while (!link_is_down(way.link)) {
        usleep(1000);
    }
    const int64_t now = clock_ms();
    way_keep(&way, now);
    assert_false(way_is_down(&way, now));
    way_keep(&way, now + 100);
    assert_false(way_is_down(&way, now + 100));
    assert_true(way_is_down(&way, now + 1000));
    way_close(&way);
    free_addresses();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_turn),
        cmocka_unit_test(test_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
