/* What reloads.c opens and closes. */
#include <mpi.h>

int job(void)
{
    MPI_Datatype t;
    MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    return MPI_Type_free(&t);
}

/* With another ROOM, the code comes to lie elsewhere. */
char room[ROOM] = {1};
