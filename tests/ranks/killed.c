/*
 * A storm of collective calls in which a rank is killed. One rank has passed another operation before.
 *
 *     killed [right]     right: it has not
 */
#include "common.h"

#include <signal.h>

int main(int argc, char **argv)
{
    int in[4] = {0}, out[4];
    MPI_Init(&argc, &argv);
    begin();
    for (int i = 0;; i++) {
        const MPI_Op op = i == 50 && rank == 0 && argc < 2 ? MPI_MAX : MPI_SUM;
        MPI_Allreduce(in, out, 4, MPI_INT, op, MPI_COMM_WORLD);
        MPI_Bcast(in, 4, MPI_INT, i % size, MPI_COMM_WORLD);
        if (i == 100 && rank == 1 && fork() == 0) {
            usleep(20000); /* it is in any call meanwhile */
            kill(getppid(), SIGKILL);
            _exit(0);
        }
    }
}
