/*
 * What the library tells of the memory that it has seen given: heap.h's questions. Internal.
 */
#ifndef ST_HEAP_GIVEN_H
#define ST_HEAP_GIVEN_H

#include "heap/heap.h"

bool st_heap_block_at(uint64_t address, struct st_heap_block *block);   /* allocate.c */
uint64_t st_heap_usable(uint64_t start);                                /* allocate.c */
bool st_heap_mapping_at(uint64_t address, struct st_heap_block *block); /* map.c */

#endif
