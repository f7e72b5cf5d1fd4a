/*
 * Which of the process' memory is ordinary: the processor's own, that is read without a side effect.
 *
 * What a device has mapped is not: its registers, an accelerator's memory (a read would fetch the page
 * from there), the kernel's own pages. /proc/self/maps tells; what it said is kept for a moment.
 */
#ifndef ST_RUNTIME_OBJECTS_ORDINARY_H
#define ST_RUNTIME_OBJECTS_ORDINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

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
