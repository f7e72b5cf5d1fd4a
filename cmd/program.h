/*
 * What is this program, and which MPI will it use?
 *
 *     struct program program;
 *     program_find(&program, "./app");        // fills path, kind
 *     program_require_runnable(&program);     // ends mpipp with a sentence
 *     program_find_mpi(&program);             // fills mpi, mpi_library
 *
 * Nothing of the program is run, except that a Python is asked where its mpi4py is.
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
    PROGRAM_STATIC, /* from here on it can be run */
    PROGRAM_DYNAMIC,
    PROGRAM_SCRIPT,
};

struct program {
    const char *name; /* as the user typed it */
    char *path;       /* with a '/' in it, for exec */
    enum program_kind kind;
    struct words interpreter; /* a script's: the words after "#!", a leading env resolved */
    enum mpi_kind mpi;
    bool pmix;         /* it loads PMIx, too */
    bool refused;      /* its loader cannot load it: nothing is known of its MPI */
    char *missing;     /* why: the loader's remark on a library that is not there, or NULL */
    char *mpi_library; /* its path; NULL if the loader does not find it */
};

/* Looks for NAME as exec does: in PATH unless it has a '/'; then, as MPI launchers do, here. */
void program_find(struct program *program, const char *name);

bool program_is_runnable(const struct program *program);

/* Ends mpipp with a sentence if it is not. */
void program_require_runnable(const struct program *program);

/* Looks through the libraries that the loader would load. */
void program_find_mpi(struct program *program);

/* True if another MPI's launcher may start it: it is MPICH built for PMIx, which is what Open MPI's
 * launcher speaks. Open MPI always needs PMIx, which MPICH's launcher does not speak. */
bool program_takes_other_launcher(const struct program *program, enum mpi_kind kind);

/* Why program_find_mpi found no MPI, and what to do: one sentence, in new memory. */
char *program_no_mpi_sentence(const struct program *program);

bool program_is_core_file(const char *path);

#endif
