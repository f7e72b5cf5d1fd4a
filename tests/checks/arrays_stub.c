/* Stands in for the MPI library: wrong collective calls do not reach it. */
#include <mpi.h>

int PMPI_Gatherv(const void *send, int sends, MPI_Datatype send_type, void *receive,
                 const int *receives, const int *displs, MPI_Datatype receive_type, int root,
                 MPI_Comm comm)
{
    return MPI_SUCCESS;
}

int PMPI_Scatterv(const void *send, const int *sends, const int *displs, MPI_Datatype send_type,
                  void *receive, int receives, MPI_Datatype receive_type, int root, MPI_Comm comm)
{
    return MPI_SUCCESS;
}

int PMPI_Allgatherv(const void *send, int sends, MPI_Datatype send_type, void *receive,
                    const int *receives, const int *displs, MPI_Datatype receive_type,
                    MPI_Comm comm)
{
    return MPI_SUCCESS;
}

int PMPI_Alltoallv(const void *send, const int *sends, const int *send_displs,
                   MPI_Datatype send_type, void *receive, const int *receives,
                   const int *receive_displs, MPI_Datatype receive_type, MPI_Comm comm)
{
    return MPI_SUCCESS;
}
