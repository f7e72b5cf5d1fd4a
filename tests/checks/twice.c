/*
 * Requests and messages that are completed twice. A line with a finding says so in a comment: its id,
 * and its case.
 *
 *     twice          correct calls that look similar; runs as one rank or as several
 *     twice CASE     a wrong one, which may be the end of the process
 */
#include <glob.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
enum { MANY = 10000, LARGE = 1 << 20 };

static int rank, size, flag, indices[MANY], number;
static int in[MANY], out[MANY];
static char large[LARGE], other_large[LARGE];
static MPI_Request requests[MANY];
static MPI_Status statuses[MANY];

static MPI_Request receive(int tag)
{
    MPI_Request request;
    MPI_Irecv(in + tag, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &request);
    return request;
}

static void send(int tag)
{
    MPI_Send(out, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
}

/* A message that no receive is posted for: MPICH would wait for it in a send to the same rank. */
static MPI_Request later(int tag)
{
    MPI_Request request;
    MPI_Isend(out, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &request);
    return request;
}

/* --- requests that one call names twice ----------------------------------------------------- */

static void two_in_an_array(const char *name)
{
    requests[0] = requests[2] = receive(0);
    requests[1] = receive(1);
    send(0);
    send(1);
    if (strcmp(name, "all") == 0)
        MPI_Waitall(3, requests, statuses);                              /* request-unknown (all) */
    if (strcmp(name, "some") == 0)
        MPI_Waitsome(3, requests, &number, indices, statuses);           /* request-unknown (some) */
    if (strcmp(name, "tested-all") == 0)
        MPI_Testall(3, requests, &flag, statuses);                       /* request-unknown (tested-all) */
    if (strcmp(name, "tested-some") == 0)
        MPI_Testsome(3, requests, &number, indices, statuses);           /* request-unknown (tested-some) */
    if (strcmp(name, "any") == 0)
        MPI_Waitany(3, requests, indices, statuses);                     /* request-unknown (any) */
    if (strcmp(name, "tested-any") == 0)
        MPI_Testany(3, requests, indices, &flag, statuses);              /* request-unknown (tested-any) */
}

static void sent_twice(void)
{
    MPI_Issend(large, LARGE, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(other_large, LARGE, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &requests[1]);
    requests[2] = requests[0];
    MPI_Waitall(3, requests, statuses);                                  /* request-unknown (sent) */
}

static void two_of_many(void)
{
    for (int i = 0; i < 1000; i++)
        requests[i] = receive(i);
    for (int i = 0; i < 1000; i++)
        send(i);
    requests[999] = requests[1];
    MPI_Waitall(1000, requests, MPI_STATUSES_IGNORE);                    /* request-unknown (many) */
}

static void ended_and_copied(void)
{
    requests[0] = requests[1] = receive(0);
    send(0);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);                           /* request-unknown (one-by-one) */
}

/* Several sends that are complete at once may have one handle. */
static void equal_handles(void)
{
    MPI_Request moved[40], receives[40];
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < 40; i++)
        MPI_Irecv(in + i, 1, MPI_INT, last, i, MPI_COMM_WORLD, &receives[i]);
    for (int i = 0; i < 40; i++)
        MPI_Isend(out, 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 40; i++)
        moved[i] = requests[39 - i];
    MPI_Waitall(40, moved, MPI_STATUSES_IGNORE);
    MPI_Waitall(40, receives, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++)
        MPI_Irecv(in + i, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 4; i++)
        MPI_Isend(out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &moved[i]);
    memcpy(moved + 4, requests, 4 * sizeof *requests);
    MPI_Testall(8, moved, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitall(8, moved, MPI_STATUSES_IGNORE);
}

static void some_freed(void)
{
    MPI_Request receives[4];
    for (int i = 0; i < 4; i++)
        MPI_Irecv(in + i, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &receives[i]);
    for (int i = 0; i < 4; i++)
        MPI_Isend(out, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Waitall(4, receives, MPI_STATUSES_IGNORE);
}

static void nulls_and_many(void)
{
    for (int i = 0; i < MANY; i++)
        requests[i] = MPI_REQUEST_NULL;
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    MPI_Waitany(MANY, requests, indices, MPI_STATUS_IGNORE);
    for (int i = 0; i < MANY; i++)
        requests[i] = receive(i);
    for (int i = 0; i < MANY; i++)
        send(i);
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
}

/* A copy is void, but it is not used. */
static void copied_and_dropped(void)
{
    MPI_Request copies[2];
    requests[0] = receive(0);
    requests[1] = receive(1);
    memcpy(copies, requests, sizeof copies);
    send(0);
    send(1);
    MPI_Waitall(2, copies, MPI_STATUSES_IGNORE);
    requests[0] = requests[1] = MPI_REQUEST_NULL;
}

/* MPI_Waitall is as MPI_Wait for each: the second one finds it inactive. */
static void persistent(void)
{
    MPI_Request both[2];
    MPI_Recv_init(in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &both[0]);
    MPI_Start(&both[0]);
    send(0);
    both[1] = both[0];
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Request_free(&both[0]);
}

/* --- by two threads -------------------------------------------------------------------------- */

static void wait_for_one(MPI_Request *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);                                /* request-unknown (threads) */
}

static void *wait_for(void *request)
{
    wait_for_one(request);
    return NULL;
}

static void wait_for_both(MPI_Request *both)
{
    MPI_Waitany(2, both, &number, MPI_STATUS_IGNORE);                    /* request-unknown (threads-any) */
}

static void *wait_for_any(void *both)
{
    wait_for_both(both);
    return NULL;
}

/* Returns when the library has written a finding. */
static void until_reported(void)
{
    char line[1 << 16], pattern[4096];
    const char *folder = strchr(getenv("MPIPP_REPORTS"), ':') + 1;
    snprintf(pattern, sizeof pattern, "%s/*.jsonl", folder);
    for (;; usleep(10000)) {
        glob_t found;
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        FILE *file = fopen(found.gl_pathv[0], "r");
        while (file && fgets(line, sizeof line, file))
            if (strstr(line, "\"record\":\"finding\""))
                _exit(0);
        if (file)
            fclose(file);
        globfree(&found);
    }
}

/* Nothing is sent: both wait until the process ends. */
static void two_threads(void *(*begins)(void *))
{
    pthread_t threads[2];
    MPI_Request copies[2][2] = {{receive(0), receive(1)}};
    memcpy(copies[1], copies[0], sizeof copies[1]);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, begins, copies[i]);
    until_reported();
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken;
static MPI_Request tested;

/* One thread completes it, but both test it. */
static void *test_in_turn(void *unused)
{
    for (int done = 0; !done;) {
        pthread_mutex_lock(&mutex);
        MPI_Test(&tested, &done, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mutex);
    }
    atomic_fetch_add(&taken, 1);
    return unused;
}

/* Each thread has requests, whose handles may be equal to those of the other one. */
static void *exchange(void *number)
{
    const int from = *(int *)number * 8;
    MPI_Request own[8], moved[8];
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 4; i++)
            own[i] = receive(from + i);
        for (int i = 0; i < 4; i++)
            MPI_Isend(out, 1, MPI_INT, rank, from + i, MPI_COMM_WORLD, &own[4 + i]);
        for (int i = 0; i < 8; i++)
            moved[i] = own[(i + round) % 8];
        if (round % 2)
            MPI_Waitall(8, moved, MPI_STATUSES_IGNORE);
        else
            for (int i = 0; i < 8; i++)
                MPI_Wait(&moved[i], MPI_STATUS_IGNORE);
    }
    return NULL;
}

