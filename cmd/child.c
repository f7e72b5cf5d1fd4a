/* SPDX-License-Identifier: BSD-3-Clause */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

/* Removes LD_PRELOAD and the like. Such a library is for the user's program: in a program that we
 * ask it could only print into the output that we read, or add itself to the libraries that the
 * loader lists. */
static void forget_loader_settings(void)
{
    unsetenv("LD_PRELOAD");
    unsetenv("LD_AUDIT");
    unsetenv("LD_DEBUG");
}

static _Noreturn void become_program(char *const arguments[], int output)
{
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0) {
        _exit(STATUS_NOT_FOUND);
    }
    forget_loader_settings();
    execvp(arguments[0], arguments);
    _exit(STATUS_NOT_FOUND);
}

static char *read_all(int from)
{
    size_t length = 0;
    size_t room = 4096;
    char *text = malloc(room);
    while (text != NULL) {
        ssize_t got = read(from, text + length, room - length - 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
        if (length + 1 < room) {
            continue;
        }
        room *= 2;
        text = realloc(text, room);
    }
    if (text == NULL) {
        fail(1, "out of memory");
    }
    text[length] = '\0';
    return text;
}

int child_output(char *const arguments[], char **output)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fail(1, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child < 0) {
        fail(1, "cannot start '%s': %s", arguments[0], strerror(errno));
    }
    if (child == 0) {
        become_program(arguments, ends[1]);
    }

    close(ends[1]);
    *output = read_all(ends[0]);
    close(ends[0]);

    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool child_has_failed(int result, int *error)
{
    ssize_t got;
    do {
        got = read(result, error, sizeof *error);
    } while (got < 0 && errno == EINTR);
    close(result);
    return got == (ssize_t)sizeof *error;
}
