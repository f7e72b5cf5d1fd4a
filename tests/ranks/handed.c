/*
 * Messages of MPI_Mprobe and the threads of rank 1 (MPI_THREAD_MULTIPLE): handed HOW. MPI may give the handle of a
 * message out again as soon as it has received it, before the call returns:
 *
 *     mrecv, imrecv   a thread gets the handle again in MPI_Mprobe while another one's receive has not returned, and
 *                     receives a message of another type by it later
 *     inside          the same, and receives it before the other one's receive returns
 *     stress          threads receive messages of different types, each with its own tag; some are received by another
 *                     thread than the one that found them
 *     wrong           the same; the last message of one thread does not fit (marked)
 */
#include "common.h"

#include <pthread.h>

extern void (*after_receive)(void); /* meanwhile.c */

enum { TIMES = 400, THREADS = 4 };

static const char *how;

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

/* --- a handle that is given out again --- */

static MPI_Message first, second, got; /* got: second, before it is received */
static int numbers[4];
static double others[2]; /* as many bytes */

static void *find_second(void *nothing)
{
    MPI_Mprobe(0, 1, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
    got = second;
    if (is("inside"))
        MPI_Mrecv(others, 2, MPI_DOUBLE, &second, MPI_STATUS_IGNORE);
    return nothing;
}

static void meanwhile(void)
{
    pthread_t thread;
    after_receive = NULL;
    pthread_create(&thread, NULL, find_second, NULL);
    pthread_join(thread, NULL);
}

static void receive_both(void)
{
    MPI_Request request;
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    const MPI_Message found = first;
    after_receive = meanwhile;
    if (is("imrecv")) {
        MPI_Imrecv(numbers, 4, MPI_INT, &first, &request);
        printf("again: %d\n", got == found);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Mrecv(numbers, 4, MPI_INT, &first, MPI_STATUS_IGNORE);
        printf("again: %d\n", got == found);
    }
    if (!is("inside"))
        MPI_Mrecv(others, 2, MPI_DOUBLE, &second, MPI_STATUS_IGNORE);
}

/* --- many threads --- */

static MPI_Datatype types[THREADS];

/* From the thread that finds a message to the one that receives it. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changes;
    MPI_Message message;
    int is_full;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, MPI_MESSAGE_NULL, 0};

static void hand_over(MPI_Message message)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.is_full)
        pthread_cond_wait(&queue.changes, &queue.lock);
    queue.message = message;
    queue.is_full = 1;
    pthread_cond_broadcast(&queue.changes);
    pthread_mutex_unlock(&queue.lock);
}

static void *receive_handed(void *nothing)
{
    char data[64];
    for (int i = 0; i < TIMES; i++) {
        pthread_mutex_lock(&queue.lock);
        while (!queue.is_full)
            pthread_cond_wait(&queue.changes, &queue.lock);
        MPI_Message message = queue.message;
        queue.is_full = 0;
        pthread_cond_broadcast(&queue.changes);
        pthread_mutex_unlock(&queue.lock);
        MPI_Mrecv(data, 2, types[0], &message, MPI_STATUS_IGNORE);
    }
    return nothing;
}

static MPI_Message find(int tag, int i)
{
    MPI_Message message;
    int found = 0;
    if (i % 2)
        MPI_Mprobe(0, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    while (i % 2 == 0 && !found)
        MPI_Improbe(0, tag, MPI_COMM_WORLD, &found, &message, MPI_STATUS_IGNORE);
    return message;
}

static void *receive_own(void *number)
{
    const int tag = *(int *)number;
    char data[64];
    MPI_Request request;
    for (int i = 0; i < TIMES; i++) {
        MPI_Message message = find(tag, i);
        if (tag == 0) {
            hand_over(message);
        } else if (i % 3) {
            MPI_Mrecv(data, 2, types[tag], &message, MPI_STATUS_IGNORE);
        } else {
            MPI_Imrecv(data, 2, types[tag], &message, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    if (tag == 1 && is("wrong")) {
        MPI_Message message = find(tag, 1);
        MPI_Mrecv(data, 2, MPI_INT, &message, MPI_STATUS_IGNORE); /* wrong: receive */
    }
    return NULL;
}

static void receive_all(void)
{
    pthread_t threads[THREADS + 1];
    int tags[THREADS];
    for (int i = 0; i < THREADS; i++) {
        tags[i] = i;
        pthread_create(&threads[i], NULL, receive_own, &tags[i]);
    }
    pthread_create(&threads[THREADS], NULL, receive_handed, NULL);
    for (int i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void send_all(void)
{
    const char data[64] = {0};
    for (int i = 0; i < TIMES; i++)
        for (int tag = 0; tag < THREADS; tag++)
            MPI_Send(data, 2, types[tag], 1, tag, MPI_COMM_WORLD);
    if (is("wrong"))
        MPI_Send(data, 2, MPI_FLOAT, 1, 1, MPI_COMM_WORLD); /* wrong: send */
}

static void send_two(void)
{
    MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(others, 2, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    begin();
    how = argv[1];
    const MPI_Datatype known[THREADS] = {MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_FLOAT};
    memcpy(types, known, sizeof types);
    const int is_many = is("stress") || is("wrong");
    if (rank == 0 && is_many)
        send_all();
    else if (rank == 0)
        send_two();
    else if (rank == 1 && level == MPI_THREAD_MULTIPLE && is_many)
        receive_all();
    else if (rank == 1 && level == MPI_THREAD_MULTIPLE)
        receive_both();
    MPI_Finalize();
    return 0;
}
