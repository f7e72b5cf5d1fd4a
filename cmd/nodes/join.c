/* SPDX-License-Identifier: BSD-3-Clause */
#include "join.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../clock.h"
#include "../say.h"
#include "../words.h"
#include "agent.h"
#include "core/agree/segment.h"
#include "core/model/hash.h"
#include "job_key.h"

enum { PATIENCE = 5000 /* milliseconds for an answer: after that a rank goes without */ };

/* The rank that the launcher says this process will be; -1: it says none. */
static int launchers_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                        "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rank = getenv(names[i]);
        if (rank != NULL) {
            return (int)strtol(rank, NULL, 10);
        }
    }
    return -1;
}

/* The name of the node's socket in Linux' abstract name space. It follows from the secret key. */
static socklen_t name_socket(const struct job_key *key, const char *node,
                             struct sockaddr_un *address)
{
    uint64_t hash[2] = {key->nonce, ~key->nonce};
    for (size_t i = 0; i < KEY_BYTES; i++) {
        hash[0] = st_hash_word(hash[0], key->secret[i]);
        hash[1] = st_hash_word(hash[1], key->secret[i]);
    }
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1,
                                "mpipp-%016" PRIx64 "%016" PRIx64, st_hash_text(hash[0], node),
                                st_hash_text(hash[1], node));
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

/* A process of its own, which nobody has to wait for. */
static void start_agent(const struct job_key *key, const char *node, int door)
{
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            agent_run(key, node, door);
        }
        _exit(0);
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
}

/* Starts the agent if the socket is free. */
static void try_to_bind(const struct job_key *key, const char *node,
                        const struct sockaddr_un *address, socklen_t length)
{
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (door >= 0 && bind(door, (const void *)address, length) == 0 && listen(door, 128) == 0) {
        start_agent(key, node, door);
    } else {
        usleep(10000); /* another one is about to listen, or to end */
    }
    if (door >= 0) {
        close(door);
    }
}

/* Reads the line that the agent answers. Returns false if the other end is not the agent. */
static bool read_answer(int file, char *line, size_t room)
{
    struct ucred who;
    socklen_t length = sizeof who;
    size_t got = 0;
    if (getsockopt(file, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0 || who.uid != geteuid()) {
        return false;
    }
    struct pollfd poll_one = {.fd = file, .events = POLLIN};
    while (got < room - 1 && poll(&poll_one, 1, PATIENCE) > 0) {
        const ssize_t more = read(file, line + got, room - 1 - got);
        if (more <= 0) {
            break;
        }
        got += (size_t)more;
    }
    line[got] = '\0';
    char *end = strchr(line, '\n');
    if (end == NULL) {
        return false;
    }
    *end = '\0';
    return true;
}

static bool ask_agent(const struct sockaddr_un *address, socklen_t length, char *line, size_t room)
{
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool answered = file >= 0 && connect(file, (const void *)address, length) == 0 &&
                          read_answer(file, line, room);
    if (file >= 0) {
        close(file);
    }
    return answered;
}

/* Finds or starts the agent. An agent that is about to end does not answer: then it is tried again. */
static bool find_agent(const struct job_key *key, const char *node, char *line, size_t room)
{
    struct sockaddr_un address;
    const socklen_t length = name_socket(key, node, &address);
    for (const int64_t begun = clock_ms(); clock_ms() - begun < PATIENCE;) {
        if (ask_agent(&address, length, line, room)) {
            return true;
        }
        try_to_bind(key, node, &address, length);
    }
    return false;
}

/* Where only the ancestors of a process may read its memory (Yama), the agent may, too. */
static void let_agent_read(const char *line)
{
    const char *pid = strchr(line, ':'); /* host:PID:FD:nonce; a host has no colon */
    if (pid != NULL) {
        prctl(PR_SET_PTRACER, strtoul(pid + 1, NULL, 10), 0, 0, 0);
    }
}

void node_join(void)
{
    char line[512], host[256] = "";
    struct job_key key;
    char *text = getenv(GATHER_VARIABLE) != NULL ? text_of("%s", getenv(GATHER_VARIABLE)) : NULL;
    gethostname(host, sizeof host - 1);
    if (text == NULL) {
        return;
    }
    unsetenv(GATHER_VARIABLE); /* it is not for the program, and what that starts */
    if (!job_key_read(text, &key)) {
        return;
    }
    const uint32_t number = job_key_node(&key, host, launchers_rank());
    if (number == 0) {
        return;
    }
    const char *node = number == ANOTHER_HOST ? host : text_of("%s %u", host, number);
    if (find_agent(&key, node, line, sizeof line) && line[0] != '\0') {
        setenv(ST_NODE_VARIABLE, line, 1);
        let_agent_read(line);
        return;
    }
    unsetenv(ST_NODE_VARIABLE);
    warn("no agent of mpipp on %s: what its ranks do together with others is not compared", host);
}
