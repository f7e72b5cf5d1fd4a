/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/built_for.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/* The libraries with MPICH's binary interface have MPICH's macros, too. */
#if defined(OMPI_MAJOR_VERSION)
#define PRODUCT "Open MPI"
#define BEFORE_VERSION "Open MPI v"
#define VERSION TEXT(OMPI_MAJOR_VERSION) "." TEXT(OMPI_MINOR_VERSION) "." TEXT(OMPI_RELEASE_VERSION)
#elif defined(I_MPI_VERSION)
#define PRODUCT "Intel MPI"
#define VERSION I_MPI_VERSION
#elif defined(MVAPICH_VERSION)
#define PRODUCT "MVAPICH"
#define VERSION MVAPICH_VERSION
#elif defined(MVAPICH2_VERSION)
#define PRODUCT "MVAPICH2"
#define VERSION MVAPICH2_VERSION
#else
#define PRODUCT "MPICH"
#define BEFORE_VERSION "MPICH Version:"
#define VERSION MPICH_VERSION
#endif

#ifdef ST_MPI_SONAME
#define LIBRARY ", " ST_MPI_SONAME
#else
#define LIBRARY ""
#endif

extern const char shadowtype_built_for[];
__attribute__((visibility("default"))) const char shadowtype_built_for[] =
    PRODUCT " " VERSION LIBRARY;

#ifdef BEFORE_VERSION

bool st_built_for_other(const char *version, char *sentence, size_t room)
{
    static const char before[] = BEFORE_VERSION;
    if (strncmp(version, before, sizeof before - 1) != 0) {
        return false;
    }
    version += sizeof before - 1;
    version += strspn(version, " \t");
    const long major = strtol(version, NULL, 10);
    if (major <= 0 || major == strtol(VERSION, NULL, 10)) {
        return false;
    }
    snprintf(
        sentence, room,
        "the ranks use %s %.*s, and this libshadowtype was built for %s %s: MPI functions that "
        "only one of them has are not checked ('make MPICC=' builds it for another MPI)",
        PRODUCT, (int)strcspn(version, " \t,"), version, PRODUCT, VERSION);
    return true;
}

#else

bool st_built_for_other(const char *version, char *sentence, size_t room)
{
    (void)version;
    (void)sentence;
    (void)room;
    return false;
}

#endif
