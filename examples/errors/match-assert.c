/* mpipp explain match-assert */
#include <mpi.h>

int main(int argc, char **argv)
{
    int data = 0, there;
    MPI_Info info;
    MPI_Comm rows;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_source", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &rows);
    MPI_Info_free(&info);
    MPI_Iprobe(MPI_ANY_SOURCE, 7, rows, &there, &status); /* error: match-assert */
    if (there)
        MPI_Recv(&data, 1, MPI_INT, status.MPI_SOURCE, 7, rows, MPI_STATUS_IGNORE);
    MPI_Comm_free(&rows);
    MPI_Finalize();
    return data;
}
