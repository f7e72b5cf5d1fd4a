/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Comm_spawn: records the children, too.
 *
 * A launcher starts the children, with another environment: so the command is replaced by `env
 * LD_PRELOAD=... command`. This is done only if this process itself was preloaded; if the program
 * is linked with the library, its children are as well.
 */
#ifndef ST_RUNTIME_WRAP_SPAWN_H
#define ST_RUNTIME_WRAP_SPAWN_H

#include <mpi.h>

enum { ST_SPAWN_OTHERS = 3 };

/* Replacements for the arguments of a call. Nothing is replaced if that is not possible: another
 * rank is the root, an info's "path" says where to look for the command, or there is no memory. */
struct st_spawn {
    int count; /* number of replaced commands */
    char *variables[ST_SPAWN_OTHERS +
                    3]; /* LD_PRELOAD, other variables that are set, the one of st_event_spawns();
                         NULL */
    char **commands;
    char ***arguments;
    char **argument; /* of MPI_Comm_spawn */
};

void st_spawn_begin(struct st_spawn *spawn, const char **command, char ***argv, MPI_Info info,
                    int root, MPI_Comm comm);
void st_spawn_multiple_begin(struct st_spawn *spawn, int count, char ***commands, char ****argvs,
                             const MPI_Info infos[], int root, MPI_Comm comm);
void st_spawn_end(struct st_spawn *spawn);

#endif
