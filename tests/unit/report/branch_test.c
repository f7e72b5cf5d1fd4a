/* SPDX-License-Identifier: BSD-3-Clause */
/* An agent to which others have come keeps what they say while `mpipp run' is not heard, but not without end
 * (cmd/nodes/branch.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../cmd/clock.h"
#include "../../../cmd/nodes/branch.h"
#include "../../../cmd/nodes/link.h"

enum { BODY = 1 << 20, MESSAGES = 40, MOST = 16 << 20, LONG = 60000 };

/* A branch, and an agent that has come to it. */
struct tree {
    struct link *root, *child;
    struct job_key key, above;
    struct branch *branch;
};

static void open_tree(struct tree *tree)
{
    const char *why = NULL;
    struct node_branch where;
    setenv(NODE_SIZE_VARIABLE, "1", 1); /* only this host */
    tree->key = (struct job_key){.host = "here", .nonce = 7};
    tree->root = link_listen(&tree->key, &why);
    assert_non_null(tree->root);
    tree->branch = branch_open(&tree->key, &where);
    assert_non_null(tree->branch);
    tree->above = tree->key;
    memcpy(tree->above.server, where.server, sizeof where.server);
    where.addresses[strcspn(where.addresses, ",")] = '\0';
    tree->child = link_connect(&tree->above, "child", where.addresses, &why);
    assert_non_null(tree->child);
}

static void close_tree(struct tree *tree)
{
    link_close(tree->child);
    branch_close(tree->branch);
    link_close(tree->root);
    for (size_t i = 0; tree->key.addresses[i] != NULL; i++) {
        free((char *)(uintptr_t)tree->key.addresses[i]);
    }
}

static void say_much(struct tree *tree)
{
    char *body = calloc(BODY, 1);
    const struct node_head head = {NODE_DETAIL, 1};
    for (int i = 0; i < MESSAGES; i++) {
        assert_true(link_send(tree->child, 0, &head, sizeof head, body, BODY));
    }
    free(body);
}

/* Takes what comes until so many messages were dropped, or nothing comes any more. Returns their number. */
static uint64_t take_all(struct tree *tree, uint64_t expected)
{
    uint64_t dropped = 0;
    for (int i = 0; i < LONG && dropped < expected; i++) {
        branch_take(tree->branch, clock_ms());
        dropped += branch_dropped(tree->branch);
        usleep(1000);
    }
    return dropped;
}

static void what_is_not_taken_has_an_end(void **state)
{
    struct tree tree;
    const uint64_t too_many = MESSAGES - (MOST / BODY - 1); /* each is longer than BODY */
    size_t length = 0;
    (void)state;
    open_tree(&tree);
    say_much(&tree);
    assert_int_equal(take_all(&tree, too_many), too_many);
    assert_non_null(branch_up(tree.branch, clock_ms(), &length));
    assert_in_range(length, MOST - 2 * BODY, MOST);
    assert_int_equal(branch_dropped(tree.branch), 0);
    close_tree(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_taken_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
