/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "report/asked.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* The first answer waits for the debug information of a large program. Who did not answer in that time is given
 * less the next time: a rank with many findings does not wait for each. */
enum { MILLISECONDS_FOR_ALL = 5000, MILLISECONDS_AFTERWARDS = 300 };

static int64_t patience = MILLISECONDS_FOR_ALL;

static int64_t now_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int connect_to(const char *where)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(where);
    if (length >= sizeof address.sun_path) {
        return -1;
    }
    memcpy(address.sun_path + 1, where, length);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0) {
        return -1;
    }
    struct ucred peer;
    socklen_t size = sizeof peer;
    socklen_t whole = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    if (connect(file, (const struct sockaddr *)&address, whole) != 0 ||
        getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) {
        close(file);
        return -1;
    }
    return file;
}

/* Waits until the socket is ready. Returns false if the time is over. What has come while a debugger had stopped
 * this rank is taken all the same. */
static bool wait_for(int file, short events, int64_t end)
{
    for (;;) {
        int64_t left = end - now_milliseconds();
        int ready =
            poll(&(struct pollfd){.fd = file, .events = events}, 1, left > 0 ? (int)left : 0);
        if (ready > 0) {
            return true;
        }
        if (ready == 0 || errno != EINTR) {
            return false;
        }
    }
}

static bool send_all(int file, const char *bytes, size_t length, int64_t end)
{
    while (length > 0) {
        ssize_t put = send(file, bytes, length, MSG_NOSIGNAL);
        if (put > 0) {
            bytes += put;
            length -= (size_t)put;
        } else if (put < 0 && errno == EAGAIN) {
            if (!wait_for(file, POLLOUT, end)) {
                return false;
            }
        } else if (put < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Returns the number of bytes up to the end of the stream; 0: it did not come, or there is no room. */
static size_t receive_all(int file, char *bytes, size_t room, int64_t end)
{
    size_t length = 0;
    while (length < room) {
        ssize_t got = recv(file, bytes + length, room - length, 0);
        if (got == 0) {
            return length;
        }
        if (got > 0) {
            length += (size_t)got;
        } else if (errno == EAGAIN) {
            if (!wait_for(file, POLLIN, end)) {
                return 0;
            }
        } else if (errno != EINTR) {
            return 0;
        }
    }
    return 0;
}

size_t st_asked_text(const char *where, const char *line, size_t length, bool colour, char *text,
                     size_t room)
{
    int saved = errno;
    int file = where != NULL && where[0] != '\0' ? connect_to(where) : -1;
    size_t size = 0;
    if (file >= 0) {
        int64_t end = now_milliseconds() + patience;
        if (send_all(file, colour ? "1" : "0", 1, end) && send_all(file, line, length, end) &&
            shutdown(file, SHUT_WR) == 0) {
            size = receive_all(file, text, room, end);
        }
        patience =
            size == 0 && now_milliseconds() >= end ? MILLISECONDS_AFTERWARDS : MILLISECONDS_FOR_ALL;
        close(file);
    }
    errno = saved;
    return size > 0 && text[size - 1] == '\n' ? size : 0;
}
