/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call sites that allocate blocks. A site is the function that allocated and the address that
 * it returned to; it has a number of 16 bits. Lock-free.
 */
#ifndef ST_HEAP_SITES_H
#define ST_HEAP_SITES_H

#include <stdint.h>

#include "heap/heap.h"

/* Returns the return address of malloc, or, if operator new of C++ called it, of that. `pc` is
 * where malloc returns to, with the stack pointer `sp`. */
const void *st_heap_caller(const void *pc, const void *sp);

/* Returns the number of a site; 0 if there are too many, or if the address is null. */
uint16_t st_heap_site(const void *pc, enum st_heap_call call);

/* Stores the site of a number; for the number 0: pc 0, malloc. */
void st_heap_site_read(uint16_t site, uint64_t *pc, enum st_heap_call *call);

#endif
