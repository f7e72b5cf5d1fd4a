/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_kind.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_file.h"
#include "say.h"
#include "words.h"

const char *mpi_kind_name(enum mpi_kind kind)
{
    return kind == MPI_KIND_MPICH ? "mpich" : "openmpi";
}

bool mpi_kind_has_library(enum mpi_kind kind)
{
    return kind == MPI_KIND_MPICH || kind == MPI_KIND_OPENMPI;
}

const char *mpi_kind_title(enum mpi_kind kind)
{
    return kind == MPI_KIND_MPICH ? "MPICH" : "Open MPI";
}

enum mpi_kind mpi_kind_asked(const char *option)
{
    const char *name = option != NULL ? option : getenv("MPIPP_MPI");
    if (name == NULL || (option == NULL && name[0] == '\0')) {
        return MPI_KIND_NONE;
    }
    for (enum mpi_kind kind = MPI_KIND_MPICH; kind <= MPI_KIND_OPENMPI; kind++) {
        if (strcmp(name, mpi_kind_name(kind)) == 0) {
            return kind;
        }
    }
    fail(STATUS_USAGE, "no MPI is called '%s'%s: 'mpich' or 'openmpi'", name,
         option != NULL ? "" : " (in MPIPP_MPI)");
}

/* The soname is not enough: both MPICH and Open MPI have used libmpi.so.12. */
static enum mpi_kind kind_by_symbols(const char *path)
{
    struct elf_file file;
    if (elf_open(&file, path) != ELF_OK) {
        return MPI_KIND_NONE;
    }

    enum mpi_kind kind = MPI_KIND_NONE;
    if (elf_defines(&file, ELF_EXPORTED, "PMPI_Init")) {
        kind = MPI_KIND_UNKNOWN;
        if (elf_defines(&file, ELF_EXPORTED, "ompi_*")) {
            kind = MPI_KIND_OPENMPI;
        } else if (elf_defines(&file, ELF_EXPORTED, "MPIR_*") ||
                   elf_defines(&file, ELF_EXPORTED, "MPICH*") ||
                   elf_defines(&file, ELF_EXPORTED, "I_MPI_*")) {
            kind = MPI_KIND_MPICH;
        }
    }
    elf_close(&file);
    return kind;
}

enum mpi_kind mpi_kind_of_library(const char *soname, const char *path)
{
    if (!text_begins(soname, "libmpi") && !text_begins(soname, "libpmpi")) {
        return MPI_KIND_NONE;
    }
    /* MPICH and Open MPI both have one. Its handles are the standard's, which no libshadowtype
     * supports. */
    if (text_begins(soname, "libmpi_abi.")) {
        return MPI_KIND_ABI;
    }
    if (path != NULL) {
        return kind_by_symbols(path);
    }
    if (text_begins(soname, "libmpich.so.")) {
        return MPI_KIND_MPICH;
    }
    if (strcmp(soname, "libmpi.so.40") == 0 || strcmp(soname, "libmpi.so.20") == 0) {
        return MPI_KIND_OPENMPI;
    }
    return MPI_KIND_NONE;
}

/* In a batch job the scheduler's slots are a promise to other users, and stay. Outside of one, Open
 * MPI counts the cores of a laptop. */
static bool in_batch_job(void)
{
    static const char *const marks[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID",
                                        "COBALT_JOBID"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (getenv(marks[i]) != NULL) {
            return true;
        }
    }
    return false;
}

void mpi_kind_prepare_environment(enum mpi_kind kind)
{
    if (kind != MPI_KIND_OPENMPI) {
        return;
    }
    /* Open MPI 4 reads OMPI_*, the launcher of Open MPI 5 PRTE_*. */
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
        setenv("PRTE_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    if (!in_batch_job()) {
        setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
        setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 0);
    }
}
