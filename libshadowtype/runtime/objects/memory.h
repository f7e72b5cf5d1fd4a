/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of memory of known size: memory that MPI allocated (allocated.h), memory of malloc and
 * similar functions (heap/heap.h, if that library is loaded), the variables of the program and its
 * libraries (globals.h), and mappings.
 *
 *     struct st_memory_block memory;
 *     if (st_memory_at(address, &memory) && ... && st_memory_is_sure(&memory, outside)) ...
 *
 * The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_OBJECTS_MEMORY_H
#define ST_RUNTIME_OBJECTS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/overlap/reach.h"

enum st_memory_kind { ST_MEMORY_ALLOCATED, ST_MEMORY_HEAP, ST_MEMORY_GLOBAL, ST_MEMORY_MAPPING };

enum { ST_MOST_VARIABLE = 120 };

struct st_memory_block {
    struct st_area area;
    enum st_memory_kind kind;
    const char *call; /* that allocated it; NULL: it is a variable */
    uint64_t pc;      /* HEAP, MAPPING: return address of that call; 0: not known */
    uint32_t site;    /* ALLOCATED: its call site */
};

/* True if --check=size is on: buffers are compared with the blocks that contain them. */
extern bool st_size_on __attribute__((visibility("hidden")));

/* Looks for the library that knows the program's blocks. Returns NULL if it is there; else a sentence for
 * the user. */
const char *st_memory_begin(void);

/* Finds the block that contains the byte at `address`, or a block of malloc if the byte is in the
 * gap right after it, which cannot belong to the program. Returns false if there is none. */
bool st_memory_at(uint64_t address, struct st_memory_block *memory);

/* Returns the first byte of the block of malloc, or a similar function, that contains the byte at
 * `address`; 0 if no known block does. Needs no lock. */
uint64_t st_memory_heap_block(uint64_t address);
/* Returns true if all blocks that the program frees are recorded as freed. */
bool st_memory_heap_is_sure(void);

/* Returns true if the block still exists, and the program may not use the byte `outside`, which is
 * next to it. To be called only before a finding is reported, because it costs some system calls. */
bool st_memory_is_sure(const struct st_memory_block *memory, uint64_t outside);

/* Writes the name of a variable, at most `room` bytes including the terminating 0; "" if it is not
 * known. */
void st_memory_name(const struct st_memory_block *memory, char *name, size_t room);

#endif
