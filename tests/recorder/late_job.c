/* What opened_late.c opens. */
#include <mpi.h>
#include <stddef.h>

int job(void)
{
    MPI_Datatype t;
    MPI_Init(NULL, NULL);
    MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    return MPI_Finalize();
}
