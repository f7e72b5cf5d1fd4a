/*
 * A command that has the terminal for itself, while the job goes on behind it: gdb, for --on-hang=gdb.
 *
 *     struct terminal terminal = {0};
 *     const char *why = terminal_open(&terminal, words, &signals);      // NULL: the command runs
 *     ... its end, by SIGCHLD: if (child == terminal.command) terminal_close(&terminal) ...
 *
 * The command is a process group of its own, in the foreground of the terminal, as a shell would have it. A
 * launcher that reads the terminal meanwhile is stopped by the kernel, and has to be continued afterwards.
 */
#ifndef MPIPP_WATCH_TERMINAL_H
#define MPIPP_WATCH_TERMINAL_H

#include <signal.h>
#include <sys/types.h>
#include <termios.h>

struct terminal {
    pid_t command; /* 0 if no command runs */
    int file;
    struct termios settings; /* before */
};

/* Starts WORDS with the signal mask SIGNALS. Returns NULL, or why it cannot have the terminal. */
const char *terminal_open(struct terminal *terminal, char *const *words, const sigset_t *signals);

/* The command has ended: takes the terminal back. */
void terminal_close(struct terminal *terminal);

#endif
