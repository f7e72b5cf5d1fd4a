/* mpipp explain handle-freed */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info hints, copy;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "mpi_assert_no_any_tag", "true");
    copy = hints;
    MPI_Info_free(&hints);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int made = MPI_Comm_dup_with_info(MPI_COMM_WORLD, copy, &comm); /* error: handle-freed */
    if (made == MPI_SUCCESS)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
