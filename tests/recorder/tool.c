/* Another PMPI tool, as a library: counts calls, forwards to PMPI. */
#include <mpi.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int counted_vectors, counted_frees;

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
