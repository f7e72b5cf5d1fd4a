/* SPDX-License-Identifier: BSD-3-Clause */
#include "debuggers.h"

#include <fcntl.h>
#include <stdlib.h>

#include "../debugger.h"

static bool has_display(struct held *held)
{
    const char *display = getenv("DISPLAY");
    if (display != NULL && display[0] != '\0') {
        return true;
    }
    held_say(held, "'--on-error=%s': there is no DISPLAY on %s, so that no window can be opened",
             st_on_error_word(held->what), held->host);
    return false;
}

/* Runs the command. If it could be run, gdb lets the rank go on: then its end is the user's
 * decision. */
static void run_command(struct held *held, const struct words *command, int output)
{
    pid_t window = held_start(held, command, output);
    if (window == 0) {
        return;
    }
    int status = held_watch(held, window);
    if (status > 0 && status < 128 && !held->goes_on) {
        held_say(held, "'%s' has failed on DISPLAY '%s' (status %d)", command->list[0],
                 getenv("DISPLAY"), status);
    }
}

static char *title_of(const struct held *held)
{
    return text_of("mpipp: %s on %s, error %ld", held_name(held), held->host, held->number);
}

void debuggers_xterm(struct held *held)
{
    struct words command = {0};
    if (!has_display(held) || !debuggers_have(held, "xterm", "xterm")) {
        return;
    }
    words_add(&command, "xterm");
    debugger_add(&command, "-title", title_of(held));
    words_add(&command, "-e");
    if (!debuggers_begin_gdb(held, &command)) {
        return;
    }
    words_add(&command, "-q");
    debuggers_call(held, &command, "show", "");
    run_command(held, &command, -1);
}

/* DDD starts its gdb by a shell, and puts "exec" before its line. */
void debuggers_ddd(struct held *held)
{
    struct words gdb = {0};
    struct words command = {0};
    char *line = NULL;
    if (!has_display(held) || !debuggers_have(held, "ddd", "ddd") ||
        !debuggers_begin_gdb(held, &gdb)) {
        return;
    }
    debuggers_call(held, &gdb, "show", "");
    for (size_t i = 0; i < gdb.count; i++) {
        line = text_of("%s%s%s", i == 0 ? "" : line, i == 0 ? "" : " ", text_quoted(gdb.list[i]));
    }
    words_add(&command, "ddd");
    debugger_add(&command, "-title", title_of(held));
    words_add(&command, "--gdb");
    debugger_add(&command, "--debugger", line);
    run_command(held, &command,
                open("/dev/null", O_WRONLY | O_CLOEXEC)); /* its messages are about fonts */
}
