/* SPDX-License-Identifier: BSD-3-Clause */
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int relay_open(struct relay *relay, int to)
{
    int ends[2];
    *relay = (struct relay){.from = -1, .to = to};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return -1;
    }
    relay->from = ends[0];
    fcntl(relay->from, F_SETFL, O_NONBLOCK);
    return ends[1];
}

void relay_poll(const struct relay *relay, struct pollfd *poll)
{
    if (relay->length == 0) {
        *poll = (struct pollfd){.fd = relay->from, .events = POLLIN};
    } else {
        *poll = (struct pollfd){.fd = relay->to, .events = POLLOUT};
    }
}

static void take_bytes(struct relay *relay)
{
    ssize_t got = read(relay->from, relay->bytes, sizeof relay->bytes);
    if (got > 0) {
        relay->length = relay->quiet ? 0 : (size_t)got;
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(relay->from);
        relay->from = -1;
    }
}

void relay_serve(struct relay *relay, const struct pollfd *poll)
{
    if (poll->fd < 0 || poll->revents == 0) {
        return;
    }
    if (relay->length == 0) {
        take_bytes(relay);
        return;
    }
    ssize_t put = write(relay->to, relay->bytes, relay->length);
    if (put < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (put < 0) {
        relay->quiet = true; /* the output is not read any more */
        relay->length = 0;
        return;
    }
    relay->length -= (size_t)put;
    memmove(relay->bytes, relay->bytes + put, relay->length);
}