/* A request that one thread has, then the other one. */
static void *hand_over(void *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    return NULL;
}

static void correct_threads(void)
{
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    tested = receive(0);
    send(0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, test_in_turn, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, exchange, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 100; i++) {
        MPI_Request request = receive(0);
        send(0); /* before the other thread waits: MPICH 4.0 may not wake it */
        pthread_create(&threads[0], NULL, hand_over, &request);
        pthread_join(threads[0], NULL);
    }
}

/* --- messages -------------------------------------------------------------------------------- */

static void two_receives(const char *name)
{
    MPI_Message message, copy;
    MPI_Request request;
    later(0);
    MPI_Mprobe(rank, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    copy = message;
    MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    if (strcmp(name, "message") == 0)
        MPI_Mrecv(in + 1, 1, MPI_INT, &copy, MPI_STATUS_IGNORE);         /* handle-freed (message) */
    else
        MPI_Imrecv(in + 1, 1, MPI_INT, &copy, &request);                 /* handle-freed (message-later) */
}

static void received_later(void)
{
    MPI_Message message, copy;
    later(0);
    do
        MPI_Improbe(rank, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    while (!flag);
    copy = message;
    MPI_Imrecv(in, 1, MPI_INT, &message, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Mrecv(in + 1, 1, MPI_INT, &copy, MPI_STATUS_IGNORE);             /* handle-freed (message-earlier) */
}

/* MPI may give out a handle again; a copy may be used instead of the original. */
static void correct_messages(void)
{
    MPI_Message message, copy, several[8];
    for (int round = 0; round < 100; round++) {
        MPI_Request request = later(0);
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        copy = message;
        MPI_Mrecv(in, 1, MPI_INT, round % 2 ? &copy : &message, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 8; i++)
        requests[8 + i] = later(i);
    for (int i = 0; i < 8; i++)
        MPI_Mprobe(rank, i, MPI_COMM_WORLD, &several[i], MPI_STATUS_IGNORE);
    for (int i = 8; i-- > 0;)
        MPI_Imrecv(in + i, 1, MPI_INT, &several[i], &requests[i]);
    MPI_Waitall(16, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++) { /* MPI_MESSAGE_NO_PROC, each time the same */
        MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        copy = message;
        MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(in, 1, MPI_INT, &copy, MPI_STATUS_IGNORE);
    }
    MPI_Improbe(rank, 9, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
}

/* --- the program ----------------------------------------------------------------------------- */

static void correct(void)
{
    equal_handles();
    some_freed();
    nulls_and_many();
    copied_and_dropped();
    persistent();
    correct_messages();
}

static void wrong(const char *name)
{
    if (strcmp(name, "all") == 0 || strcmp(name, "some") == 0 || strcmp(name, "any") == 0 || strcmp(name, "tested-all") == 0 ||
        strcmp(name, "tested-some") == 0 || strcmp(name, "tested-any") == 0)
        two_in_an_array(name);
    if (strcmp(name, "sent") == 0)
        sent_twice();
    if (strcmp(name, "many") == 0)
        two_of_many();
    if (strcmp(name, "one-by-one") == 0)
        ended_and_copied();
    if (strcmp(name, "threads") == 0)
        two_threads(wait_for);
    if (strcmp(name, "threads-any") == 0)
        two_threads(wait_for_any);
    if (strcmp(name, "message") == 0 || strcmp(name, "message-later") == 0)
        two_receives(name);
    if (strcmp(name, "message-earlier") == 0)
        received_later();
    _exit(0);
}

int main(int argc, char **argv)
{
    int provided;
    const char *name = argc > 1 ? argv[1] : "";
    if (strstr(name, "threads"))
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(name, "correct-threads") == 0)
        correct_threads();
    else if (argc > 1)
        wrong(name);
    else
        correct();
    MPI_Finalize();
    return 0;
}
