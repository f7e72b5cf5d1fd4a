/* Stands in for the MPI library: wrong one-sided calls do not reach it. */
#include <mpi.h>

int PMPI_Put(const void *buffer, int count, MPI_Datatype type, int target, MPI_Aint there,
             int target_count, MPI_Datatype target_type, MPI_Win win)
{
    return MPI_SUCCESS;
}

int PMPI_Get(void *buffer, int count, MPI_Datatype type, int target, MPI_Aint there,
             int target_count, MPI_Datatype target_type, MPI_Win win)
{
    return MPI_SUCCESS;
}

int PMPI_Accumulate(const void *buffer, int count, MPI_Datatype type, int target, MPI_Aint there,
                    int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win)
{
    return MPI_SUCCESS;
}
