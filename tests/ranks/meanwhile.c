/* A tool between `concurrent` and MPI: MPI_Barrier and MPI_Win_fence call a
 * function of the program's instead of MPI, where there is one. */
#include <mpi.h>
#include <stddef.h>

void (*in_call)(void);

int MPI_Barrier(MPI_Comm comm)
{
    if (!in_call)
        return PMPI_Barrier(comm);
    in_call();
    return MPI_SUCCESS;
}

int MPI_Win_fence(int assertion, MPI_Win win)
{
    if (!in_call)
        return PMPI_Win_fence(assertion, win);
    in_call();
    return MPI_SUCCESS;
}
