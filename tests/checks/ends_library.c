/* A library that ends MPI for its program: in its destructor, or in a handler of exit() that it registers
 * before main() runs. ENDS says which. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

MPI_Info kept = MPI_INFO_NULL;
MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
static const char *way;

static void finalize(void)
{
    MPI_Finalize();
}

static void free_kept(void)
{
    if (kept != MPI_INFO_NULL)
        MPI_Info_free(&kept);
    if (handler != MPI_ERRHANDLER_NULL)
        MPI_Errhandler_free(&handler);
}

__attribute__((constructor)) static void loaded(void)
{
    way = getenv("ENDS");
    if (way && strcmp(way, "handler") == 0)
        atexit(finalize);
}

__attribute__((destructor)) static void unloaded(void)
{
    if (way && strcmp(way, "destructor") == 0)
        MPI_Finalize();
    if (way && strcmp(way, "freed-late") == 0)
        free_kept();
}
