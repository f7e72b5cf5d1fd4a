/* A tool between a program and MPI: MPI_Barrier and MPI_Win_fence call a
 * function of the program's instead of MPI, where there is one. MPI_Mrecv and MPI_Imrecv call
 * another one after MPI, which has taken the message's handle back. */
#include <mpi.h>
#include <stddef.h>

void (*in_call)(void), (*after_receive)(void);

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

int MPI_Mrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    int result = PMPI_Mrecv(data, count, type, message, status);
    if (after_receive)
        after_receive();
    return result;
}

int MPI_Imrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    int result = PMPI_Imrecv(data, count, type, message, request);
    if (after_receive)
        after_receive();
    return result;
}
