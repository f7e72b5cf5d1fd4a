/* Small jobs that hang, and slow ones that do not. "hang: NAME" marks where a rank of hangs NAME waits. */
#define _GNU_SOURCE
#include "../give_way.h"
#include "hangs.h"

#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rank, size;
static int number;
static char large[1 << 20];

static void receive(int source, int tag, MPI_Comm comm)
{
    MPI_Recv(&number, 1, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE); /* hang: receive */
}

static void send(int dest, int tag)
{
    MPI_Send(&number, 1, MPI_INT, dest, tag, MPI_COMM_WORLD);
}

static void recv_recv(void)
{
    if (rank < 2)
        receive(1 - rank, 7, MPI_COMM_WORLD);
}

static void wrong_tag(void)
{
    if (rank == 0)
        send(1, 9);
    if (rank < 2)
        receive(1 - rank, 8, MPI_COMM_WORLD);
}

static void from_finalized(void)
{
    if (rank == 0)
        receive(1, 7, MPI_COMM_WORLD);
}

static void send_send(void)
{
    MPI_Send(large, sizeof large, MPI_CHAR, 1 - rank, 7, MPI_COMM_WORLD); /* hang: send_send */
}

static void ssend_ring(void)
{
    MPI_Ssend(&number, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD); /* hang: ssend_ring */
}

static void probe(void)
{
    MPI_Probe(1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* hang: probe */
}

static void mprobe(void)
{
    MPI_Comm copy;
    MPI_Message message;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Mprobe(1 - rank, 7, copy, &message, MPI_STATUS_IGNORE); /* hang: mprobe */
}

/* Rank 1 of two makes no group. */
static void create_group(void)
{
    MPI_Group all;
    MPI_Comm made;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (rank == 1)
        receive(0, 7, MPI_COMM_WORLD);
    MPI_Comm_create_group(MPI_COMM_WORLD, all, 3, &made); /* hang: create_group */
}

/* Another collective call than the others'. Rank 2 comes first: all wait when the other two do. */
static void other_call(void)
{
    MPI_Comm part;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 2)
        sleep(1);
    if (rank == 1)
        MPI_Barrier(MPI_COMM_WORLD); /* hang: other_call */
    else
        MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part);
}

/* Rank 1 is gone while the others wait for a message of it. */
static void killed(void)
{
    if (rank == 1)
        raise(SIGKILL);
    receive(1, 7, MPI_COMM_WORLD);
}

static void become_another(int signal)
{
    execlp("sleep", "sleep", signal == SIGTERM ? "60" : "0", (char *)NULL);
}

/* Ranks 0 and 1 hang. At SIGTERM nothing of rank 1 can be read any more, as of a process that is just ending. */
static void recv_unseen(void)
{
    if (rank == 1)
        signal(SIGTERM, become_another);
    recv_recv();
}

