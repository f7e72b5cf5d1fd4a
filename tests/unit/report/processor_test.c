/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes had a processor (cmd/watch/processor.h). */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../cmd/watch/processor.h"

/* Starts a process that runs, or sleeps. */
static pid_t start(bool runs)
{
    const pid_t pid = fork();
    if (pid == 0) {
        for (;;) {
            if (!runs) {
                pause();
            }
        }
    }
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* A process that wants a processor had time once it has had one for a thousandth of a second. */
static void test_runs(void **state)
{
    const pid_t pid = start(true);
    const unsigned long long then = processor_time(pid), hour = 3600000000000ULL;
    (void)state;
    while (!processor_had_time(pid, then)) {
        assert_false(processor_had_time(pid, then + hour));
        usleep(100);
    }
    assert_true(processor_time(pid) >= then + 1000000);
    assert_false(processor_had_time(pid, then + hour));
    end(pid);
}

static void test_asleep(void **state)
{
    const pid_t pid = start(false);
    struct processor processor = {0};
    (void)state;
    do { /* until it is asleep */
        usleep(1000);
        assert_true(processor_look(&processor, pid));
    } while (processor.letter != 'S');
    assert_true(processor_had_time(pid, processor_time(pid)));
    assert_false(processor.is_starved || processor.is_stopped);
    kill(pid, SIGSTOP);
    while (!processor.is_stopped) {
        assert_true(processor_look(&processor, pid));
    }
    end(pid);
    assert_false(processor_look(&processor, pid));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_asleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
