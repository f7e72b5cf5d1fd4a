/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp: the command that a user types in a shell. See 'mpipp help', or cmd/help/.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "say.h"

static const struct {
    const char *name;
    int (*run)(char *const *words);
} commands[] = {
    {"run", command_run},           {"exec", command_exec},         {"gdb", command_gdb},
    {"ddd", command_ddd},           {"attach", command_attach},     {"ranks", command_ranks},
    {"stacks", command_stacks},     {"explain", command_explain},   {"help", command_help},
    {"--help", command_help},       {"-h", command_help},           {"version", command_version},
    {"--version", command_version}, {"on-error", command_on_error},
};

/* Where a standard stream is closed, no other file of mpipp's may get its number. To use it fails as before, and programs that
 * mpipp starts have it closed, too. */
static void reserve_standard_streams(void)
{
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) < 0) {
            open("/dev/null", (stream == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
        }
    }
}

int main(int count, char **arguments)
{
    reserve_standard_streams();
    if (count < 2) {
        fail(STATUS_USAGE, "no command given: run, exec, gdb, ddd, attach, ranks, stacks, explain, "
                           "help or version");
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(arguments[1], commands[i].name) == 0) {
            return commands[i].run(arguments + 2);
        }
    }
    fail(STATUS_USAGE,
         "no command is called '%s': run, exec, gdb, ddd, attach, ranks, stacks, explain, help or "
         "version",
         arguments[1]);
}
