/*
 * The blocks of memory whose size is known: what MPI gave (given.h), what malloc and its like gave
 * (heap/heap.h, where that library is loaded), the variables of the program and its libraries
 * (globals.h), mappings.
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

enum st_memory_kind { ST_MEMORY_GIVEN, ST_MEMORY_HEAP, ST_MEMORY_GLOBAL, ST_MEMORY_MAPPING };

enum { ST_MOST_VARIABLE = 120 };

struct st_memory_block {
    struct st_area area;
    enum st_memory_kind kind;
    const char *call; /* that gave it; NULL: a variable */
    uint64_t pc;      /* HEAP, MAPPING: where that call returned to; 0: not known */
    uint32_t site;    /* GIVEN: its call site */
};

/* True if --check=size is on: buffers are compared with the blocks that they lie in. */
extern bool st_size_on __attribute__((visibility("hidden")));

/* Looks for the library that knows the program's blocks. Returns NULL if it is there; else a sentence for
 * the user. */
const char *st_memory_begin(void);

/* Finds the block that has the byte at `address`. If the byte lies in the gap right behind a block of malloc,
 * which cannot be the program's, finds that block. Returns false if there is none. */
bool st_memory_at(uint64_t address, struct st_memory_block *memory);

/* Returns the first byte of the block of malloc (or its like) that has the byte at `address`; 0 if no known
 * block has it. Needs no lock. */
uint64_t st_memory_heap_block(uint64_t address);
/* Returns true if what the program frees is seen. */
bool st_memory_heap_is_sure(void);

/* Returns true if the block is still there, and the program may not use the byte `outside`, which lies
 * beside it. Asked before a finding is reported: it costs some system calls. */
bool st_memory_is_sure(const struct st_memory_block *memory, uint64_t outside);

/* Writes the name of a variable, at most `room` bytes with the 0 at its end; "" if it is not known. */
void st_memory_name(const struct st_memory_block *memory, char *name, size_t room);

#endif
