/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "../elf_file.h"
#include "../nodes/far.h"
#include "../proc.h"
#include "../words.h"
#include "core/model/registry.h"

enum { PAGE = 4096 };

/* The pages of one process that were read ahead. */
static struct {
    uint64_t addresses[MEMORY_PAGES];
    bool is_used[MEMORY_PAGES];
    size_t count;
    char bytes[MEMORY_PAGES][PAGE];
} ahead;

/* Returns how many bytes could be read. */
static size_t read_process(const struct memory *memory, uint64_t address, void *buffer,
                           size_t length)
{
    struct iovec here = {buffer, length};
    struct iovec there = {(void *)(uintptr_t)address, length};
    ssize_t got = process_vm_readv(memory->pid, &here, 1, &there, 1, 0);
    return got > 0 ? (size_t)got : 0;
}

void memory_read_ahead(struct memory *memory)
{
    if (memory->far != NULL) {
        return;
    }
    struct iovec here = {ahead.bytes, memory->page_count * PAGE}, there[MEMORY_PAGES];
    for (size_t i = 0; i < memory->page_count; i++) {
        there[i] = (struct iovec){(void *)(uintptr_t)memory->pages[i], PAGE};
        ahead.addresses[i] = memory->pages[i];
        ahead.is_used[i] = false;
    }
    ssize_t got = memory->page_count != 0
                      ? process_vm_readv(memory->pid, &here, 1, there, memory->page_count, 0)
                      : 0;
    ahead.count =
        got > 0 ? (size_t)got / PAGE : 0; /* it stops at a page that is not there any more */
    memory->reads_ahead = true;
}

void memory_read_alone(struct memory *memory)
{
    if (memory->far != NULL) {
        return;
    }
    memory->reads_ahead = false;
    memory->page_count = 0;
    if (memory->pages == NULL) {
        memory->pages = zeroed(MEMORY_PAGES, sizeof *memory->pages);
    }
    for (size_t i = 0; i < ahead.count; i++) {
        if (ahead.is_used[i]) {
            memory->pages[memory->page_count++] = ahead.addresses[i];
        }
    }
}

/* The page that was read ahead, or is now; NULL if it cannot be read, or if too many were. */
static const char *page_at(const struct memory *memory, uint64_t address)
{
    size_t i = 0;
    while (i < ahead.count && ahead.addresses[i] != address) {
        i++;
    }
    if (i == MEMORY_PAGES ||
        (i == ahead.count && read_process(memory, address, ahead.bytes[i], PAGE) != PAGE)) {
        return NULL;
    }
    if (i == ahead.count) {
        ahead.addresses[ahead.count++] = address;
    }
    ahead.is_used[i] = true;
    return ahead.bytes[i];
}

static bool read_pages(const struct memory *memory, uint64_t address, char *buffer, size_t length)
{
    while (length > 0) {
        const size_t offset = (size_t)(address % PAGE);
        const size_t part = length < PAGE - offset ? length : PAGE - offset;
        const char *page = page_at(memory, address - offset);
        if (page == NULL) {
            return false;
        }
        memcpy(buffer, page + offset, part);
        address += part;
        buffer += part;
        length -= part;
    }
    return true;
}

enum st_read_result memory_read(uint64_t address, void *buffer, size_t length, void *context)
{
    struct memory *memory = context;
    if (memory->far != NULL) {
        return far_read(memory->far, address, buffer, length) ? ST_READ_OK : ST_READ_FAILED;
    }
    const bool is_short = length <= 4 * (size_t)PAGE; /* what is long would take all of the pages */
    if (memory->reads_ahead && is_short && read_pages(memory, address, buffer, length)) {
        return ST_READ_OK;
    }
    return read_process(memory, address, buffer, length) == length ? ST_READ_OK : ST_READ_FAILED;
}

/* A line of /proc/PID/maps. */
struct mapping {
    unsigned long long start, end, offset;
    char path[4096];
};

static bool read_line(const char *line, struct mapping *mapping)
{
    int path = 0;
    mapping->path[0] = '\0';
    if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %n", &mapping->start, &mapping->end,
               &mapping->offset, &path) != 3) {
        return false;
    }
    if (path > 0 && strlen(line + path) < sizeof mapping->path) {
        strcpy(mapping->path, line + path);
    }
    return true;
}

