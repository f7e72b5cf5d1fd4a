/*
 * Calls at few lines, over and over with the same arguments, as loops have them, blocking and nonblocking; random, one
 * seed in all ranks. Between them: other arguments, wildcards, pending receives, MPI_Rsend, and communicators that are
 * freed and made again. One of WRONG bursts of messages has one with another datatype.
 *
 *     resent SEED ROUNDS WRONG         WRONG = 0: none
 *
 * Rank 0 writes how many wrong ones there were into put-in.0: match-type NUMBER.
 */
#include "common.h"

#include <stdbool.h>
#include <stdint.h>

enum { COMMS = 2, TAGS = 2, MOST = 6 };
enum how { PLAIN, ANY_RANK, ANY_TAG, PENDING, SYNCHRONOUS, HOWS };

struct burst {
    int from, to, comm, tag, count, messages;
    int wrong; /* which of them; -1: none */
    bool wrong_sender;
    enum how how;
};

static uint64_t state;
static MPI_Comm comms[COMMS];
static char room[4096];

static int draw(int below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state >> 33) % below;
}

static struct burst draw_burst(long wrong_share)
{
    struct burst burst = {.from = draw(size),
                          .comm = draw(COMMS),
                          .tag = draw(TAGS),
                          .count = 1 + draw(2),
                          .messages = 1 + draw(MOST),
                          .how = draw(3) ? (draw(2) ? PLAIN : PENDING) : draw(HOWS),
                          .wrong_sender = draw(2)};
    burst.to = (burst.from + 1 + draw(size - 1)) % size;
    burst.wrong = wrong_share && draw((int)wrong_share) == 0 ? draw(burst.messages) : -1;
    return burst;
}

static void send(const struct burst *burst, int i)
{
    const bool wrong = i == burst->wrong && burst->wrong_sender;
    MPI_Request request;
    if (burst->how == PENDING) {
        MPI_Isend(room, burst->count, wrong ? MPI_FLOAT : MPI_INT, burst->to, burst->tag,
                  comms[burst->comm], &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (burst->how == SYNCHRONOUS)
        MPI_Ssend(room, burst->count, wrong ? MPI_FLOAT : MPI_INT, burst->to, burst->tag,
                  comms[burst->comm]);
    else
        MPI_Send(room, burst->count, wrong ? MPI_FLOAT : MPI_INT, burst->to, burst->tag,
                 comms[burst->comm]);
}

static void receive(const struct burst *burst, int i)
{
    const bool wrong = i == burst->wrong && !burst->wrong_sender;
    MPI_Status status;
    MPI_Request request;
    const int from = burst->how == ANY_RANK ? MPI_ANY_SOURCE : burst->from;
    const int tag = burst->how == ANY_TAG ? MPI_ANY_TAG : burst->tag;
    if (burst->how == PENDING) {
        MPI_Irecv(room, burst->count, wrong ? MPI_FLOAT : MPI_INT, from, tag, comms[burst->comm],
                  &request);
        MPI_Wait(&request, &status);
    } else {
        MPI_Recv(room, burst->count, wrong ? MPI_FLOAT : MPI_INT, from, tag, comms[burst->comm],
                 draw(2) ? &status : MPI_STATUS_IGNORE);
    }
}

/* A receive of another tag is pending all the time. */
static void run_beside(const struct burst *burst)
{
    MPI_Request request;
    char other[8];
    if (rank == burst->to)
        MPI_Irecv(other, 1, MPI_INT, burst->from, TAGS, comms[burst->comm], &request);
    for (int i = 0; i < burst->messages; i++)
        if (rank == burst->from)
            send(burst, i);
        else if (rank == burst->to)
            receive(burst, i);
    if (rank == burst->from)
        MPI_Send(room, 1, MPI_INT, burst->to, TAGS, comms[burst->comm]);
    else if (rank == burst->to)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void run(const struct burst *burst)
{
    for (int i = 0; i < burst->messages; i++)
        if (rank == burst->from)
            send(burst, i);
        else if (rank == burst->to)
            receive(burst, i);
}

/* The sender sends in ready mode, once it knows that there is a receive. */
static void run_ready(const struct burst *burst)
{
    MPI_Request request;
    if (rank == burst->to) {
        MPI_Irecv(room, 1, MPI_INT, burst->from, burst->tag, comms[burst->comm], &request);
        MPI_Send(NULL, 0, MPI_INT, burst->from, TAGS + 1, comms[burst->comm]);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == burst->from) {
        MPI_Recv(NULL, 0, MPI_INT, burst->to, TAGS + 1, comms[burst->comm], MPI_STATUS_IGNORE);
        MPI_Rsend(room, 1, MPI_INT, burst->to, burst->tag, comms[burst->comm]);
    }
}

int main(int argc, char **argv)
{
    long put_in = 0, rounds = argc > 2 ? atol(argv[2]) : 0, share = argc > 3 ? atol(argv[3]) : 0;
    MPI_Init(&argc, &argv);
    begin();
    state = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(argc > 1 ? atol(argv[1]) : 1);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (long i = 0; i < rounds; i++) {
        struct burst burst = draw_burst(share);
        const uint64_t common = state;
        put_in += burst.wrong >= 0;
        if (i % 50 == 49) { /* as a rule it gets its handle back */
            MPI_Comm_free(&comms[burst.comm]);
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[burst.comm]);
        }
        const bool any = burst.how == ANY_RANK && size > 2; /* no other rank's message may come */
        if (any)
            meet();
        if (i % 7 == 6)
            run_beside(&burst);
        else
            run(&burst);
        if (any)
            meet();
        if (i > rounds / 2 && i % 40 == 0)
            run_ready(&burst);
        state = common;
    }
    if (rank == 0) {
        FILE *file = fopen("put-in.0", "w");
        fprintf(file, "match-type %ld\n", put_in);
        fclose(file);
    }
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
