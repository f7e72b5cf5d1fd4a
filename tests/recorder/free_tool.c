/* A PMPI tool below the recorder that lets the program stand in for MPI_Type_free: to refuse, or
 * to take its time before the call comes back. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

typedef int free_fn(MPI_Datatype *datatype);

__attribute__((visibility("default"))) int (*free_tool)(MPI_Datatype *datatype, free_fn *real);

__attribute__((visibility("default"))) int MPI_Type_free(MPI_Datatype *datatype)
{
    free_fn *real;
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Type_free");
    return free_tool ? free_tool(datatype, real) : real(datatype);
}
