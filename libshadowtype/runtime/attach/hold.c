#define _GNU_SOURCE
#include "runtime/attach/hold.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "runtime/attach/attach.h"

/* A debugger's write wakes nobody. */
enum { MILLISECONDS_TO_LOOK = 50 };

/* The helper's word; 0: none yet. */
static char word_of(int helper)
{
    char word;
    ssize_t got = read(helper, &word, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    return got == 1 ? word : ST_WORD_GO;
}

void st_hold(int helper)
{
    char word = 0;
    while (shadowtype_held && !word) {
        struct pollfd end = {.fd = helper, .events = POLLIN};
        if (poll(&end, 1, MILLISECONDS_TO_LOOK) > 0)
            word = word_of(helper);
    }
    if (word == ST_WORD_STOP)
        raise(SIGSTOP); /* here until SIGCONT */
    close(helper);
}
