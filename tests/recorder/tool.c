/* Another PMPI tool, as a library: counts calls, forwards to PMPI. It spawns nothing, and says what
 * it was asked for: the words of the last command, a bar after each. */
#include <mpi.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int counted_vectors, counted_frees;
EXPORT char spawn_asked[10000];

EXPORT int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                           MPI_Datatype *newtype)
{
    counted_vectors++;
    return PMPI_Type_vector(count, blocklength, stride, oldtype, newtype);
}

EXPORT int MPI_Type_free(MPI_Datatype *datatype)
{
    counted_frees++;
    return PMPI_Type_free(datatype);
}

static int keep_words(const char *command, char *const *arguments)
{
    int length = snprintf(spawn_asked, sizeof spawn_asked, "%s|", command);
    for (; *arguments && length < (int)sizeof spawn_asked; arguments++)
        length +=
            snprintf(spawn_asked + length, sizeof spawn_asked - (size_t)length, "%s|", *arguments);
    return MPI_SUCCESS;
}

EXPORT int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root,
                          MPI_Comm comm, MPI_Comm *children, int codes[])
{
    (void)maxprocs, (void)info, (void)root, (void)comm, (void)children, (void)codes;
    return keep_words(command, argv);
}

EXPORT int MPI_Comm_spawn_multiple(int count, char *commands[], char **argvs[],
                                   const int maxprocs[], const MPI_Info infos[], int root,
                                   MPI_Comm comm, MPI_Comm *children, int codes[])
{
    (void)maxprocs, (void)infos, (void)root, (void)comm, (void)children, (void)codes;
    return keep_words(commands[count - 1], argvs[count - 1]);
}
