/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../child.h"
#include "../findings/choices.h"
#include "../words.h"

/* Blocks or unblocks the signals that stop a background process group which sets the terminal, or
 * in which a process reads from it, as the launcher does. mpipp itself must not be stopped. */
static void hold_stops(int how)
{
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTTIN);
    sigaddset(&stops, SIGTTOU);
    sigprocmask(how, &stops, NULL);
}

static _Noreturn void become_program(char *const *words, int file, const sigset_t *signals,
                                     int result)
{
    setpgid(0, 0);
    tcsetpgrp(file, getpid());
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; standard++) {
        dup2(file, standard);
    }
    signal(SIGPIPE, SIG_DFL);
    choices_forget();
    sigprocmask(SIG_SETMASK, signals, NULL);
    execv(words[0], words);
    int error = errno;
    ssize_t put = write(result, &error, sizeof error);
    _exit(put == (ssize_t)sizeof error ? 127 : 1);
}

/* Returns NULL, or the reason why the command cannot be run. */
static const char *start_program(struct terminal *terminal, char *const *words,
                                 const sigset_t *signals)
{
    int result[2], error = 0;
    pid_t child = pipe2(result, O_CLOEXEC) == 0 ? fork() : -1;
    if (child == 0) {
        become_program(words, terminal->file, signals, result[1]);
    }
    if (child < 0) {
        return text_of("cannot start '%s': %s", words[0], strerror(errno));
    }
    close(result[1]);
    if (child_has_failed(result[0], &error)) {
        return text_of("cannot run '%s': %s", words[0], strerror(error));
    }
    terminal->command = child;
    return NULL;
}

const char *terminal_open(struct terminal *terminal, char *const *words, const sigset_t *signals)
{
    terminal->file = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (terminal->file < 0) {
        return "there is no terminal for gdb";
    }
    if (tcgetpgrp(terminal->file) != getpgrp()) {
        close(terminal->file);
        return "the job runs in the background of its terminal";
    }
    tcgetattr(terminal->file, &terminal->settings);
    hold_stops(SIG_BLOCK);
    const char *why = start_program(terminal, words, signals);
    if (why != NULL) {
        terminal_close(terminal);
    }
    return why;
}

void terminal_close(struct terminal *terminal)
{
    tcsetpgrp(terminal->file, getpgrp());
    tcsetattr(terminal->file, TCSANOW, &terminal->settings);
    hold_stops(SIG_UNBLOCK);
    close(terminal->file);
    terminal->command = 0;
}
