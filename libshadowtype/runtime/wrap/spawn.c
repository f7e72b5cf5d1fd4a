/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/spawn.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/groups.h"
#include "runtime/wrap/events.h"
#include "runtime/wrap/function.h"

static const char env[] = "env";
static const char preload[] = "LD_PRELOAD";
static const char *const others[ST_SPAWN_OTHERS] = {"MPIPP_CALLERS", ST_CHECK_VARIABLE,
                                                    ST_SYNCHRONOUS_VARIABLE};

static char *assignment(const char *name)
{
    const char *value = secure_getenv(name);
    char *text = NULL;
    if (!value || asprintf(&text, "%s=%s", name, value) < 0) {
        return NULL;
    }
    return text;
}

static bool is_root(int root, MPI_Comm comm)
{
    typedef int ask(MPI_Comm, int *);
    ask *get_rank = (ask *)st_mpi_function("PMPI_Comm_rank");
    int rank;
    return get_rank && get_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

static bool has_place(MPI_Info info)
{
    typedef int ask(MPI_Info, const char *, int, char *, int *);
    ask *get = (ask *)st_mpi_function("PMPI_Info_get");
    char value[2];
    int path = 0, folder = 0;
#ifdef OPEN_MPI
    /* By the address of the object: the macro would make this library need the symbol in every
     * program. */
    void *null = dlsym(RTLD_DEFAULT, "ompi_mpi_info_null");
    if ((void *)info == (null ? null : st_mpi_function("ompi_mpi_info_null"))) {
        return false;
    }
#else
    if (info == MPI_INFO_NULL) {
        return false;
    }
#endif
    return !get || get(info, "path", 1, value, &path) != MPI_SUCCESS || path ||
           get(info, "wdir", 1, value, &folder) != MPI_SUCCESS || folder;
}

/* Returns true if `env` will find the command where MPI would. If this is not sure, the call is not
 * changed: the program must handle a command that MPI cannot start. */
static bool is_program(const char *command)
{
    if (strchr(command, '/')) {
        return access(command, X_OK) == 0;
    }
    const char *path = secure_getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char *file = NULL;
        bool found =
            asprintf(&file, "%.*s/%s", (int)length, path, command) >= 0 && access(file, X_OK) == 0;
        free(file);
        if (found) {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/* Returns the argv of `env` for a command; NULL if there is no memory. */
static char **arguments_of(const struct st_spawn *spawn, const char *command, char **argv)
{
    size_t given = 0, at = 0;
    while (argv && argv[given]) {
        given++;
    }
    char **all = calloc(given + ST_SPAWN_OTHERS + 4, sizeof *all);
    if (!all) {
        return NULL;
    }
    for (int i = 0; spawn->variables[i]; i++) {
        all[at++] = spawn->variables[i];
    }
    all[at++] = (char *)(uintptr_t)command;
    for (size_t i = 0; i < given; i++) {
        all[at++] = argv[i];
    }
    return all;
}

static bool is_ours(char *const *argv)
{
    return argv && argv[0] && strncmp(argv[0], preload, sizeof preload - 1) == 0;
}

/* Returns false if the call must not be changed. */
static bool begin_spawn(struct st_spawn *spawn, int root, MPI_Comm comm)
{
    *spawn = (struct st_spawn){0};
    const char *libraries = secure_getenv(preload);
    if (!libraries || !strstr(libraries, "libshadowtype") || !is_root(root, comm)) {
        return false;
    }
    spawn->variables[0] = assignment(preload);
    int at = 1;
    for (int i = 0; i < ST_SPAWN_OTHERS; i++) {
        spawn->variables[at] = assignment(others[i]);
        at += spawn->variables[at] != NULL;
    }
    uint64_t handle = 0;
    memcpy(&handle, &comm, sizeof comm);
    spawn->variables[at] = st_event_spawns(handle);
    return spawn->variables[0];
}

void st_spawn_begin(struct st_spawn *spawn, const char **command, char ***argv, MPI_Info info,
                    int root, MPI_Comm comm)
{
    if (!begin_spawn(spawn, root, comm) || !*command || is_ours(*argv) || has_place(info) ||
        !is_program(*command)) {
        return;
    }
    spawn->argument = arguments_of(spawn, *command, *argv);
    if (!spawn->argument) {
        return;
    }
    *command = env;
    *argv = spawn->argument;
}

void st_spawn_multiple_begin(struct st_spawn *spawn, int count, char ***commands, char ****argvs,
                             const MPI_Info infos[], int root, MPI_Comm comm)
{
    if (!begin_spawn(spawn, root, comm) || count < 1 || !*commands) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if ((*argvs && is_ours((*argvs)[i])) || has_place(infos[i]) ||
            !is_program((*commands)[i])) {
            return;
        }
    }
    spawn->commands = calloc((size_t)count, sizeof *spawn->commands);
    spawn->arguments = calloc((size_t)count, sizeof *spawn->arguments);
    if (!spawn->commands || !spawn->arguments) {
        return;
    }
    spawn->count = count;
    for (int i = 0; i < count; i++) {
        spawn->commands[i] = (char *)(uintptr_t)env;
        spawn->arguments[i] = arguments_of(spawn, (*commands)[i], *argvs ? (*argvs)[i] : NULL);
        if (!spawn->arguments[i]) {
            return;
        }
    }
    *commands = spawn->commands;
    *argvs = spawn->arguments;
}

void st_spawn_end(struct st_spawn *spawn)
{
    for (int i = 0; i < spawn->count; i++) {
        free(spawn->arguments[i]);
    }
    free(spawn->arguments);
    free(spawn->commands);
    free(spawn->argument);
    for (int i = 0; i <= ST_SPAWN_OTHERS + 1; i++) {
        free(spawn->variables[i]);
    }
}
