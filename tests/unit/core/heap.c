#include "heap.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/model/memory.h"

static size_t taken, peak;
static long left = -1; /* blocks that may still be taken; negative: any number */

size_t heap_watch(void)
{
    peak = taken;
    return taken;
}

size_t heap_peak(void)
{
    return peak;
}

void heap_end_after(long blocks)
{
    left = blocks;
}

/* True if memory has ended. */
static bool has_ended(void)
{
    left -= left > 0;
    return left == 0;
}

void heap_must_be_paid(size_t before, uint64_t delivered)
{
    uint64_t most = peak - before;
    if (most > ST_FREE_BYTES + ST_PER_BYTE * delivered) {
        fprintf(stderr, "%llu bytes are taken at a time, for %llu that were read\n",
                (unsigned long long)most, (unsigned long long)delivered);
        abort();
    }
}

static void *took(void *block)
{
    taken += malloc_usable_size(block);
    peak = taken > peak ? taken : peak;
    return block;
}

/* The linker's names (ld --wrap). */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);

void *__wrap_malloc(size_t bytes)
{
    return has_ended() ? NULL : took(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return has_ended() ? NULL : took(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *block, size_t bytes)
{
    size_t before = malloc_usable_size(block);
    void *moved = has_ended() ? NULL : __real_realloc(block, bytes);
    if (moved) {
        took(moved);
        taken -= before;
    }
    return moved;
}

void __wrap_free(void *block)
{
    taken -= malloc_usable_size(block);
    __real_free(block);
}
