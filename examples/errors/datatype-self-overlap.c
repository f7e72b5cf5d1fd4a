/* mpipp explain datatype-self-overlap */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sent[4] = {1, 2, 3, 4}, received[8];
    MPI_Datatype folded;
    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 2, 1, MPI_INT, &folded); /* stride 1: the blocks share an int */
    MPI_Type_commit(&folded);
    MPI_Sendrecv(sent, 4, MPI_INT, 0, 7, /* error: datatype-self-overlap */
                 received, 1, folded, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Type_free(&folded);
    MPI_Finalize();
    return 0;
}
