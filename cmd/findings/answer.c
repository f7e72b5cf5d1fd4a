/* SPDX-License-Identifier: BSD-3-Clause */
#include "answer.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "facts.h"
#include "lines.h"

#define LINES_VARIABLE "MPIPP_LINES"

/* Where the system does not tell when a process ends, we look. */
enum { MILLISECONDS_TO_LOOK = 1000, MILLISECONDS_TO_LISTEN = 2000 };

/* Makes the socket, whose name nobody can guess. */
static int make_socket(char *name, size_t room)
{
    unsigned long long secret[2];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret) {
        return -1;
    }
    int length = snprintf(name, room, "mpipp-%ld-%llx%llx", (long)getpid(), secret[0], secret[1]);
    memcpy(address.sun_path + 1, name, (size_t)length);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t whole = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    if (file >= 0 && (bind(file, (const struct sockaddr *)&address, whole) != 0 ||
                      listen(file, SOMAXCONN) != 0)) {
        close(file);
        file = -1;
    }
    return file;
}

static bool is_own(int client)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/* Reads up to the end of the stream. Returns the number of bytes; 0: it did not come. */
static size_t read_question(int client, char *bytes, size_t room)
{
    size_t length = 0;
    while (length < room) {
        struct pollfd file = {.fd = client, .events = POLLIN};
        if (poll(&file, 1, MILLISECONDS_TO_LISTEN) <= 0) {
            return 0;
        }
        ssize_t got = recv(client, bytes + length, room - length, 0);
        if (got <= 0) {
            return got == 0 ? length : 0;
        }
        length += (size_t)got;
    }
    return 0;
}

static void answer_question(int client)
{
    static char question[ST_FINDING_ROOM + 2], text[ST_FINDING_ROOM];
    size_t length = read_question(client, question, sizeof question);
    lines_forget_changed(); /* between two runs under one gdb */
    json_t *record = length > 1 ? json_loadb(question + 1, length - 1, JSON_ALLOW_NUL, NULL) : NULL;
    struct facts *facts = json_is_object(record) ? facts_read(record) : NULL;
    if (facts != NULL) {
        const struct st_look look = {.colour = question[0] == '1'};
        size_t size = st_finding_text(&facts->finding, &look, text, sizeof text);
        for (size_t sent = 0; sent < size;) {
            ssize_t put = send(client, text + sent, size - sent, MSG_NOSIGNAL);
            if (put <= 0) {
                break;
            }
            sent += (size_t)put;
        }
    }
    json_decref(record);
}

static int process_file(pid_t pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    return -1;
#endif
}

/* Answers until the process ends. */
static _Noreturn void answer_all(int file, pid_t debugger)
{
    struct pollfd files[] = {{.fd = file, .events = POLLIN},
                             {.fd = process_file(debugger), .events = POLLIN}};
    for (;;) {
        int ready = poll(files, 2, MILLISECONDS_TO_LOOK);
        if ((ready < 0 && errno != EINTR) || (ready > 0 && files[1].revents != 0) ||
            kill(debugger, 0) != 0) {
            _exit(0);
        }
        if (ready > 0 && files[0].revents != 0) {
            int client = accept4(file, NULL, NULL, SOCK_CLOEXEC);
            if (client >= 0) {
                if (is_own(client)) {
                    answer_question(client);
                }
                close(client);
            }
        }
    }
}

/* The process holds nothing of the debugger's, and no signal of its terminal reaches it. */
static void become_apart(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; nothing >= 0 && i <= STDERR_FILENO; i++) {
        dup2(nothing, i);
    }
    setsid();
}

void answer_start(void)
{
    char name[80];
    pid_t debugger = getpid();
    int file = make_socket(name, sizeof name);
    pid_t child = file >= 0 ? fork() : -1;
    if (child == 0) {
        become_apart();
        if (fork() == 0) { /* no child of the debugger's */
            answer_all(file, debugger);
        }
        _exit(0);
    }
    if (file >= 0) {
        close(file);
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
        setenv(LINES_VARIABLE, name, 1);
    }
}
