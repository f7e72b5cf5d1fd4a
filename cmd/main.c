/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp: the command that a user types in a shell. See 'mpipp help', or cmd/help/.
 */
#include <stdio.h>
#include <string.h>

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

int main(int count, char **arguments)
{
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
