/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The subcommands. Each takes the words after its own name, NULL-terminated, and returns mpipp's
 * exit status, unless it becomes another program.
 */
#ifndef MPIPP_COMMANDS_H
#define MPIPP_COMMANDS_H

int command_run(char *const *words);
int command_exec(char *const *words);
int command_gdb(char *const *words);
int command_ddd(char *const *words);
int command_attach(char *const *words);
int command_ranks(char *const *words);
int command_stacks(char *const *words);
int command_on_error(char *const *words);
int command_explain(char *const *words);
int command_help(char *const *words);
int command_version(char *const *words);

#endif
