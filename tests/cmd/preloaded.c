/*
 * A job for tests without 'mpipp run'. "wrong: NAME" marks what is wrong in it.
 *
 *     preloaded           ends with status 3
 *     preloaded wait      rank 0 waits for a message that never comes; each rank says before that that MPI has started
 */
#include "../give_way.h"

#include <mpi.h>
#include <stdio.h>

/* Rank 1 receives other types than rank 0 has sent. */
static void exchange(int rank)
{
    int sent[2] = {1, 2};
    double got = 0;
    if (rank == 0)
        MPI_Send(sent, 2, MPI_INT, 1, 5, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(&got, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* wrong: message */
}

static void commit(void)
{
    MPI_Datatype three;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    MPI_Type_commit(&three); /* wrong: commit */
    MPI_Type_free(&three);
}

int main(int count, char **arguments)
{
    int rank, number = 0;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (count > 1) {
        give_way();
        MPI_Barrier(MPI_COMM_WORLD);
        printf("rank %d has started\n", rank);
        fflush(stdout);
        if (rank == 0)
            MPI_Recv(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    exchange(rank);
    commit();
    const MPI_Op op = rank == 0 ? MPI_SUM : MPI_MAX;
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, op, MPI_COMM_WORLD); /* wrong: operation */
    printf("rank %d ends\n", rank);
    MPI_Finalize();
    return 3;
}
