/*
 * A rank for steps.c: what the checker does with requests and pending operations, part by part. Each
 * part is one call of MPI between begin() and end(), and has been called unwatched before: its
 * function is known then, and its call site is not new.
 */
#define _GNU_SOURCE
#include "recorder/tree.h"

#include <signal.h>

#include "stop/board.h"

static struct stop_board *board;
static int watched; /* else the same for nobody */

static void mark(void)
{
    raise(SIGUSR1); /* swallowed by who watches */
}

static void begin(const char *part, const char *function, int tag, uint32_t begins, uint32_t ends)
{
    if (!watched)
        return;
    snprintf(board->part, sizeof board->part, "%s", part);
    board->rule = STOP_SAME;
    board->operations = (struct stop_operations){.tag = tag, .begins = begins, .ends = ends};
    snprintf(board->operations.function, sizeof board->operations.function, "%s", function);
    mark();
}

static void end(void)
{
    if (watched)
        mark();
}

enum { MOST = 4096 }; /* requests of a part */
static MPI_Status statuses[MOST];
static double in[64], out[64];
static MPI_Datatype column;

static void messages(void)
{
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    begin("a receive", "MPI_Irecv", 31, 1, 0);
    MPI_Irecv(in, 8, MPI_DOUBLE, 0, 31, MPI_COMM_WORLD, &requests[0]);
    end();
    begin("a receive of a derived type", "MPI_Irecv", 32, 1, 0);
    MPI_Irecv(in + 8, 1, column, 0, 32, MPI_COMM_WORLD, &requests[1]);
    end();
    begin("a send", "MPI_Isend", 31, 1, 0);
    MPI_Isend(out, 8, MPI_DOUBLE, 0, 31, MPI_COMM_WORLD, &requests[2]);
    end();
    MPI_Send(out, 4, MPI_DOUBLE, 0, 32, MPI_COMM_WORLD);
    begin("one of three completed", "MPI_Wait", -1, 0, 1);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    end();
    begin("the rest completed, of an array", "MPI_Waitall", -1, 0, 2);
    MPI_Waitall(3, requests, statuses);
    end();
}

/* Several sends, which may share one handle: with the first that is completed the others are in
 * doubt. */
static void shared(void)
{
    MPI_Request requests[4], receives[4];
    for (int i = 0; i < 4; i++) {
        requests[i] = MPI_REQUEST_NULL;
        MPI_Irecv(in + i, 1, MPI_DOUBLE, 0, 40, MPI_COMM_WORLD, &receives[i]);
    }
    for (int i = 0; i < 3; i++)
        MPI_Isend(out + i, 1, MPI_DOUBLE, 0, 40, MPI_COMM_WORLD, &requests[i]);
    begin("one more send", "MPI_Isend", 40, 1, 0);
    MPI_Isend(out + 3, 1, MPI_DOUBLE, 0, 40, MPI_COMM_WORLD, &requests[3]);
    end();
    begin("one of several sends completed", "MPI_Wait", -1, 0, 1);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    end();
    begin("an MPI_Waitall of the others", "MPI_Waitall", -1, 0, 3);
    MPI_Waitall(4, requests, statuses);
    end();
    MPI_Waitall(4, receives, statuses);
}

static void persistent(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    begin("a persistent receive", "MPI_Recv_init", 33, 1, 0);
    MPI_Recv_init(in, 8, MPI_DOUBLE, 0, 33, MPI_COMM_WORLD, &request);
    end();
    begin("its start", "MPI_Start", -1, 0, 0);
    MPI_Start(&request);
    end();
    MPI_Send(out, 8, MPI_DOUBLE, 0, 33, MPI_COMM_WORLD);
    begin("its completion", "MPI_Wait", -1, 0, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end();
    begin("its end", "MPI_Request_free", -1, 0, 1);
    MPI_Request_free(&request);
    end();
}

static void collectives(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    begin("a collective with two buffers", "MPI_Ialltoall", -1, 1, 0);
    MPI_Ialltoall(out, 4, MPI_DOUBLE, in, 4, MPI_DOUBLE, MPI_COMM_WORLD, &request);
    end();
    begin("its completion, a collective's", "MPI_Wait", -1, 0, 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end();
}

/* Until one more record, and one more buffer, needs another chunk. */
static void growth(void)
{
    static MPI_Request requests[MOST];
    const struct st_operations *operations = at(root->operations);
    int count = 0;
    for (int i = 0; i < MOST; i++)
        requests[i] = MPI_REQUEST_NULL;
    while (count < MOST - 2 && (!count || operations->in_use < operations->records_used ||
                                operations->records_used % operations->records_per_chunk))
        MPI_Irecv(in, 0, MPI_DOUBLE, 0, 50, MPI_COMM_WORLD, &requests[count++]);
    uint32_t chunks = operations->record_chunk_count;
    begin("growth of the records", "MPI_Irecv", 50, 1, 0);
    MPI_Irecv(in, 1, MPI_DOUBLE, 0, 50, MPI_COMM_WORLD, &requests[count++]);
    end();
    CHECK(!watched || operations->record_chunk_count == chunks + 1);
    for (int i = 0; i < count; i++)
        MPI_Cancel(&requests[i]);
    MPI_Waitall(count, requests, statuses);
}

/* Whose request is freed while it is active: an operation without a request stays. */
static void released(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in, 8, MPI_DOUBLE, 0, 34, MPI_COMM_WORLD, &request);
    begin("an active request freed", "MPI_Request_free", -1, 1, 1);
    MPI_Request_free(&request);
    end();
    MPI_Send(out, 8, MPI_DOUBLE, 0, 34, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    start();
    board = stop_board_of_rank();
    if (!board) {
        puts("FAIL: to be started by steps\n0 passed, 1 failed");
        return 1;
    }
    board->root = (uint64_t)(uintptr_t)root;
    MPI_Init(&argc, &argv);
    MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (watched = 0; watched < 2; watched++) {
        messages();
        shared();
        persistent();
        collectives();
        growth();
        if (watched)
            released();
    }
    MPI_Type_free(&column);
    MPI_Finalize();
    board->done = 1;
    mark();
    return failed != 0;
}
