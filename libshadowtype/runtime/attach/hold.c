/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/attach/hold.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "runtime/attach/attach.h"

/* A debugger's write does not wake the thread: it looks every so many milliseconds. */
enum { MILLISECONDS_TO_LOOK = 50 };

static atomic_int held_by = -1; /* the socket to the helper */
static _Atomic uint32_t beats;

/* Reads a word from the helper; 0 if there is none yet. */
static char word_of(int helper)
{
    char word;
    ssize_t got = read(helper, &word, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return 0;
    }
    return got == 1 ? word : ST_WORD_GO;
}

void st_hold(int helper)
{
    char word = 0;
    atomic_store(&held_by, helper);
    while (shadowtype_held && !word && atomic_load(&held_by) == helper) {
        struct pollfd end = {.fd = helper, .events = POLLIN};
        if (poll(&end, 1, MILLISECONDS_TO_LOOK) > 0) {
            word = word_of(helper);
        }
        atomic_fetch_add(&beats, 1);
    }
    if (word == ST_WORD_STOP) {
        raise(SIGSTOP); /* returns after SIGCONT */
    }
    st_hold_drop();
}

void st_hold_drop(void)
{
    int helper = atomic_exchange(&held_by, -1);
    if (helper >= 0) {
        close(helper);
    }
}

uint32_t st_hold_beats(void)
{
    return atomic_load(&beats);
}
