/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "say.h"
#include "words.h"

/* Returns true if a launcher's output for --version contains a text that no other MPI's launcher
 * prints. */
static bool says_kind(const char *version, enum mpi_kind kind)
{
    static const char *const of_mpich[] = {"HYDRA", "Intel(R) MPI", "MPICH", NULL};
    static const char *const of_openmpi[] = {"Open MPI", "OpenRTE", "PRRTE", NULL};

    const char *const *marks = kind == MPI_KIND_MPICH ? of_mpich : of_openmpi;
    for (; *marks != NULL; marks++) {
        if (strstr(version, *marks) != NULL) {
            return true;
        }
    }
    return false;
}

/* Returns what the launcher prints for --version; "" if it does not know that option. */
static char *version_of(const char *launcher)
{
    struct words command = {0};
    words_add(&command, launcher);
    words_add(&command, "--version");
    char *answer;
    return child_output(command.list, &answer) == 0 ? answer : text_of("%s", "");
}

static bool belongs_to(const char *launcher, enum mpi_kind kind)
{
    return says_kind(version_of(launcher), kind);
}

/* Returns PREFIX/bin/mpiexec for a library PREFIX/lib/libmpi.so: a machine may have several MPIs of
 * one kind. */
static char *beside_library(enum mpi_kind kind, const char *library)
{
    char path[PATH_MAX];
    if (library == NULL || realpath(library, path) == NULL) {
        return NULL;
    }
    for (int levels = 0; levels < 2; levels++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL) {
            return NULL;
        }
        *slash = '\0';
    }
    char *launcher = text_of("%s/bin/mpiexec", path);
    return access(launcher, X_OK) == 0 && belongs_to(launcher, kind) ? launcher : NULL;
}

static bool environment_has(const char *name, const char *value)
{
    const char *found = getenv(name);
    return found != NULL && (value == NULL || strcmp(found, value) == 0);
}

bool launcher_is_wrong(enum mpi_kind kind)
{
    /* If one launcher runs under another, the inner one counts. */
    bool by_mpich = environment_has("PMI_RANK", NULL) && environment_has("HYDI_CONTROL_FD", NULL);
    bool by_openmpi = environment_has("OMPI_COMM_WORLD_RANK", NULL);
    if (by_mpich == by_openmpi) {
        return false;
    }
    if (by_mpich) {
        return kind == MPI_KIND_OPENMPI && environment_has("PMI_RANK", "0") &&
               !environment_has("PMI_SIZE", "1");
    }
    return kind == MPI_KIND_MPICH && !environment_has("PMI_RANK", NULL) &&
           environment_has("OMPI_COMM_WORLD_RANK", "0") &&
           !environment_has("OMPI_COMM_WORLD_SIZE", "1");
}

bool launcher_is_known(const char *launcher)
{
    static const char *const names[] = {"mpiexec", "mpirun", "orterun", "prterun", NULL};
    for (const char *const *name = names; *name != NULL; name++) {
        if (text_begins(text_base_name(launcher), *name)) {
            return true;
        }
    }
    return false;
}

bool launcher_belongs_to_other(const char *launcher, enum mpi_kind kind)
{
    enum mpi_kind other = kind == MPI_KIND_MPICH ? MPI_KIND_OPENMPI : MPI_KIND_MPICH;
    if (!launcher_is_known(launcher)) {
        return false;
    }
    const char *version = version_of(launcher);
    return says_kind(version, other) && !says_kind(version, kind);
}

char *launcher_find(enum mpi_kind kind, const char *library)
{
    static const char *const of_mpich[] = {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", "mpirun",
                                           NULL};
    static const char *const of_openmpi[] = {"mpirun.openmpi", "mpiexec.openmpi", "mpirun",
                                             "mpiexec", NULL};

    char *launcher = beside_library(kind, library);
    if (launcher != NULL) {
        return launcher;
    }
    const char *const *names = kind == MPI_KIND_MPICH ? of_mpich : of_openmpi;
    for (; *names != NULL; names++) {
        if (belongs_to(*names, kind)) {
            return text_of("%s", *names);
        }
    }
    fail(STATUS_NOT_FOUND, "no launcher of %s in PATH: name one by --launcher",
         mpi_kind_title(kind));
}
