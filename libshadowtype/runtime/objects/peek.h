/*
 * The program's memory, read for it: by the kernel (process_vm_readv), so that what cannot be read is
 * no crash, whatever other threads unmap meanwhile; and nothing but ordinary memory (ordinary.h).
 */
#ifndef ST_RUNTIME_OBJECTS_PEEK_H
#define ST_RUNTIME_OBJECTS_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

/* Reads `count` pieces, at most IOV_MAX, one behind the other into `into`, which has room for
 * `bytes`, the sum of their lengths. False: not all of it is ordinary memory that can be read.
 * errno stays. Thread-safe. */
bool st_peek(const struct iovec *pieces, size_t count, void *into, size_t bytes);

/* Whether the system lets a process read itself so: a sandbox may not. To be asked first. */
bool st_peek_works(void);

#endif