static void waitall(void)
{
    int received;
    MPI_Request requests[2];
    MPI_Irecv(/* posted: waitall */ &received, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Isend(&number, 1, MPI_INT, 1 - rank, 8, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* hang: waitall */
}

static void wait_one(void)
{
    MPI_Request request;
    MPI_Irecv(&number, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* hang: wait_one */
}

static void waitany(void)
{
    int received[2], index;
    MPI_Request requests[2];
    for (int tag = 0; tag < 2; tag++)
        MPI_Irecv(&received[tag], 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, &requests[tag]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE); /* hang: waitany */
}

static void sendrecv(void)
{
    int received;
    MPI_Sendrecv(/* hang: sendrecv */ &number, 1, MPI_INT, 1 - rank, 1, &received, 1, MPI_INT,
                 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wildcards(void)
{
    receive(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD);
}

static void barrier_receive(void)
{
    if (rank == 0)
        receive(1, 7, MPI_COMM_WORLD);
    else
        MPI_Barrier(MPI_COMM_WORLD); /* hang: barrier_receive */
}

static void barrier_finalized(void)
{
    if (rank != 1)
        MPI_Barrier(MPI_COMM_WORLD); /* hang: barrier_finalized */
}

static void bcast_finalized(void)
{
    if (rank != 0)
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD); /* hang: bcast_finalized */
}

static void behind(void)
{
    if (rank < 2)
        receive(1 - rank, 7, MPI_COMM_WORLD);
    else
        MPI_Barrier(MPI_COMM_WORLD); /* hang: behind */
}

/* Ranks 0 and 1 hang; 2 and 3 exchange messages all the time. */
static void half(void)
{
    if (rank < 2)
        receive(1 - rank, 7, MPI_COMM_WORLD);
    for (int i = 0; i < 400; i++) {
        if (rank == 2)
            send(3, 5);
        else
            receive(2, 5, MPI_COMM_WORLD);
        usleep(20000);
    }
}

static void itself(void)
{
    receive(rank, 7, MPI_COMM_WORLD);
}

static void other_comm(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    receive(1 - rank, 7, rank == 0 ? copy : MPI_COMM_WORLD);
}

static void crosswise(void)
{
    MPI_Comm one, other;
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Barrier(rank == 0 ? one : other); /* hang: crosswise */
}

/* Rows of two, in reverse order: in the row of world ranks 3 and 1, 3 is the first. */
static void rows(void)
{
    MPI_Comm row;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &row);
    if (rank == 3)
        receive(1, 7, row); /* from world rank 1 */
    else if (rank == 1)
        MPI_Bcast(&number, 1, MPI_INT, 0, row); /* hang: rows */
    else
        MPI_Barrier(row);
    MPI_Comm_free(&row);
}

/* One rank has made a collective call more than the others. */
static void one_more(void)
{
    for (int i = 0; i < 5 + (rank == 0); i++)
        MPI_Barrier(MPI_COMM_WORLD); /* hang: one_more */
    if (rank != 0)
        receive(0, 7, MPI_COMM_WORLD);
}

/* --- what is slow, and goes on ------------------------------------------------------------- */

enum { SECONDS = 6 };

static void computes(void)
{
    double end = MPI_Wtime() + SECONDS;
    volatile double sum = 0;
    while (rank == 1 && MPI_Wtime() < end)
        sum = sum + 1;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void sleeps(void)
{
    if (rank == 0) {
        receive(1, 7, MPI_COMM_WORLD);
    } else {
        sleep(SECONDS);
        send(0, 7);
    }
}

/* Each message is sent for longer than the timeout: the receiver takes it late. */
static void slow_exchange(void)
{
    for (int i = 0; i < 2; i++) {
        if (rank == i) {
            MPI_Send(large, sizeof large, MPI_CHAR, 1 - rank, 7, MPI_COMM_WORLD);
        } else {
            sleep(SECONDS);
            MPI_Recv(large, sizeof large, MPI_CHAR, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

static void polls(void)
{
    int flag = 0;
    if (rank == 0) {
        receive(1, 7, MPI_COMM_WORLD);
    } else {
        double end = MPI_Wtime() + SECONDS;
        while (!flag && MPI_Wtime() < end)
            MPI_Iprobe(0, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        send(0, 7);
    }
}

/* One polls for what never comes while the other is in MPI_Finalize. It gives up when the test says so. */
static void polls_at_end(void)
{
    MPI_Request request;
    int flag = 0;
    if (rank == 1)
        return;
    MPI_Irecv(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    /* It is almost always in MPI_Test when it is looked at. */
    for (unsigned i = 1; !flag && (i % 1000 != 0 || access("polls_at_end.told", F_OK) != 0); i++)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* hang: polls_at_end */
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* One computes while the other is in MPI_Finalize. */
static void computes_at_end(void)
{
    enum { LONG = 12 };
    for (double end = MPI_Wtime() + LONG; rank == 0 && MPI_Wtime() < end;)
        for (volatile int i = 0; i < 1000000;)
            i++;
}

/* The same two calls, again and again, with the same arguments. */
static void ping_pong(void)
{
    for (int i = 0; i < SECONDS * 10; i++) {
        if (rank == i % 2) {
            usleep(100000);
            send(1 - rank, 7);
        } else {
            receive(1 - rank, 7, MPI_COMM_WORLD);
        }
    }
}

static void stopped(void)
{
    if (rank == 1) {
        if (fork() == 0) {
            sleep(SECONDS);
            kill(getppid(), SIGCONT);
            _exit(0);
        }
        raise(SIGSTOP);
        send(0, 7);
    } else {
        receive(1, 7, MPI_COMM_WORLD);
    }
}

static void halo(void)
{
    int received[2];
    for (int step = 0; step < 3; step++) {
        MPI_Request requests[4];
        int left = (rank + size - 1) % size, right = (rank + 1) % size;
        MPI_Irecv(&received[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&received[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&rank, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[3]);
        if (rank == 0)
            sleep(SECONDS / 2);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
}

/* Starts processes of this rank that want the same processor as the rank, at first not yet, and much more
 * than the rank wants it. */
static void start_starving(void)
{
    enum { OTHERS = 16 };
    struct sched_param least = {0};
    cpu_set_t all, one;
    size_t last = CPU_SETSIZE;
    sched_getaffinity(0, sizeof all, &all);
    do {
        last--;
    } while (!CPU_ISSET(last, &all));
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < OTHERS; i++)
        if (fork() == 0) {
            sleep(SECONDS / 2);
            alarm(SECONDS);
            for (;;) {
            }
        }
    sched_setscheduler(0, SCHED_IDLE, &least);
}

/* What rank 1 waits for comes, and it has no processor to see that with. */
static void starved(void)
{
    if (rank == 1) {
        start_starving();
        receive(0, 7, MPI_COMM_WORLD);
    } else {
        sleep(SECONDS / 2);
        usleep(500000);
        send(1, 7);
    }
}

static int delete_slowly(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    sleep(SECONDS);
    send(0, 7);
    return MPI_SUCCESS;
}

/* A callback that MPI_Finalize calls, and that sends. */
static void in_finalize(void)
{
    int keyval;
    if (rank == 0) {
        receive(1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_slowly, &keyval, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
        MPI_Comm_free_keyval(&keyval);
    }
}

static void run_mode(const struct mode *mode, const char *name)
{
    for (; mode->name; mode++)
        if (strcmp(mode->name, name) == 0)
            mode->run();
}

int main(int argc, char **argv)
{
    static const struct mode modes[] = {
#define MODE(name) {#name, name}
        MODE(recv_recv),
        MODE(wrong_tag),
        MODE(from_finalized),
        MODE(send_send),
        MODE(ssend_ring),
        MODE(probe),
        MODE(mprobe),
        MODE(create_group),
        MODE(other_call),
        MODE(killed),
        MODE(recv_unseen),
        MODE(waitall),
        MODE(wait_one),
        MODE(waitany),
        MODE(sendrecv),
        MODE(wildcards),
        MODE(barrier_receive),
        MODE(barrier_finalized),
        MODE(bcast_finalized),
        MODE(behind),
        MODE(half),
        MODE(itself),
        MODE(other_comm),
        MODE(crosswise),
        MODE(rows),
        MODE(one_more),
        MODE(computes),
        MODE(sleeps),
        MODE(slow_exchange),
        MODE(polls),
        MODE(ping_pong),
        MODE(stopped),
        MODE(halo),
        MODE(in_finalize),
        MODE(polls_at_end),
        MODE(computes_at_end),
        MODE(starved),
        {NULL, NULL},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD); /* none is still in MPI_Init when others hang */
    give_way();
    if (argc > 1) {
        run_mode(modes, argv[1]);
        run_mode(started_modes, argv[1]);
        run_mode(inter_modes, argv[1]);
        run_mode(place_modes, argv[1]);
        run_mode(spawned_modes, argv[1]);
        run_mode(group_modes, argv[1]);
    }
    MPI_Finalize();
    return 0;
}
