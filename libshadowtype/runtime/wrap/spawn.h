/*
 * MPI_Comm_spawn: children are recorded, too.
 *
 * A launcher starts them, with an environment of its own: so the command becomes `env
 * LD_PRELOAD=... command`. Only where this process was preloaded itself; a program that is linked
 * with the library has children that are.
 */
#ifndef ST_RUNTIME_WRAP_SPAWN_H
#define ST_RUNTIME_WRAP_SPAWN_H

#include <mpi.h>

enum { ST_SPAWN_OTHERS = 3 };

/* What stands for the arguments of a call. Nothing is replaced where that cannot be done (another
 * rank is the root, the command is looked for along an info's "path", no memory). */
struct st_spawn {
    int count; /* commands that were replaced */
    char *
        variables[ST_SPAWN_OTHERS +
                  3]; /* LD_PRELOAD, those others that are set, what st_event_spawns() says; NULL */
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
