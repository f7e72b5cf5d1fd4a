/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/attach/traced.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

bool st_is_traced(void)
{
    static const char field[] = "\nTracerPid:";
    char text[1024]; /* the field is near the beginning */
    size_t length = 0;
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    for (ssize_t got = 1; got != 0 && length < sizeof text - 1;) {
        got = read(file, text + length, sizeof text - 1 - length);
        if (got < 0 && errno != EINTR) {
            break;
        }
        length += got > 0 ? (size_t)got : 0;
    }
    close(file);
    text[length] = 0;
    const char *at = strstr(text, field);
    if (!at) {
        return false;
    }
    at += sizeof field - 1;
    at += strspn(at, " \t");
    return *at >= '1' && *at <= '9';
}
