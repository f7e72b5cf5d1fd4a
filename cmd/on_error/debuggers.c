/* SPDX-License-Identifier: BSD-3-Clause */
#include "debuggers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../debugger.h"

static bool is_in_path(const char *program)
{
    if (strchr(program, '/') != NULL) {
        return access(program, X_OK) == 0;
    }
    const char *path = getenv("PATH");
    for (const char *folder = path; folder != NULL; folder = strchr(folder, ':')) {
        folder += *folder == ':';
        char *file = text_of("%.*s/%s", (int)strcspn(folder, ":"), folder, program);
        bool there = access(file, X_OK) == 0;
        free(file);
        if (there) {
            return true;
        }
    }
    return false;
}

bool debuggers_have(struct held *held, const char *program, const char *package)
{
    if (is_in_path(program)) {
        return true;
    }
    held_say(held, "'--on-error=%s': there is no '%s' on %s: install the package '%s'",
             st_on_error_word(held->what), program, held->host, package);
    return false;
}

bool debuggers_begin_gdb(struct held *held, struct words *command)
{
    const char *gdb = debugger_default();
    if (!debuggers_have(held, gdb, "gdb")) {
        return false;
    }
    debugger_begin(command, gdb);
    return true;
}

void debuggers_call(const struct held *held, struct words *command, const char *call,
                    const char *more)
{
    debugger_call(
        command, "on_error",
        text_of("%s(%d, %d, %ld%s)", call, (int)held->pid, (int)held->thread, held->number, more));
}
