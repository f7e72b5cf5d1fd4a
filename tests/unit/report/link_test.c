/* SPDX-License-Identifier: BSD-3-Clause */
/* The link between `mpipp run` and the agents (cmd/nodes/link.h), and the key of a job (job_key.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../cmd/nodes/link.h"

static struct job_key key;

static struct link *listening(void)
{
    const char *why = NULL;
    key = (struct job_key){.host = "here", .nonce = 7};
    setenv(NODE_SIZE_VARIABLE, "1", 1); /* only this host */
    struct link *link = link_listen(&key, &why);
    assert_non_null(link);
    return link;
}

static void close_listening(struct link *link)
{
    link_close(link);
    for (size_t i = 0; key.addresses[i] != NULL; i++) {
        free((char *)(uintptr_t)key.addresses[i]);
    }
}

static struct link *connected(const struct job_key *with, const char *name)
{
    const char *why = NULL;
    struct link *link = link_connect(with, name, key.addresses[0], &why);
    assert_non_null(link);
    return link;
}

/* Waits for a message for as long as it takes. */
static struct link_message received(struct link *link)
{
    struct link_message message;
    while (!link_receive(link, 1000, &message)) {
    }
    return message;
}

static void test_key_as_text(void **state)
{
    struct job_key read;
    (void)state;
    struct link *root = listening();
    char *text = job_key_text(&key);
    assert_true(job_key_read(text, &read));
    assert_string_equal(read.host, "here");
    assert_int_equal(read.nonce, 7);
    assert_memory_equal(read.server, key.server, KEY_BYTES);
    assert_memory_equal(read.secret, key.secret, KEY_BYTES);
    assert_string_equal(read.addresses[0], key.addresses[0]);
    assert_null(read.addresses[1]);
    close_listening(root);
    free(text);
}

static void test_bad_keys(void **state)
{
    static const char *const texts[] = {
        "", ",", "here", "here,7", "here,x,00,00,tcp://a", "here,7,0011,2233,tcp://a:1", ",,,,"};
    struct job_key read;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = strdup(texts[i]);
        assert_false(job_key_read(text, &read));
        free(text);
    }
}

static void test_both_ways(void **state)
{
    (void)state;
    struct link *root = listening(), *one = connected(&key, "one"), *two = connected(&key, "two");
    assert_true(link_send(one, 0, "from ", 5, "one", 3));
    struct link_message message = received(root);
    assert_int_equal(message.peer, 0);
    assert_int_equal(message.length, 8);
    assert_memory_equal(message.bytes, "from one", 8);
    assert_true(link_send(two, 0, "two", 3, NULL, 0));
    assert_int_equal(received(root).peer, 1);
    assert_true(link_send(root, 1, "to two", 6, NULL, 0));
    assert_true(link_send(root, 0, "to one", 6, NULL, 0));
    assert_memory_equal(received(one).bytes, "to one", 6);
    assert_memory_equal(received(two).bytes, "to two", 6);
    assert_false(link_send(root, 2, "nobody", 6, NULL, 0));
    assert_int_equal(link_refused(root), 0);
    link_close(one);
    /* A node that comes back is the same one. */
    one = connected(&key, "one");
    assert_true(link_send(one, 0, "again", 5, NULL, 0));
    message = received(root);
    assert_int_equal(message.peer, 0);
    assert_memory_equal(message.bytes, "again", 5);
    link_close(one);
    link_close(two);
    close_listening(root);
}

static void test_wrong_key(void **state)
{
    (void)state;
    struct link *root = listening();
    struct job_key wrong = key;
    struct link_message message;
    wrong.secret[5] ^= 1;
    struct link *stranger = connected(&wrong, "one");
    link_send(stranger, 0, "let me in", 9, NULL, 0);
    while (link_refused(root) == 0) {
        assert_false(link_receive(root, 10, &message));
    }
    struct link *one = connected(&key, "one");
    assert_true(link_send(one, 0, "hello", 5, NULL, 0));
    assert_memory_equal(received(root).bytes, "hello", 5);
    link_close(stranger);
    link_close(one);
    close_listening(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_as_text),
        cmocka_unit_test(test_bad_keys),
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_wrong_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
