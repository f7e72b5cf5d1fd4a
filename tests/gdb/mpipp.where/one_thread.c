/*
 * An MPI library with one thread and no network, of the few functions that where.c calls: gdb makes
 * checkpoints, and records, only processes of one thread, and MPI libraries start several.
 */
#include <mpi.h>
#include <stdlib.h>

#ifdef OPEN_MPI /* predefined types are objects of the library, and handles their addresses */
struct ompi_predefined_datatype_t {
    char data[512];
} ompi_mpi_double, ompi_mpi_int, ompi_mpi_datatype_null;
struct ompi_predefined_communicator_t {
    char data[512];
} ompi_mpi_comm_world;
static char made[1000][64];
#define NEXT(type) (*(type) = (MPI_Datatype)made[count++ % 1000])
#else
#define NEXT(type) (*(type) = (MPI_Datatype)(0x8c001000 + count++ % 1000))
#endif
static int count;

#pragma weak MPI_Init = PMPI_Init
#pragma weak MPI_Finalize = PMPI_Finalize
#pragma weak MPI_Abort = PMPI_Abort
#pragma weak MPI_Recv = PMPI_Recv
#pragma weak MPI_Send = PMPI_Send
#pragma weak MPI_Type_contiguous = PMPI_Type_contiguous
#pragma weak MPI_Type_vector = PMPI_Type_vector
#pragma weak MPI_Type_commit = PMPI_Type_commit
#pragma weak MPI_Type_free = PMPI_Type_free
#pragma weak MPI_Type_set_name = PMPI_Type_set_name

int PMPI_Init(int *argc, char ***argv)
{
    return MPI_SUCCESS;
}

int PMPI_Finalize(void)
{
    return MPI_SUCCESS;
}

int PMPI_Abort(MPI_Comm comm, int code)
{
    exit(code);
}

int PMPI_Recv(void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    return MPI_SUCCESS;
}

int PMPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return MPI_SUCCESS;
}

int PMPI_Type_contiguous(int n, MPI_Datatype old, MPI_Datatype *type)
{
    NEXT(type);
    return MPI_SUCCESS;
}

int PMPI_Type_vector(int n, int length, int stride, MPI_Datatype old, MPI_Datatype *type)
{
    NEXT(type);
    return MPI_SUCCESS;
}

int PMPI_Type_commit(MPI_Datatype *type)
{
    return MPI_SUCCESS;
}

int PMPI_Type_free(MPI_Datatype *type)
{
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int PMPI_Type_set_name(MPI_Datatype type, const char *name)
{
    return MPI_SUCCESS;
}
