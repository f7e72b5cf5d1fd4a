/* SPDX-License-Identifier: BSD-3-Clause */
#include "debuggers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../debugger.h"

/* Without the user's own settings, which could make gdb ask or page; and without fetching debug
 * information of system libraries from a server while a job waits. */
static bool begin_batch(struct held *held, struct words *command)
{
    if (!debuggers_begin_gdb(held, command)) {
        return false;
    }
    words_add(command, "-nx");
    words_add(command, "-batch");
    debugger_add(command, "-iex", "set debuginfod enabled off");
    return true;
}

static char *file_of(const struct held *held, const char *begin, const char *end)
{
    return held->rank >= 0 ? text_of("%s.%ld%s", begin, held->rank, end)
                           : text_of("%s.pid%d%s", begin, (int)held->pid, end);
}

void debuggers_transcript(struct held *held)
{
    struct words command = {0};
    const char *name = file_of(held, "mpipp-gdb", ".txt");
    if (!begin_batch(held, &command)) {
        return;
    }
    int again = held->times == 1 ? O_TRUNC : O_APPEND;
    int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | again, 0666);
    if (file < 0) {
        held_say(held, "cannot write '%s': %s", name, strerror(errno));
        return;
    }
    debuggers_call(held, &command, "transcript", "");
    pid_t gdb = held_start(held, &command, file);
    close(file);
    if (gdb == 0) {
        return;
    }
    int status = held_watch(held, gdb);
    if (status == 0) {
        held_say(held, "%s at its errors, as gdb shows it: '%s'", held_name(held), name);
    } else {
        held_say(held, "gdb has failed at an error of %s (status %d): see '%s'", held_name(held),
                 status, name);
    }
}

void debuggers_core(struct held *held)
{
    struct words command = {0};
    const char *name = file_of(held, "mpipp-core", text_of(".%ld", held->number));
    if (!begin_batch(held, &command)) {
        return;
    }
    unlink(name);
    debuggers_call(held, &command, "core", text_of(", %s", debugger_bytes(name)));
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pid_t gdb = held_start(held, &command, null);
    close(null);
    if (gdb == 0) {
        return;
    }
    int status = held_watch(held, gdb);
    if (status == 0 && access(name, R_OK) == 0) {
        held_say(held, "%s at its error %ld: 'mpipp gdb PROGRAM %s'", held_name(held), held->number,
                 name);
    } else {
        held_say(held, "gdb cannot write a core file of %s to '%s'", held_name(held), name);
    }
}
