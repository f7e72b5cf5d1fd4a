/*
 * sanitized fine | count | memory: correct; an error for the checker; errors for sanitizers. Prints
 * what each rank has to have then: "sum N" in a world of N ranks.
 */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "fine";
    int rank, *values = (int *)malloc(10 * sizeof *values);
    MPI_Request request;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        values[i] = 1;
    MPI_Allreduce(MPI_IN_PLACE, values, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(what, "count") == 0)
        MPI_Bcast(values, -1, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(what, "memory") == 0) {
        volatile int most = INT_MAX;
        printf("%d\n", most + rank + 1);
        printf("%d\n", values[10 + rank]);
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("sum %d\n", values[9]);
    free(values);
    MPI_Finalize();
    return 0;
}
