/*
 * The program's memory, read for it: by the kernel (process_vm_readv), so that what cannot be read is
 * no crash, whatever other threads unmap meanwhile; and nothing but ordinary memory, which is the
 * processor's own and read without a side effect.
 *
 * What a device has mapped is not ordinary: its registers, an accelerator's memory (a read would fetch
 * the page from there), the kernel's own pages. /proc/self/maps tells; what it said is kept for a
 * moment.
 */
#ifndef ST_RUNTIME_OBJECTS_PEEK_H
#define ST_RUNTIME_OBJECTS_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Reads `count` pieces, at most IOV_MAX, one behind the other into `into`, which has room for
 * `bytes`, the sum of their lengths. False: not all of it is ordinary memory that can be read.
 * errno stays. Thread-safe. */
bool st_peek(const struct iovec *pieces, size_t count, void *into, size_t bytes);

/* Whether the system lets a process read itself so: a sandbox may not. To be asked first. */
bool st_peek_works(void);

/* Whether all bytes of `count` pieces of memory are mapped, readable and ordinary. Thread-safe. False as
 * well where /proc cannot be read. */
bool st_are_ordinary(const struct iovec *pieces, size_t count);

struct st_mapping {
    uint64_t low, high;
    bool ordinary;
};

/* A line of /proc/self/maps, without its end. False: it is none. */
bool st_mapping_read(const char *line, struct st_mapping *mapping);

#endif
