/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the memory of another process without stopping it, and finds its registry.
 *
 *     struct memory memory = {.pid = pid};
 *     uint64_t root;
 *     switch (memory_find_registry(&memory, &root)) { case MEMORY_FOUND: ... }
 *     st_registry_open(&registry, memory_read, &memory, root, &fault);
 */
#ifndef MPIPP_WATCH_MEMORY_H
#define MPIPP_WATCH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/model/memory.h"

enum { MEMORY_PAGES = 32 };

struct far_rank; /* nodes/far.h */

struct memory {
    pid_t pid;
    char *maps; /* as last read; NULL: never read */
    bool reads_ahead;
    uint64_t *pages; /* addresses of the pages that were used when it was last read ahead, of
                        MEMORY_PAGES: they are read first the next time, all at once. NULL: none was */
    size_t page_count;
    struct far_rank *far; /* not NULL: the process is on another node, whose agent reads it */
};

/* An st_read_fn whose context is a struct memory. */
enum st_read_result memory_read(uint64_t address, void *buffer, size_t length, void *context);

/* Reads at once all pages that were used between the previous two such calls for this process.
 * Until memory_read_alone(), reads may return data as old as this call, and read further pages as a
 * whole. So a look at a rank needs one system call, not thirty. Only one process at a time may be
 * read ahead. */
void memory_read_ahead(struct memory *memory);
void memory_read_alone(struct memory *memory);

enum memory_state {
    MEMORY_FOUND,
    MEMORY_NONE,     /* libshadowtype is not loaded (yet), or the process has ended */
    MEMORY_FORBIDDEN /* we have no permission: another user, ptrace_scope, a container */
};

/* Finds the address of the symbol shadowtype_registry in the process, which is on this node. */
enum memory_state memory_find_registry(struct memory *memory, uint64_t *address);

/* The part of a file that is mapped at an address. It identifies a place in the code. */
struct memory_place {
    char path[4096];
    uint64_t offset; /* the address minus the load bias */
};
/* Returns false if nothing is known of the address. */
bool memory_place_of(struct memory *memory, uint64_t address, struct memory_place *place);

#endif
