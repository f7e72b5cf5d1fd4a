/*
 * aside: a program, or a module, of one MPI in a process that the library of the other MPI was
 * loaded into. Prints what is right. With a command as argument it runs that in rank 0, as a child.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int aside(int count, char **arguments)
{
    const int sent[4] = {1, 2, 3, 4};
    int rank, size, length, failed = 0, got[4] = {0};
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm copy;
    MPI_Datatype vector;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (count > 1 && rank == 0)
        failed = system(arguments[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "a copy");
    MPI_Comm_get_name(MPI_Comm_f2c(MPI_Comm_c2f(copy)), name, &length);
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Isend(sent, 1, vector, rank, 7, copy, &request);
    MPI_Recv(got, 1, vector, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&got[2], &size, 1, MPI_INT, MPI_SUM, copy);
    printf("%s of %s: %d %d %d, tag %d\n", name, count > 1 ? "parent" : "child", got[0], got[1],
           size, status.MPI_TAG);
    MPI_Type_free(&vector);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return failed != 0;
}

#ifndef MODULE
int main(int count, char **arguments)
{
    return aside(count, arguments);
}
#endif
