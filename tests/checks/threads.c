/* Correct calls from many threads at once, each with tags and datatypes of its own; and a child that
 * is forked meanwhile. Nothing may be reported. Runs as two ranks. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 6, STEPS = 40 };

static int rank, other;

static void *work(void *number)
{
    int tag = (int)(intptr_t)number, in[16], out[16] = {0};
    MPI_Comm mine;
    MPI_Comm_dup(MPI_COMM_SELF, &mine);
    for (int i = 0; i < STEPS; i++) {
        MPI_Datatype type;
        MPI_Request requests[2], kept;
        MPI_Status statuses[2];
        int flag = 0;
        MPI_Type_vector(4, 1, 2 + i % 3, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Irecv(in, 1, type, other, tag, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, 1, type, other, tag, MPI_COMM_WORLD, &requests[1]);
        MPI_Type_free(&type);
        if (i % 2)
            MPI_Waitall(2, requests, statuses);
        while (i % 2 == 0 && !flag)
            MPI_Testall(2, requests, &flag, statuses);
        MPI_Isend(out, 4, MPI_INT, 0, tag, mine, &kept);
        MPI_Recv(in, 4, MPI_INT, 0, tag, mine, statuses);
        MPI_Wait(&kept, statuses);
        MPI_Send_init(out, 4, MPI_INT, MPI_PROC_NULL, tag, mine, &kept);
        MPI_Start(&kept);
        MPI_Wait(&kept, statuses);
        MPI_Request_free(&kept);
    }
    MPI_Comm_free(&mine);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    if (provided == MPI_THREAD_MULTIPLE) {
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
        pid_t child = fork();
        if (child == 0)
            execlp("true", "true", (char *)NULL), _exit(1);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        waitpid(child, NULL, 0);
    }
    MPI_Finalize();
    return 0;
}
