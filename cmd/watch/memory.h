/*
 * The memory of another process, read without stopping it, and where its registry is.
 *
 *     struct memory memory = {.pid = pid};
 *     uint64_t root;
 *     switch (memory_find_registry(&memory, &root)) { case MEMORY_FOUND: ... }
 *     st_registry_open(&registry, memory_read, &memory, root, &fault);
 */
#ifndef MPIPP_WATCH_MEMORY_H
#define MPIPP_WATCH_MEMORY_H

#include <sys/types.h>

#include "core/model/memory.h"

struct memory {
    pid_t pid;
    char *maps; /* as they were read last; NULL: never */
    bool reads_ahead;
};

/* An st_read_fn; context: a struct memory. */
enum st_read_result memory_read(uint64_t address, void *buffer, size_t length, void *context);

/* What is read until memory_read_alone() may be as old as this call: a list whose members lie one behind the other
 * takes one read of the process. For one process at a time. */
void memory_read_ahead(struct memory *memory);
void memory_read_alone(struct memory *memory);

enum memory_state {
    MEMORY_FOUND,
    MEMORY_NONE,     /* no libshadowtype is in it (yet), or the process is gone */
    MEMORY_FORBIDDEN /* we may not look: another user's, ptrace_scope, a container */
};

/* Where the symbol shadowtype_registry lies in the process. */
enum memory_state memory_find_registry(struct memory *memory, uint64_t *address);

/* A piece of a file that is mapped at an address: what a place in the code is told by. */
struct memory_place {
    char path[4096];
    uint64_t offset; /* address less load bias */
};
/* False: nothing is known of the address. */
bool memory_place_of(struct memory *memory, uint64_t address, struct memory_place *place);

#endif
