/*
 * The places that blocks come from: who asked for it, and each such place as a number of 16 bits, which
 * stands for the function that gave it and where that returned to. Lock-free.
 */
#ifndef ST_HEAP_SITES_H
#define ST_HEAP_SITES_H

#include <stdint.h>

#include "heap/heap.h"

/* Who asks for memory: where malloc returns to, or, past C++'s operator new, where that does. malloc
 * returns to `pc`, with the stack pointer `sp` then. */
const void *st_heap_caller(const void *pc, const void *sp);

/* Returns 0 if there are too many, or the address is null. */
uint16_t st_heap_site(const void *pc, enum st_heap_call call);

/* Of the number 0: pc 0, malloc. */
void st_heap_site_read(uint16_t site, uint64_t *pc, enum st_heap_call *call);

#endif
