#define _GNU_SOURCE
#include "runtime/attach/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "report/writer.h"

enum { NO_TURN = -1, FROM_DESCRIPTOR = 512 };

static int turn = NO_TURN; /* this process' own */
static int held = -1;      /* its second socket */

/* What ranks of one job on one host have in common: the folder of 'mpipp run', else the process
 * that started them. FNV-1a. */
static uint64_t job(void)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    const char *reports = getenv("MPIPP_REPORTS");
    if (!reports || !*reports)
        return (uint64_t)getppid();
    for (; *reports; reports++)
        hash = (hash ^ (unsigned char)*reports) * UINT64_C(1099511628211);
    return hash;
}

static socklen_t name_of(struct sockaddr_un *name, const char *kind, int number)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    struct st_writer writer = {name->sun_path + 1, sizeof name->sun_path - 1, 0};
    st_put(&writer, "mpipp-");
    st_put_number(&writer, getuid());
    st_put(&writer, "-");
    st_put_hex(&writer, job());
    st_put(&writer, kind);
    st_put_number(&writer, number);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + writer.length);
}

static int new_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/* A socket with that name; -1: another process has it. Not the program's next descriptor. */
static int take_name(const char *kind, int number)
{
    struct sockaddr_un name;
    socklen_t length = name_of(&name, kind, number);
    int taken = new_socket();
    if (taken < 0)
        return -1;
    if (bind(taken, (struct sockaddr *)&name, length) != 0 || listen(taken, SOMAXCONN) != 0) {
        close(taken);
        return -1;
    }
    int apart = fcntl(taken, F_DUPFD_CLOEXEC, FROM_DESCRIPTOR);
    if (apart < 0)
        return taken;
    close(taken);
    return apart;
}

/* Until who has that name, if anybody, gives it up. */
static void wait_for(const char *kind, int number)
{
    struct sockaddr_un name;
    socklen_t length = name_of(&name, kind, number);
    char nothing;
    int other = new_socket();
    if (other < 0)
        return;
    int done = connect(other, (struct sockaddr *)&name, length);
    while (done != 0 && errno == EINTR)
        done = connect(other, (struct sockaddr *)&name, length);
    while (done == 0 && read(other, &nothing, 1) < 0 && errno == EINTR)
        ;
    close(other);
}

static const char holding[] = "-held-", having[] = "-turn-";

/* The second name comes first: who finds the turn taken finds its owner held, if it is. */
static bool take(int number)
{
    held = take_name(holding, number);
    if (held < 0)
        return false;
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
    for (int i = 0; turn == NO_TURN && i < (int)most; i++)
        if (take(i))
            return true;
    if (turn == NO_TURN)
        return false;
    /* Another one may have the name for a moment, to see whether the turn is free. */
    while (held < 0 && (held = take_name(holding, turn)) < 0 && errno == EADDRINUSE)
        wait_for(holding, turn);
    return true;
}

void st_turn_end(void)
{
    if (held >= 0)
        close(held);
    held = -1;
}

void st_turn_wait(unsigned most)
{
    for (int i = 0; i < (int)most; i++)
        wait_for(holding, i);
}

bool st_turn_tells(void)
{
    static bool has_told;
    if (has_told)
        return false;
    has_told = true;
    return take_name("-told-", 0) >= 0;
}
