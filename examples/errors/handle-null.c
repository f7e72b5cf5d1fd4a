/* mpipp explain handle-null */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Group group;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_free(&group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &copy); /* error: handle-null */
    MPI_Finalize();
    return 0;
}
