/* SPDX-License-Identifier: BSD-3-Clause */
/* The question for a finding's text with source lines (asked.h): answers, silence, and nobody. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/asked.h"

static char name[64];

/* Starts a process that takes one question, and answers it; NULL: it never does. */
static pid_t answer_once(const char *answer, const char *expected)
{
    static int number;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(name, sizeof name, "mpipp-asked-%ld-%d", (long)getpid(), number++);
    memcpy(address.sun_path + 1, name, (size_t)length);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    assert_int_equal(bind(file, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(file, 1), 0);
    pid_t child = fork();
    if (child == 0) {
        static char question[1 << 17];
        size_t at = 0;
        ssize_t got;
        int client = accept(file, NULL, NULL);
        while ((got = read(client, question + at, sizeof question - at)) > 0) {
            at += (size_t)got;
        }
        if (!answer) {
            pause();
        }
        bool right = at == strlen(expected) && memcmp(question, expected, at) == 0;
        size_t length_of_answer = strlen(answer);
        for (size_t sent = 0; right && sent < length_of_answer;) {
            ssize_t put = send(client, answer + sent, length_of_answer - sent, MSG_NOSIGNAL);
            if (put <= 0) {
                break;
            }
            sent += (size_t)put;
        }
        _exit(0);
    }
    close(file);
    return child;
}

static void end_of(pid_t child)
{
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void an_answer_is_the_text(void **state)
{
    (void)state;
    char text[64];
    pid_t child = answer_once("mpipp: error\n  call  a.c:5\n", "0{\"n\":1}");
    assert_int_equal(st_asked_text(name, "{\"n\":1}", 7, false, text, sizeof text), 27);
    assert_memory_equal(text, "mpipp: error\n  call  a.c:5\n", 27);
    end_of(child);
    child = answer_once("x\n", "1{}");
    assert_int_equal(st_asked_text(name, "{}", 2, true, text, sizeof text), 2);
    end_of(child);
}

static void a_long_question_and_a_long_answer_arrive(void **state)
{
    (void)state;
    enum { LONG = 64000 };
    static char line[LONG + 1], expected[LONG + 2], text[LONG + 10], answer[LONG + 1];
    memset(line, 'x', LONG);
    memset(answer, 'y', LONG);
    answer[LONG - 1] = '\n';
    expected[0] = '0';
    memcpy(expected + 1, line, LONG);
    pid_t child = answer_once(answer, expected);
    assert_int_equal(st_asked_text(name, line, LONG, false, text, sizeof text), LONG);
    assert_memory_equal(text, answer, LONG);
    end_of(child);
    child = answer_once(answer, expected);
    assert_int_equal(st_asked_text(name, line, LONG, false, text, 1000), 0); /* no room */
    end_of(child);
}

static void without_an_answer_there_is_no_text(void **state)
{
    (void)state;
    char text[64];
    assert_int_equal(st_asked_text(NULL, "{}", 2, false, text, sizeof text), 0);
    assert_int_equal(st_asked_text("", "{}", 2, false, text, sizeof text), 0);
    assert_int_equal(st_asked_text("mpipp-nobody", "{}", 2, false, text, sizeof text), 0);
    static char long_name[300];
    memset(long_name, 'n', sizeof long_name - 1);
    assert_int_equal(st_asked_text(long_name, "{}", 2, false, text, sizeof text), 0);
    pid_t child = answer_once("", "0{}");
    assert_int_equal(st_asked_text(name, "{}", 2, false, text, sizeof text), 0);
    end_of(child);
    child = answer_once("no line end", "0{}");
    assert_int_equal(st_asked_text(name, "{}", 2, false, text, sizeof text), 0);
    end_of(child);
}

static void who_never_answers_is_waited_for_only_so_long(void **state)
{
    (void)state;
    char text[64];
    struct timespec before, after;
    pid_t child = answer_once(NULL, "");
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_int_equal(st_asked_text(name, "{}", 2, false, text, sizeof text), 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec >= 4);
    end_of(child);
    /* Nor does each of many findings cost that time. */
    child = answer_once(NULL, "");
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(st_asked_text(name, "{}", 2, false, text, sizeof text), 0);
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 4);
    end_of(child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_the_text),
        cmocka_unit_test(a_long_question_and_a_long_answer_arrive),
        cmocka_unit_test(without_an_answer_there_is_no_text),
        cmocka_unit_test(who_never_answers_is_waited_for_only_so_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
