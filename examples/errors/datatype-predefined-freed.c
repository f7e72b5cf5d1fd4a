/* mpipp explain datatype-predefined-freed */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype type = MPI_INT;
    MPI_Init(&argc, &argv);
    MPI_Type_free(&type); /* error: datatype-predefined-freed */
    MPI_Finalize();
    return 0;
}
