/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/last.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static void (*at_end)(void);

/* exit() flushes the streams after all handlers have run: a stream with output calls this function
 * last. */
static ssize_t write_out(void *cookie, const char *text, size_t bytes)
{
    void (*end)(void) = at_end;
    (void)cookie;
    (void)text;
    at_end = NULL;
    if (end) {
        end();
    }
    return (ssize_t)bytes;
}

bool st_call_last(void (*end)(void))
{
    static char room[16];
    int saved = errno;
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_out});
    errno = saved;
    if (!stream) {
        return false;
    }
    at_end = end;
    setvbuf(stream, room, _IOFBF, sizeof room);
    fputc(0, stream);
    return true;
}

static bool has_status;
static int exit_status;

static void keep_status(int status, void *unused)
{
    (void)unused;
    has_status = true;
    exit_status = status;
}

void st_last_begin(void)
{
    int saved = errno;
    Dl_info info;
    /* on_exit() does not know of dlclose(). */
    if (dladdr(&has_status, &info) != 0 && info.dli_fname &&
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) {
        on_exit(keep_status, NULL);
    }
    errno = saved;
}

bool st_last_status(int *status)
{
    *status = exit_status;
    return has_status;
}
