/* mpipp explain collective-concurrent; mpipp run -n 2 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <time.h>

static void *work(void *unused)
{
    MPI_Barrier(MPI_COMM_WORLD); /* waits for rank 1 */
    return unused;
}

/* Waits until the other thread has computed for 50 ms: MPI_Barrier looks for messages all the time. */
static void let_enter(pthread_t thread)
{
    clockid_t clock;
    struct timespec used = {0, 0};
    pthread_getcpuclockid(thread, &clock);
    while (used.tv_sec == 0 && used.tv_nsec < 50000000)
        clock_gettime(clock, &used);
}

int main(int argc, char **argv)
{
    int rank, provided, n = 1;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, work, NULL);
        let_enter(thread);
        MPI_Bcast(&n, 0, MPI_INT, 0, MPI_COMM_WORLD); /* error: collective-concurrent */
        MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(&n, 0, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
