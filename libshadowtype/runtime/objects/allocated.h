/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that MPI has allocated for the program (MPI_Alloc_mem, MPI_Win_allocate,
 * MPI_Win_allocate_shared), with the requested size, wherever the MPI library has taken it from.
 *
 * Recorded while --check=size is on (size.h).
 */
#ifndef ST_RUNTIME_OBJECTS_ALLOCATED_H
#define ST_RUNTIME_OBJECTS_ALLOCATED_H

#include "runtime/objects/memory.h"
#include "runtime/wrap/facts.h"

/* Finds the block that contains the byte at `address`. Returns false if there is none. The caller
 * holds the recorder's lock. */
bool st_allocated_at(uint64_t address, struct st_memory_block *memory);

/* Called before and after each call that allocates memory, or frees it. */
void st_allocated_before(const struct st_facts *facts);
void st_allocated_after(const struct st_facts *facts, bool succeeded);

#endif
