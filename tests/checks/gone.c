/*
 * Memory that MPI may use, and whose function has returned. Each case posts in one function and calls
 * MPI from another one.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define IGNORE MPI_STATUS_IGNORE
#define FAR __attribute__((noinline))

static int other[4];
static MPI_Win win;
static int kept[4];
static int rank; /* Open MPI has no windows of one rank: two make them, and rank 0 errs */

FAR static void send(int tag, MPI_Request *request)
{
    int cells[4] = {1, 2, 3, 4};
    MPI_Isend(cells, 4, MPI_INT, 0, tag, MPI_COMM_SELF, request);
}

/* Its message never comes: it would be written into other functions' frames. */
FAR static void receive(MPI_Request *request)
{
    int halo[4];
    MPI_Irecv(halo, 4, MPI_INT, 0, 1, MPI_COMM_SELF, request);
}

/* What is gone here is the frame of the function further out. */
FAR static void receive_into(int *halo, MPI_Request *request)
{
    MPI_Irecv(halo, 4, MPI_INT, 0, 1, MPI_COMM_SELF, request);
}

FAR static void receive_deeper(MPI_Request *request)
{
    int halo[4];
    receive_into(halo, request);
}

FAR static void broadcast(MPI_Request *request)
{
    int cells[4] = {1, 2, 3, 4};
    MPI_Ibcast(cells, 4, MPI_INT, 0, MPI_COMM_SELF, request);
}

FAR static void make_and_start(MPI_Request *request)
{
    int cells[4] = {1, 2, 3, 4};
    MPI_Send_init(cells, 4, MPI_INT, 0, 1, MPI_COMM_SELF, request);
    MPI_Start(request);
}

FAR static void send_strided(MPI_Request *request)
{
    int field[16] = {0};
    MPI_Datatype column;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Isend(field, 1, column, 0, 1, MPI_COMM_SELF, request);
    MPI_Type_free(&column);
}

FAR static void put(void)
{
    int cells[4] = {1, 2, 3, 4};
    MPI_Put(rank ? kept : cells, 4, MPI_INT, rank, 0, 4, MPI_INT, win);
}

FAR static void make_window(void)
{
    int memory[8];
    MPI_Win_create(rank ? other : memory, sizeof other, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
}

FAR static void attach_to_window(void)
{
    char memory[64];
    MPI_Win_attach(win, rank ? (void *)other : memory, sizeof other);
}

FAR static void attach(void)
{
    char memory[4096];
    MPI_Buffer_attach(memory, sizeof memory);
}

static void receive_all(int tag)
{
    MPI_Recv(other, 4, MPI_INT, 0, tag, MPI_COMM_SELF, IGNORE);
}

static void give_up(MPI_Request *request)
{
    MPI_Cancel(request);
    MPI_Wait(request, IGNORE);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Request request, both[1];
    int size, flag;
    void *buffer;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(name, "receive") == 0) {
        receive(&request);
        MPI_Barrier(MPI_COMM_SELF);                                   /* nothing to look at */
        MPI_Send(other, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF); /* buffer-gone (receive) */
        give_up(&request);
    } else if (strcmp(name, "completion") == 0) {
        send(1, &request);
        MPI_Test(&request, &flag, IGNORE); /* buffer-gone (completion) */
        receive_all(1);
        MPI_Wait(&request, IGNORE);
    } else if (strcmp(name, "deeper") == 0) {
        receive_deeper(&request);
        MPI_Cancel(&request); /* buffer-gone (deeper) */
        MPI_Wait(&request, IGNORE);
    } else if (strcmp(name, "several") == 0) {
        send(1, &both[0]);
        for (int i = 0; i < 3; i++)                           /* once, for all of its calls */
            MPI_Testall(1, both, &flag, MPI_STATUSES_IGNORE); /* buffer-gone (several) */
        receive_all(1);
        MPI_Wait(both, IGNORE);
    } else if (strcmp(name, "collective") == 0) {
        broadcast(&request);
        MPI_Wait(&request, IGNORE); /* buffer-gone (collective) */
    } else if (strcmp(name, "persistent") == 0) {
        make_and_start(&request);
        MPI_Recv(other, 4, MPI_INT, 0, 1, MPI_COMM_SELF, IGNORE); /* buffer-gone (persistent) */
        MPI_Wait(&request, IGNORE);
        MPI_Request_free(&request);
    } else if (strcmp(name, "strided") == 0) {
        send_strided(&request);
        MPI_Recv(other, 4, MPI_INT, 0, 1, MPI_COMM_SELF, IGNORE); /* buffer-gone (strided) */
        MPI_Wait(&request, IGNORE);
    } else if (strcmp(name, "put") == 0) {
        MPI_Win_create(other, sizeof other, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_fence(0, win);
        put();
        MPI_Win_fence(0, win); /* buffer-gone (put) */
        MPI_Win_free(&win);
    } else if (strcmp(name, "window") == 0) {
        make_window();
        MPI_Win_fence(0, win); /* buffer-gone (window) */
        MPI_Win_free(&win);
    } else if (strcmp(name, "attached") == 0) {
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        attach_to_window();
        MPI_Win_fence(0, win); /* buffer-gone (attached) */
        MPI_Win_free(&win);
    } else if (strcmp(name, "buffered") == 0) {
        attach();
        MPI_Buffer_detach(&buffer, &size); /* buffer-gone (buffered) */
    } else if (strcmp(name, "finalize") == 0) {
        attach();
        MPI_Finalize(); /* buffer-gone (finalize) */
        return 0;
    }
    MPI_Finalize();
    return 0;
}
