/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A separate heap in the rank for the checker's algebra (core/), in its own pages.
 *
 * The build includes this header before each file of core/ that goes into the rank's library
 * (libshadowtype.mk). So a program that overruns its buffers does not damage the checker's types or
 * its cache of pages, and the checker never calls a malloc of the program.
 *
 * Several threads may call these functions at once. A signal handler that interrupts one of them
 * may call them, too: it gets no memory, and a block that it frees is lost.
 */
#ifndef ST_RUNTIME_RECORD_OWN_HEAP_H
#define ST_RUNTIME_RECORD_OWN_HEAP_H

#include <stddef.h>
#include <stdlib.h>

/* Like malloc() and the others. Return NULL if there is no memory. */
void *st_own_malloc(size_t bytes);
void *st_own_calloc(size_t count, size_t bytes);
void *st_own_realloc(void *old, size_t bytes);
void st_own_free(void *old);

#define malloc(bytes) st_own_malloc(bytes)
#define calloc(count, bytes) st_own_calloc(count, bytes)
#define realloc(old, bytes) st_own_realloc(old, bytes)
#define free(old) st_own_free(old)

#endif
