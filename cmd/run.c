/*
 * mpipp run: becomes the program's own MPI launcher, which starts each rank through 'mpipp exec'.
 *
 *     mpipp run -n 2 ./a x : -n 1 ./b
 *  →  mpiexec.mpich -n 2 mpipp exec --mpi=mpich -- ./a x : -n 1 mpipp exec --mpi=mpich -- ./b
 */
#include "commands.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "launch.h"
#include "say.h"
#include "words.h"

int command_run(char *const *words)
{
    if (*words != NULL && strcmp(*words, "--help") == 0)
        return command_help((char *[]){"run", NULL});
    struct launch launch = {.command = "mpipp run"};
    launch_take(&launch, words);
    struct words command = {0};
    launch_command(&launch, &command);
    execvp(command.list[0], command.list);
    fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN, "cannot run the launcher '%s': %s",
         command.list[0], strerror(errno));
}
