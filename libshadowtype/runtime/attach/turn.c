/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/attach/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "report/writer.h"

enum { NO_TURN = -1, FROM_DESCRIPTOR = 512, MOST_VARIANTS = 16 };

static int turn = NO_TURN; /* the turn that this process has */
static int held = -1;      /* its second socket */

/* Returns a number that the ranks of one job on one host share: from the folder of 'mpipp run', or
 * else from the process that started them. FNV-1a. */
static uint64_t job(void)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    const char *reports = secure_getenv("MPIPP_REPORTS");
    if (!reports || !*reports) {
        return (uint64_t)getppid();
    }
    for (; *reports; reports++) {
        hash = (hash ^ (unsigned char)*reports) * UINT64_C(1099511628211);
    }
    return hash;
}

static socklen_t socket_name(struct sockaddr_un *name, const char *kind, int number, int variant)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    struct st_writer writer = {name->sun_path + 1, sizeof name->sun_path - 1, 0};
    st_put(&writer, "mpipp-");
    st_put_number(&writer, getuid());
    st_put(&writer, "-");
    st_put_hex(&writer, job());
    st_put(&writer, kind);
    st_put_number(&writer, number);
    if (variant) {
        st_put(&writer, "-");
        st_put_number(&writer, variant);
    }
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + writer.length);
}

/* The owner of a name. Any user can take any name: if another user has it, it is ignored, and the
 * next variant of the name is used instead. */
enum st_name_owner { ST_NAME_FREE, ST_NAME_OURS, ST_NAME_FOREIGN };

static bool is_ours(int connection)
{
    struct ucred other;
    socklen_t length = sizeof other;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &length) == 0 &&
           other.uid == getuid();
}

/* Finds the owner. With ST_NAME_OURS, *connection ends when the owner gives the name up. Connecting
 * never blocks: another user's process may accept none. */
static enum st_name_owner ask_owner(const struct sockaddr_un *name, socklen_t length,
                                    int *connection)
{
    int other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (other < 0) {
        return ST_NAME_FREE;
    }
    int done = connect(other, (const struct sockaddr *)name, length);
    while (done != 0 && errno == EINTR) {
        done = connect(other, (const struct sockaddr *)name, length);
    }
    if (done == 0 && is_ours(other)) {
        *connection = other;
        return ST_NAME_OURS;
    }
    bool is_free = done != 0 && errno != EAGAIN;
    close(other);
    return is_free ? ST_NAME_FREE : ST_NAME_FOREIGN;
}

/* Returns -1 with errno EADDRINUSE if another process has this name. */
static int listen_at(const struct sockaddr_un *name, socklen_t length)
{
    int taken = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (taken < 0) {
        return -1;
    }
    if (bind(taken, (const struct sockaddr *)name, length) == 0 && listen(taken, SOMAXCONN) == 0) {
        return taken;
    }
    int error = errno;
    close(taken);
    errno = error;
    return -1;
}

/* Returns a socket with that name, but not as the lowest free descriptor, which the program expects
 * to get next; -1 if another process of this user has it. */
static int take_name(const char *kind, int number)
{
    int taken = -1;
    for (int variant = 0; taken < 0 && variant < MOST_VARIANTS; variant++) {
        struct sockaddr_un name;
        socklen_t length = socket_name(&name, kind, number, variant);
        int connection;
        taken = listen_at(&name, length);
        if (taken >= 0) {
            break;
        }
        if (errno != EADDRINUSE) {
            return -1;
        }
        enum st_name_owner owner = ask_owner(&name, length, &connection);
        if (owner == ST_NAME_OURS) {
            close(connection);
        }
        errno = EADDRINUSE;
        if (owner != ST_NAME_FOREIGN) {
            return -1; /* it may be about to listen */
        }
    }
    int apart = taken < 0 ? -1 : fcntl(taken, F_DUPFD_CLOEXEC, FROM_DESCRIPTOR);
    if (apart < 0) {
        return taken;
    }
    close(taken);
    return apart;
}

/* Waits until the process of this user that has the name, if any, gives it up. */
static void wait_for(const char *kind, int number)
{
    enum st_name_owner owner = ST_NAME_FOREIGN;
    int connection = -1;
    for (int variant = 0; owner == ST_NAME_FOREIGN && variant < MOST_VARIANTS; variant++) {
        struct sockaddr_un name;
        socklen_t length = socket_name(&name, kind, number, variant);
        owner = ask_owner(&name, length, &connection);
    }
    if (owner != ST_NAME_OURS) {
        return;
    }
    struct pollfd end = {.fd = connection, .events = POLLIN};
    while (poll(&end, 1, -1) < 0 && errno == EINTR)
        ;
    close(connection);
}

static const char holding[] = "-held-", having[] = "-turn-";

/* Takes the second name first: a process that finds the turn taken must find its owner held, if it
 * is. */
static bool take_turn(int number)
{
    held = take_name(holding, number);
    if (held < 0) {
        return false;
    }
    if (take_name(having, number) >= 0) {
        turn = number;
        return true;
    }
    close(held);
    held = -1;
    return false;
}

bool st_turn_take(unsigned most)
{
    for (int i = 0; turn == NO_TURN && i < (int)most; i++) {
        if (take_turn(i)) {
            return true;
        }
    }
    if (turn == NO_TURN) {
        return false;
    }
    /* Another process may have the name for a moment, to see whether the turn is free. */
    while (held < 0 && (held = take_name(holding, turn)) < 0 && errno == EADDRINUSE) {
        wait_for(holding, turn);
    }
    return true;
}

void st_turn_end(void)
{
    if (held >= 0) {
        close(held);
    }
    held = -1;
}

void st_turn_wait(unsigned most)
{
    for (int i = 0; i < (int)most; i++) {
        wait_for(holding, i);
    }
}

bool st_turn_tells(void)
{
    static bool has_told;
    if (has_told) {
        return false;
    }
    has_told = true;
    return take_name("-told-", 0) >= 0;
}
