/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out what kind of program this is, and which MPI it will use.
 *
 *     struct program program;
 *     program_find(&program, "./app");        // fills path, kind
 *     program_require_runnable(&program);     // ends mpipp with a sentence
 *     program_find_mpi(&program);             // fills mpi, mpi_library
 *
 * The program is not run, except that a Python interpreter is asked where its mpi4py is.
 */
#ifndef MPIPP_PROGRAM_H
#define MPIPP_PROGRAM_H

#include <stdbool.h>

#include "mpi_kind.h"
#include "words.h"

enum program_kind {
    PROGRAM_MISSING,
    PROGRAM_UNREADABLE,
    PROGRAM_DIRECTORY,
    PROGRAM_NOT_EXECUTABLE,
    PROGRAM_OTHER,    /* neither ELF nor "#!" */
    PROGRAM_STRANDED, /* a script whose interpreter cannot be run */
    PROGRAM_FOREIGN,
    PROGRAM_DAMAGED,
    PROGRAM_STATIC, /* the following kinds can be run */
    PROGRAM_DYNAMIC,
    PROGRAM_SCRIPT,
};

struct program {
    const char *name; /* as the user typed it */
    char *path;       /* contains a '/', for exec */
    enum program_kind kind;
    struct words interpreter; /* of a script: the words after "#!", with a leading env resolved */
    enum mpi_kind mpi;
    bool pmix;         /* it also loads PMIx */
    bool refused;      /* its loader cannot load it: its MPI is not known */
    char *missing;     /* the loader's message about the missing library; or NULL */
    char *mpi_soname;  /* the name under which its MPI library is requested; NULL: not known */
    char *mpi_library; /* its path; NULL if the loader does not find it */
};

/* Looks for NAME like exec: in PATH unless it contains a '/'; then, like MPI launchers, in the
 * current folder. */
void program_find(struct program *program, const char *name);

bool program_is_runnable(const struct program *program);

/* Ends mpipp with a sentence if the program cannot be run. */
void program_require_runnable(const struct program *program);

/* Finds the MPI among the libraries that the loader would load. */
void program_find_mpi(struct program *program);

/* Returns true if the launcher of another MPI may start it: it is MPICH built for PMIx, which Open
 * MPI's launcher uses. Open MPI always needs PMIx, which MPICH's launcher does not have. */
bool program_takes_other_launcher(const struct program *program, enum mpi_kind kind);

/* Returns why program_find_mpi() found no MPI, and what to do: one sentence, in new memory. */
char *program_no_mpi_sentence(const struct program *program);

bool program_is_core_file(const char *path);

#endif