/* Calls FOUND for each mapping until it returns true. Returns false if it never does. */
static bool walk_mappings(const struct memory *memory,
                          bool (*found)(const struct mapping *, void *), void *context)
{
    static struct mapping mapping; /* too large for a small stack */
    char *copy = memory->maps != NULL ? text_of("%s", memory->maps) : NULL;
    char *rest = copy;
    bool is_found = false;
    for (char *line; rest != NULL && !is_found && (line = strsep(&rest, "\n")) != NULL;) {
        is_found = read_line(line, &mapping) && found(&mapping, context);
    }
    free(copy);
    return is_found;
}

/* Returns false if the mappings are not readable or the process has ended. The old ones stay then. */
static bool read_maps(struct memory *memory)
{
    size_t length;
    char *maps = proc_read(memory->pid, "maps", &length);
    if (maps == NULL || length == 0) {
        free(maps);
        return false;
    }
    free(memory->maps);
    memory->maps = maps;
    return true;
}

struct library {
    const struct memory *memory;
    unsigned long long start;
    char path[4096];
};

static bool is_library(const struct mapping *mapping, void *context)
{
    struct library *library = context;
    if (mapping->offset != 0 || !text_begins(text_base_name(mapping->path), "libshadowtype-") ||
        text_begins(text_base_name(mapping->path), "libshadowtype-heap")) {
        return false;
    }
    library->start = mapping->start;
    strcpy(library->path, mapping->path);
    return true;
}

/* Opens the file as the process sees it: the process may have another root directory. */
static enum elf_status open_of(const struct memory *memory, const char *path, struct elf_file *file)
{
    static char seen[4096 + 32];
    snprintf(seen, sizeof seen, "/proc/%d/root%s", (int)memory->pid, path);
    enum elf_status status = elf_open(file, seen);
    return status == ELF_OK ? status : elf_open(file, path);
}

enum memory_state memory_find_registry(struct memory *memory, uint64_t *address)
{
    static struct library library;
    struct elf_file file;
    uint64_t value, bias;
    char magic[8];
    library = (struct library){.memory = memory};
    errno = 0;
    if (!read_maps(memory)) {
        return errno == EACCES || errno == EPERM ? MEMORY_FORBIDDEN : MEMORY_NONE;
    }
    if (!walk_mappings(memory, is_library, &library)) {
        return MEMORY_NONE;
    }
    if (open_of(memory, library.path, &file) != ELF_OK) {
        return MEMORY_NONE;
    }
    bool found = elf_symbol(&file, ELF_EXPORTED, ST_ROOT_SYMBOL, &value) && elf_base(&file, &bias);
    elf_close(&file);
    if (!found) {
        return MEMORY_NONE;
    }
    *address = library.start - bias + value;
    struct iovec here = {magic, sizeof magic}, there = {(void *)(uintptr_t)*address, sizeof magic};
    if (process_vm_readv(memory->pid, &here, 1, &there, 1, 0) == (ssize_t)sizeof magic) {
        return MEMORY_FOUND;
    }
    return errno == EPERM ? MEMORY_FORBIDDEN : MEMORY_NONE;
}

struct wanted_place {
    uint64_t address;
    struct memory_place *place;
};

static bool holds(const struct mapping *mapping, void *context)
{
    struct wanted_place *wanted = context;
    if (wanted->address < mapping->start || wanted->address >= mapping->end ||
        mapping->path[0] != '/') {
        return false;
    }
    strcpy(wanted->place->path, mapping->path);
    wanted->place->offset = wanted->address - mapping->start + mapping->offset;
    return true;
}

bool memory_place_of(struct memory *memory, uint64_t address, struct memory_place *place)
{
    struct wanted_place wanted = {address, place};
    struct elf_file file;
    if (memory->far != NULL) {
        return far_place(memory->far, address, place);
    }
    /* A library may have been loaded since the mappings were read. */
    if (!walk_mappings(memory, holds, &wanted) &&
        !(read_maps(memory) && walk_mappings(memory, holds, &wanted))) {
        return false;
    }
    if (open_of(memory, place->path, &file) == ELF_OK) {
        place->offset = elf_address(&file, place->offset);
        elf_close(&file);
    }
    return true;
}
