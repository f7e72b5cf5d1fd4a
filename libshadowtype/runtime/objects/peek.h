/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads ("peeks at") the program's memory without the risk of a crash: the kernel reads it
 * (process_vm_readv), so another thread may unmap it meanwhile. Only ordinary memory is read: the
 * processor's memory, where reading changes nothing.
 *
 * Memory that a device has mapped is not ordinary: its registers, an accelerator's memory (reading
 * would move the page), the kernel's own pages. /proc/self/maps distinguishes them; its contents
 * are cached for 0.1 s.
 */
#ifndef ST_RUNTIME_OBJECTS_PEEK_H
#define ST_RUNTIME_OBJECTS_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Reads `count` pieces, at most IOV_MAX, one after the other into `into`, which has room for
 * `bytes`, the sum of their lengths. Returns false if not all of it is ordinary memory that can be
 * read. Does not change errno. Thread-safe. */
bool st_peek(const struct iovec *pieces, size_t count, void *into, size_t bytes);

/* Returns true if the system lets a process read itself in this way: a sandbox may not. To be
 * called first. */
bool st_peek_works(void);

/* Returns true if all bytes of `count` pieces are mapped, readable and ordinary; false also if /proc cannot be
 * read. Thread-safe. */
bool st_are_ordinary(const struct iovec *pieces, size_t count);

struct st_mapping {
    uint64_t low, high;
    bool ordinary;
};

/* Reads a line of /proc/self/maps, given without its end. Returns false if it is not such a line. */
bool st_mapping_read(const char *line, struct st_mapping *mapping);

#endif
