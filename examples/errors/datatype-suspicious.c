/* mpipp explain datatype-suspicious */
#include <mpi.h>

int main(int argc, char **argv)
{
    struct cell {
        int kind;
        double value;
    } cell = {1, 2.0};
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, sizeof(int)}; /* no padding before value */
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, cell_t;
    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(2, lengths, places, types, &cell_t);
    MPI_Type_commit(&cell_t);
    MPI_Bcast(&cell, 1, cell_t, 0, MPI_COMM_WORLD); /* error: datatype-suspicious */
    MPI_Type_free(&cell_t);
    MPI_Finalize();
    return 0;
}
