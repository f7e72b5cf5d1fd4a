/*
 * The memory that MPI gave the program: MPI_Alloc_mem, MPI_Win_allocate, MPI_Win_allocate_shared,
 * with the size that was asked for, whatever the MPI library made it of.
 *
 * Kept while --check=size is on (size.h).
 */
#ifndef ST_RUNTIME_OBJECTS_GIVEN_H
#define ST_RUNTIME_OBJECTS_GIVEN_H

#include "runtime/objects/memory.h"
#include "runtime/wrap/facts.h"

/* Finds the block that has the byte at `address`. Returns false if there is none. The caller holds the
 * recorder's lock. */
bool st_given_at(uint64_t address, struct st_memory_block *memory);

/* Called before and after each call that gives memory, or takes it back. */
void st_given_before(const struct st_facts *facts);
void st_given_after(const struct st_facts *facts, bool succeeded);

#endif
