/*
 * The places that blocks come from, each a number of 16 bits: which function gave it, and where
 * that returned to. Lock-free.
 */
#ifndef ST_HEAP_SITES_H
#define ST_HEAP_SITES_H

#include <stdint.h>

#include "heap/heap.h"

/* Returns 0 if there are too many, or the address is null. */
uint16_t st_heap_site(const void *pc, enum st_heap_call call);

/* Of the number 0: pc 0, malloc. */
void st_heap_site_read(uint16_t site, uint64_t *pc, enum st_heap_call *call);

#endif
