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

/* Whether buffers are held against memory (--check=size), and blocks are written down for that. */
extern bool st_size_on __attribute__((visibility("hidden")));

/* Looks for the library that knows the program's blocks. NULL: it is there; else a sentence for the
 * user. */
const char *st_memory_begin(void);

/* The block that has the byte at `address`; or of malloc's the one right before it, where nothing of the
 * program can lie. */
bool st_memory_at(uint64_t address, struct st_memory_block *memory);

/* Where the block of malloc and its like begins that has the byte at `address`; 0: in none that is known.
 * Needs no lock. */
uint64_t st_memory_heap_block(uint64_t address);
/* Returns true if what the program frees is seen. */
bool st_memory_heap_is_sure(void);

/* Whether the block is what it is taken for, and the byte `outside` of it is not the program's to
 * use. Asked before something is found: it costs some system calls. */
bool st_memory_is_sure(const struct st_memory_block *memory, uint64_t outside);

/* The name of a variable, into at most `room` bytes with a 0 at the end; "": not known. */
void st_memory_name(const struct st_memory_block *memory, char *name, size_t room);

#endif
