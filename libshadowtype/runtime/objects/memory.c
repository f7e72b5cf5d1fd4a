/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/objects/memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heap/heap.h"
#include "runtime/objects/allocated.h"
#include "runtime/objects/globals.h"
#include "runtime/record/root.h"

bool st_size_on;

static const struct st_heap *heap;

static const char *const call_names[] = {
#define X(name, text) text,
    ST_HEAP_CALLS(X)
#undef X
};

/* --- the program's malloc -------------------------------------------------------------------- */

/* Returns true if a test allocation and its free are recorded: another allocator may be in front of
 * the library, or have replaced it. */
static bool sees_all(void)
{
    struct st_heap_block block = {0}, after = {0};
    void *volatile probe = malloc(40);
    uint64_t address = st_address(probe);
    bool seen =
        probe && heap->block_at(address, &block) && block.start == address && block.bytes == 40;
    free(probe);
    /* Another thread may have the block now; but then its call site is not this one. */
    bool stays = heap->block_at(address, &after) && after.pc == block.pc && after.bytes == 40;
    return seen && !stays;
}

const char *st_memory_begin(void)
{
    heap = dlsym(RTLD_DEFAULT, "shadowtype_heap");
    if (heap && heap->version == ST_HEAP_VERSION && sees_all()) {
        return NULL;
    }
    bool loaded = heap != NULL;
    heap = NULL;
    return loaded
               ? "--check=size does not know what the program allocates, because it has its own "
                 "malloc: "
                 "only variables and MPI's memory are looked at"
               : "--check=size does not know what the program allocates: start it by 'mpipp run', "
                 "or preload libshadowtype-heap.so, too; only variables and MPI's memory are "
                 "looked at";
}

static void take_block(struct st_memory_block *memory, enum st_memory_kind kind,
                       const struct st_heap_block *block)
{
    *memory = (struct st_memory_block){
        .area = {.from = block->start, .to = block->start + block->bytes},
        .kind = kind,
        .call = block->call < ST_HEAP_CALL_COUNT ? call_names[block->call] : "malloc",
        .pc = block->pc};
}

/* --- finding a block -------------------------------------------------------------------------- */

/* Returns true if the byte is between a block and the earliest next one: blocks begin at multiples
 * of 16, and glibc needs 8 bytes before each. */
static bool is_right_behind(const struct st_heap_block *block, uint64_t address)
{
    return block->start && address >= block->start + block->bytes &&
           address < (block->start + block->bytes + 8 + 15) / 16 * 16;
}

bool st_memory_at(uint64_t address, struct st_memory_block *memory)
{
    struct st_heap_block block;
    if (st_allocated_at(address, memory)) {
        return true;
    }
    if (heap && (heap->block_at(address, &block) || is_right_behind(&block, address))) {
        take_block(memory, ST_MEMORY_HEAP, &block);
        return true;
    }
    if (st_global_at(address, &memory->area)) {
        memory->kind = ST_MEMORY_GLOBAL;
        memory->call = NULL;
        return true;
    }
    if (heap && heap->mapping_at(address, &block)) {
        take_block(memory, ST_MEMORY_MAPPING, &block);
        return true;
    }
    return false;
}

uint64_t st_memory_heap_block(uint64_t address)
{
    struct st_heap_block block;
    return heap && heap->block_at(address, &block) ? block.start : 0;
}

bool st_memory_heap_is_sure(void)
{
    return heap && sees_all();
}

void st_memory_name(const struct st_memory_block *memory, char *name, size_t room)
{
    *name = 0;
    if (memory->kind == ST_MEMORY_GLOBAL) {
        st_global_name(&memory->area, name, room);
    }
}

/* --- certainty --------------------------------------------------------------------------------- */

/* Returns true if the process can read the byte. The kernel tells: it reads the byte to write it to
 * a pipe. */
static bool is_readable(uint64_t address, bool otherwise)
{
    int ends[2], saved = errno;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) {
        errno = saved;
        return otherwise;
    }
    bool readable = write(ends[1], st_pointer(address), 1) == 1 || errno != EFAULT;
    close(ends[0]);
    close(ends[1]);
    errno = saved;
    return readable;
}

/* Returns true if the allocator's own answer about the block agrees with its size. For a block that
 * was freed without the library's knowledge it usually differs. */
static bool is_plausible(const struct st_area *area)
{
    uint64_t bytes = area->to - area->from;
    if (!is_readable(area->from, false) || !is_readable(area->from - 16, false)) {
        return false;
    }
    uint64_t usable = heap->usable(area->from);
    return !usable || (usable >= bytes && usable - bytes <= bytes / 2 + 8192);
}

bool st_memory_is_sure(const struct st_memory_block *memory, uint64_t outside)
{
    struct st_memory_block again;
    switch (memory->kind) {
    case ST_MEMORY_HEAP:
        return sees_all() && is_plausible(&memory->area);
    case ST_MEMORY_GLOBAL:
        st_globals_refresh();
        return st_memory_at(memory->area.from, &again) && again.kind == ST_MEMORY_GLOBAL &&
               again.area.from == memory->area.from && again.area.to == memory->area.to;
    case ST_MEMORY_MAPPING:
        /* A mapping there may belong to it: neighbouring mappings are merged. */
        return !is_readable(outside, true);
    case ST_MEMORY_ALLOCATED:
        break;
    }
    return true;
}
