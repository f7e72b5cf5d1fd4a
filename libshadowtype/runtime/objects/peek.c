#define _GNU_SOURCE
#include "runtime/objects/peek.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "runtime/objects/ordinary.h"

static pid_t self; /* to ask for it costs a system call */

bool st_peek(const struct iovec *pieces, size_t count, void *into, size_t bytes)
{
    if (!st_are_ordinary(pieces, count))
        return false;
    int saved = errno;
    struct iovec all = {.iov_base = into, .iov_len = bytes};
    ssize_t got = process_vm_readv(self, &all, 1, pieces, count, 0);
    errno = saved;
    return got >= 0 && (size_t)got == bytes;
}

bool st_peek_works(void)
{
    static const uint64_t one = 1;
    uint64_t copy = 0;
    self = getpid();
    const struct iovec piece = {.iov_base = (void *)(uintptr_t)&one, .iov_len = sizeof one};
    return st_peek(&piece, 1, &copy, sizeof copy) && copy == one;
}
