/* mpipp explain thread-level */
#include <mpi.h>
#include <pthread.h>

static void *work(void *unused)
{
    int n = 1;
    MPI_Send(&n, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* error: thread-level */
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
