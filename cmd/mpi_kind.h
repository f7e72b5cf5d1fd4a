/*
 * The MPI libraries that mpipp knows. One libshadowtype is built for each, since their ABIs differ.
 */
#ifndef MPIPP_MPI_KIND_H
#define MPIPP_MPI_KIND_H

#include <stdbool.h>

enum mpi_kind {
    MPI_KIND_NONE,    /* no MPI, or none that can be seen before the program runs */
    MPI_KIND_UNKNOWN, /* an MPI library that is neither of the two */
    MPI_KIND_ABI,     /* the MPI standard's own ABI (MPI 5), of any MPI library */
    MPI_KIND_MPICH,   /* MPICH and its ABI family (Intel MPI, MVAPICH, Cray MPICH) */
    MPI_KIND_OPENMPI,
};

/* As --mpi and file names have it: "mpich", "openmpi". */
const char *mpi_kind_name(enum mpi_kind kind);

/* Whether there is a libshadowtype for it. */
bool mpi_kind_has_library(enum mpi_kind kind);

/* As people write it: "MPICH", "Open MPI". */
const char *mpi_kind_title(enum mpi_kind kind);

/* What the user asked for: OPTION (the value of --mpi, or NULL), else the environment's MPIPP_MPI;
 * MPI_KIND_NONE if neither is there. Ends mpipp with a sentence on a name that is none. */
enum mpi_kind mpi_kind_asked(const char *option);

/* Which MPI the library at PATH is; MPI_KIND_NONE: it is no MPI library. SONAME is the name under
 * which it is asked for; PATH may be NULL if the loader does not find it. */
enum mpi_kind mpi_kind_of_library(const char *soname, const char *path);

/* Sets what KIND needs in the environment to run as a debugging user expects: as root, and with
 * more ranks than cores. What the user has set already stays. */
void mpi_kind_prepare_environment(enum mpi_kind kind);

#endif
