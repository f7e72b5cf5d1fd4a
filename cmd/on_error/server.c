/* SPDX-License-Identifier: BSD-3-Clause */
#include "debuggers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads gdbserver's output up to the port that it listens on; 0 if it names none. */
static long port_of(int from, char *said, size_t room)
{
    static const char mark[] = "Listening on port ";
    size_t length = 0;
    for (;;) {
        ssize_t got = read(from, said + length, room - 1 - length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return 0;
        }
        length += (size_t)got;
        said[length] = '\0';
        const char *at = strstr(said, mark);
        if (at != NULL && strchr(at, '\n') != NULL) {
            return strtol(at + sizeof mark - 1, NULL, 10);
        }
        if (length + 1 == room) {
            return 0;
        }
    }
}

/* Returns its last line, without the line end. */
static const char *last_line(char *said)
{
    size_t length = strlen(said);
    while (length > 0 && said[length - 1] == '\n') {
        said[--length] = '\0';
    }
    const char *line = strrchr(said, '\n');
    return line != NULL ? line + 1 : said;
}

/* Only this host can connect, because a client may do all that the user may. gdbserver stops the
 * rank, so the word to go on takes effect when gdb continues it. Its later output is short and
 * stays in the pipe. */
void debuggers_server(struct held *held)
{
    struct words command = {0};
    char said[4096] = "";
    int ends[2];
    if (!debuggers_have(held, "gdbserver", "gdbserver") || pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    words_add(&command, "gdbserver");
    words_add(&command, "--once");
    words_add(&command, "--attach");
    words_add(&command, "localhost:0");
    words_add(&command, text_of("%d", (int)held->pid));
    pid_t server = held_start(held, &command, ends[1]);
    close(ends[1]);
    if (server == 0) {
        return;
    }
    long port = port_of(ends[0], said, sizeof said);
    if (port > 0) {
        held_say(held,
                 "%s waits on %s at its error %ld for 'mpipp gdb -ex \"target remote "
                 "localhost:%ld\"'; from another "
                 "host, after 'ssh -N -L %ld:localhost:%ld %s &'",
                 held_name(held), held->host, held->number, port, port, port, held->host);
        held_go_on(held);
    } else {
        held_say(held, "gdbserver does not attach to %s: %s", held_name(held), last_line(said));
    }
    held_watch(held, server);
}
