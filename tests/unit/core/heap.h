/*
 * How much memory is taken: malloc() and its like of all that is linked into the test, counted
 * (HEAP_FLAGS in tests/unit.mk lets the linker put these in their place).
 *
 *     size_t before = heap_watch();
 *     ...
 *     heap_must_be_paid(before, bytes_that_were_read);
 */
#ifndef TESTS_HEAP_H
#define TESTS_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that are taken now; from here on the peak is noted. */
size_t heap_watch(void);
/* The most bytes that were taken at a time since then. A realloc() counts as both blocks. */
size_t heap_peak(void);

/* Aborts, saying why, if more was taken at a time since heap_watch() said `before` than so many
 * delivered bytes pay for (memory.h). */
void heap_must_be_paid(size_t before, uint64_t delivered);

/* Memory ends at the block of this number, from 1 on, and stays at its end. -1: it does not. */
void heap_end_after(long blocks);

#endif
