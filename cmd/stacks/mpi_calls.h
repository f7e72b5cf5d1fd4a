/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI calls that the threads of a rank are in, read from the registry in its memory, without
 * stopping it.
 */
#ifndef MPIPP_STACKS_MPI_CALLS_H
#define MPIPP_STACKS_MPI_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct mpi_calls;

/* Returns the current calls; NULL if the process has no registry, or if it cannot be read. */
struct mpi_calls *mpi_calls_read(pid_t pid);

/* The same from a registry that is open and refreshed. It has to last as long as the result, which is
 * freed by mpi_calls_free(). */
struct st_registry;
struct mpi_calls *mpi_calls_of(struct st_registry *registry);
void mpi_calls_free(struct mpi_calls *calls);

/* Returns what the process is in, as one line of new memory: "MPI_Recv from 1, tag 7,
 * MPI_COMM_WORLD"; for several threads one after the other; "outside MPI", "before MPI_Init",
 * "after MPI_Finalize". Of nested calls the innermost counts. A call that was left by longjmp()
 * counts until its thread calls MPI again. */
char *mpi_calls_line(struct mpi_calls *calls);

/* Returns for how long the process has been in these calls, "41 s" (core/waits/since.h), in new
 * memory. NULL: no `mpipp run` watches it. */
char *mpi_calls_since(struct mpi_calls *calls);

struct call_argument {
    const char *name;  /* the standard's name: "source" */
    const char *value; /* "1", "MPI_ANY_SOURCE", "MPI_COMM_WORLD" */
};

enum { MOST_CALL_ARGUMENTS = 16 };

struct mpi_call {
    const char *function; /* "MPI_Recv" */
    struct call_argument
        arguments[MOST_CALL_ARGUMENTS]; /* ranks, tags, communicators, windows, files */
    size_t count;
    const char
        *script; /* the line of Python that calls: "halo.py:12 in exchange"; NULL: not Python, or
                   not known */
};

/* Finds the call of THREAD that returns to the address PC. Returns false if there is no such call,
 * or if it cannot be read any more. */
bool mpi_calls_find(struct mpi_calls *calls, pid_t thread, uint64_t pc, struct mpi_call *call);

#endif
