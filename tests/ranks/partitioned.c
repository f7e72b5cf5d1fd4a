/*
 * Partitioned communication from rank 0 to rank 1: partitioned HOW. Messages are matched in the order of
 * MPI_Psend_init and MPI_Precv_init, whatever is sent with the same tag otherwise.
 *
 *     right    they are right: sender and receiver have other numbers of partitions, or other datatypes of equal
 *              basic types; some are never started
 *     type     another basic type (marked)
 *     long     the receive has less room (marked)
 *     handled  the same, and the program handles the error
 *     parts    threads that mark, or look for, partitions of their own of one request
 *     threads  threads that have requests and tags of their own; the last one's is another basic type (marked)
 */
#include <pthread.h>

#include "common.h"

enum { TAG = 5, DOUBLES = 64 };

static double data[4][DOUBLES];

static MPI_Request init(int number, int partitions, int count, MPI_Datatype type)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(data[number], partitions, count, type, 1, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    else
        MPI_Precv_init(data[number], partitions, count, type, 0, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    return request;
}

static void transfer(MPI_Request *request, int partitions, int wanted)
{
    int there = 0;
    MPI_Start(request);
    if (rank == 0)
        MPI_Pready_range(0, partitions - 1, *request);
    for (int i = 0; rank == 1 && i < wanted; i++, there = 0)
        while (!there)
            MPI_Parrived(*request, i, &there);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* With the same tag. */
static void send_others(void)
{
    short some[4] = {0};
    if (rank == 0)
        MPI_Send(some, 4, MPI_SHORT, 1, TAG, MPI_COMM_WORLD);
    else
        MPI_Recv(some, 4, MPI_SHORT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void right(void)
{
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_LONG, &two);
    MPI_Type_commit(&two);
    send_others();
    MPI_Request requests[] = {
        rank == 0 ? init(0, 4, 2, MPI_DOUBLE) : init(0, 2, 4, MPI_DOUBLE),
        rank == 0 ? init(1, 1, 8, MPI_LONG) : init(1, 2, 2, two),
        init(2, 3, 1, MPI_INT), /* never started */
        init(3, 4, 2, MPI_FLOAT),
    };
    send_others();
    const int partitions[] = {4, 1, 3, 4}, wanted[] = {2, 2, 3, 4};
    for (int times = 0; times < 5; times++)
        for (int i = 3; i >= 0; i--)
            if (i != 2)
                transfer(&requests[i], partitions[i], wanted[i]);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    send_others();
    MPI_Type_free(&two);
}

static void wrong(void)
{
    MPI_Request first = init(0, 2, 1, MPI_LONG), second;
    if (rank == 0)
        MPI_Psend_init(/* type: send */ data[1], 4, 2, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &second);
    else
        MPI_Precv_init(/* type: receive */ data[1], 8, 1, MPI_LONG, 0, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &second);
    for (int times = 0; times < 3; times++) {
        transfer(&second, 4, 8);
        transfer(&first, 2, 2);
    }
    MPI_Request_free(&first);
    MPI_Request_free(&second);
}

static void too_long(const char *how)
{
    MPI_Request request;
    if (strcmp(how, "handled") == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* MPICH 4.0.2 calls this one */
    }
    if (rank == 0)
        MPI_Psend_init(/* long: send */ data[0], 4, 2, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(/* long: receive */ data[0], 2, 2, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    transfer(&request, 4, 0);
    MPI_Request_free(&request);
}

enum { THREADS = 4, PARTS = 8 };

static MPI_Request shared;

static void *mark_parts(void *number)
{
    const int first = *(int *)number * PARTS;
    for (int i = first, there = 0; i < first + PARTS; i++, there = 0)
        if (rank == 0)
            MPI_Pready(i, shared);
        else
            while (!there)
                MPI_Parrived(shared, i, &there);
    return NULL;
}

static void *transfer_own(void *number)
{
    const int own = *(int *)number, tag = TAG + 1 + own;
    MPI_Datatype type = own == THREADS - 1 && rank == 1 ? MPI_LONG : MPI_DOUBLE;
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(/* threads: send */ data[own], 4, 2, type, 1, tag, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(/* threads: receive */ data[own], 2, 4, type, 0, tag, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    for (int times = 0; times < 5; times++)
        transfer(&request, 4, 2);
    MPI_Request_free(&request);
    return NULL;
}

static void start_threads(void *run(void *number))
{
    static const int numbers[THREADS] = {0, 1, 2, 3};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)&numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void in_parts(void)
{
    shared = init(0, THREADS * PARTS, 2, MPI_DOUBLE);
    for (int times = 0; times < 5; times++) {
        MPI_Start(&shared);
        start_threads(mark_parts);
        MPI_Wait(&shared, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&shared);
}

int main(int argc, char **argv)
{
    const int in_threads = strcmp(argv[1], "parts") == 0 || strcmp(argv[1], "threads") == 0;
    int level;
    MPI_Init_thread(&argc, &argv, in_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    begin();
    if (strcmp(argv[1], "right") == 0)
        right();
    else if (strcmp(argv[1], "type") == 0)
        wrong();
    else if (strcmp(argv[1], "parts") == 0)
        in_parts();
    else if (strcmp(argv[1], "threads") == 0)
        start_threads(transfer_own);
    else
        too_long(argv[1]);
    MPI_Finalize();
    return 0;
}
