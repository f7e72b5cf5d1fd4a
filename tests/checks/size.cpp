/* Blocks of new, new[] and of containers, as in size.c. Runs as one rank. */
#include <mpi.h>
#include <vector>

/* clang-format off */
int main()
{
    MPI_Init(nullptr, nullptr);
    double *many = new double[100], *one = new double;
    std::vector<int> list(10);
    MPI_Bcast(many, 100, MPI_DOUBLE, 0, MPI_COMM_SELF);
    MPI_Bcast(one, 1, MPI_DOUBLE, 0, MPI_COMM_SELF);
    MPI_Bcast(list.data(), 10, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Bcast(many, 101, MPI_DOUBLE, 0, MPI_COMM_SELF);           /* buffer-size */ /* at {100}+800 */
    MPI_Bcast(one, 2, MPI_DOUBLE, 0, MPI_COMM_SELF);              /* buffer-size */ /* at {1}+8 */
    MPI_Bcast(&list[9], 2, MPI_INT, 0, MPI_COMM_SELF);            /* buffer-size */ /* at {1}+4 */
    delete[] many;
    delete one;
    MPI_Finalize();
}
