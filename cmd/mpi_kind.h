/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI libraries that mpipp knows. One libshadowtype is built for each, because their ABIs
 * differ.
 */
#ifndef MPIPP_MPI_KIND_H
#define MPIPP_MPI_KIND_H

#include <stdbool.h>

enum mpi_kind {
    MPI_KIND_NONE,    /* no MPI, or not visible before the program runs */
    MPI_KIND_UNKNOWN, /* another MPI library */
    MPI_KIND_ABI,     /* the MPI standard's own ABI (MPI 5), of any MPI library */
    MPI_KIND_MPICH,   /* MPICH and its ABI family (Intel MPI, MVAPICH, Cray MPICH) */
    MPI_KIND_OPENMPI,
};

/* Returns the name for --mpi and file names: "mpich", "openmpi". */
const char *mpi_kind_name(enum mpi_kind kind);

/* Returns true if there is a libshadowtype for it. */
bool mpi_kind_has_library(enum mpi_kind kind);

/* Returns the name for sentences: "MPICH", "Open MPI". */
const char *mpi_kind_title(enum mpi_kind kind);

/* Returns the kind that the user asked for, by OPTION (the value of --mpi, or NULL) or else by the
 * environment's MPIPP_MPI; MPI_KIND_NONE if by neither. Ends mpipp with a sentence if there is no
 * such kind. */
enum mpi_kind mpi_kind_asked(const char *option);

/* Returns the kind of the library at PATH; MPI_KIND_NONE if it is no MPI library. SONAME is the
 * name under which a program requests it. PATH may be NULL if the loader does not find it. */
enum mpi_kind mpi_kind_of_library(const char *soname, const char *path);

/* Sets environment variables so that KIND runs as a user who debugs expects: also as root, and with
 * more ranks than cores. Does not change variables that the user has set. */
void mpi_kind_prepare_environment(enum mpi_kind kind);

#endif
