/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a command in the foreground of the terminal while the job goes on in the background: gdb,
 * for --on-hang=gdb.
 *
 *     struct terminal terminal = {0};
 *     const char *why = terminal_open(&terminal, words, &signals);      // NULL: the command runs
 *     ... its end, by SIGCHLD: if (child == terminal.command) terminal_close(&terminal) ...
 *
 * The command runs in a new process group in the foreground, as if started by a shell. If the
 * launcher reads from the terminal meanwhile, the kernel stops it in most cases. It has to be
 * continued afterwards.
 */
#ifndef MPIPP_WATCH_TERMINAL_H
#define MPIPP_WATCH_TERMINAL_H

#include <signal.h>
#include <sys/types.h>
#include <termios.h>

struct terminal {
    pid_t command; /* 0: no command runs */
    int file;
    struct termios settings; /* the settings before the command */
};

/* Starts WORDS with the signal mask SIGNALS. Returns NULL, or the reason why it cannot have the
 * terminal. */
const char *terminal_open(struct terminal *terminal, char *const *words, const sigset_t *signals);

/* Call it when the command has ended: takes the terminal back. */
void terminal_close(struct terminal *terminal);

#endif
