/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp on-error: the process that a rank starts at an error, if --on-error says so. Not a command
 * for users. Standard input is the connection to the rank; see libshadowtype/runtime/attach.
 *
 *     mpipp on-error --mode=gdb --pid=1234 --thread=1234 --parent=1230 --rank=0 --error=1 --times=1
 */
#include "commands.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "on_error/debuggers.h"
#include "options.h"
#include "say.h"
#include "traceable.h"

static long number_of(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0') {
        fail(STATUS_USAGE, "'%s' is no number", text);
    }
    return number;
}

static void take_options(struct held *held, char *const *words)
{
    const char *value;
    for (; *words != NULL; words++) {
        if (option_take(&words, "mode", &value)) {
            held->what = st_on_error_find(value);
        } else if (option_take(&words, "pid", &value)) {
            held->pid = (pid_t)number_of(value);
        } else if (option_take(&words, "thread", &value)) {
            held->thread = (pid_t)number_of(value);
        } else if (option_take(&words, "parent", &value)) {
            held->parent = (pid_t)number_of(value);
        } else if (option_take(&words, "rank", &value)) {
            held->rank = number_of(value);
        } else if (option_take(&words, "error", &value)) {
            held->number = number_of(value);
        } else if (option_take(&words, "times", &value)) {
            held->times = number_of(value);
        } else {
            fail(STATUS_USAGE, "'mpipp on-error' has no option '%s'", *words);
        }
    }
    if (held->pid <= 0 || held->what == ST_ON_ERROR_COUNT) {
        fail(STATUS_USAGE, "'mpipp on-error' is for ranks: see '--on-error' in 'mpipp help run'");
    }
}

/* Opens those of the standard descriptors that the rank did not have. */
static void open_standard_files(void)
{
    int file;
    do {
        file = open("/dev/null", O_RDWR);
    } while (file >= 0 && file <= STDERR_FILENO);
    close(file);
}

int command_on_error(char *const *words)
{
    static void (*const run[ST_ON_ERROR_COUNT])(struct held *) = {
        [ST_ON_ERROR_WAIT] = debuggers_wait,      [ST_ON_ERROR_STOP] = debuggers_stop,
        [ST_ON_ERROR_GDB] = debuggers_transcript, [ST_ON_ERROR_XTERM] = debuggers_xterm,
        [ST_ON_ERROR_DDD] = debuggers_ddd,        [ST_ON_ERROR_GDBSERVER] = debuggers_server,
        [ST_ON_ERROR_CORE] = debuggers_core,
    };
    struct held held = {.rank = -1};
    int status;
    open_standard_files();
    take_options(&held, words);
    held_open(&held);
    const char *why = traceable_why_not(held.pid, &status);
    if (why != NULL) {
        held_say(&held, "'--on-error=%s': %s", st_on_error_word(held.what), why);
    } else if (run[held.what] != NULL) {
        run[held.what](&held);
    }
    held_leave();
}
