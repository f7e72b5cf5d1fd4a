/*
 * Buffers of pending operations that other calls use, and collectives that use memory twice. A line
 * with a finding says so, as in wrong.c. Runs as one rank.
 */
#include <mpi.h>
#include <string.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
#define SELF MPI_COMM_SELF
#define IGNORE MPI_STATUS_IGNORE

static int a[256], b[256], c[256];

static void drain(MPI_Request *requests, int count, int tag, int ints)
{
    for (int i = 0; i < count; i++)
        MPI_Send(c, ints, MPI_INT, 0, tag + i, SELF);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static MPI_Datatype comb(int count, int length, int stride)
{
    MPI_Datatype type;
    MPI_Type_vector(count, length, stride, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

static void point_to_point(void)
{
    MPI_Request r[4];
    MPI_Datatype even = comb(8, 2, 4), odd = comb(8, 3, 4);
    MPI_Irecv(a, 8, MPI_INT, 0, 1, SELF, &r[0]);
    MPI_Irecv(a + 7, 8, MPI_INT, 0, 2, SELF, &r[1]);                     /* buffer-overlap */ /* at {0}+0 {7}+28 */
    MPI_Isend(a + 14, 4, MPI_INT, MPI_PROC_NULL, 1, SELF, &r[2]);
    MPI_Isend(a + 14, 4, MPI_INT, 0, 9, SELF, &r[3]);                    /* buffer-overlap */ /* at {0}+0 {7}+28 */
    MPI_Recv(b, 4, MPI_INT, 0, 9, SELF, IGNORE);
    MPI_Send(a, 1, MPI_INT, 0, 2, SELF);                                 /* buffer-overlap */ /* at +0 {0}+0 */
    MPI_Send(c, 1, MPI_INT, 0, 1, SELF);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    /* A blocking receive into what is being sent. */
    MPI_Isend(a, 4, MPI_INT, 0, 3, SELF, &r[0]);
    MPI_Isend(c, 4, MPI_INT, 0, 4, SELF, &r[1]);
    MPI_Recv(a + 3, 4, MPI_INT, 0, 4, SELF, IGNORE);                     /* buffer-overlap */ /* at {0}+0 {3}+12 */
    MPI_Recv(b, 4, MPI_INT, 0, 3, SELF, IGNORE);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    /* Combs that share the third of four ints. */
    MPI_Irecv(a, 1, odd, 0, 4, SELF, &r[0]);
    MPI_Irecv(a + 2, 1, even, 0, 5, SELF, &r[1]);                        /* buffer-overlap */ /* at (VECTOR)[0][0](MPI_INT)+0 (VECTOR)[0][2](MPI_INT)+8 */
    drain(r, 2, 4, 1);
    /* A type that was freed meanwhile holds its bytes. */
    MPI_Irecv(a, 1, odd, 0, 6, SELF, &r[0]);
    MPI_Type_free(&odd);
    MPI_Irecv(a + 30, 1, MPI_INT, 0, 7, SELF, &r[1]);                    /* buffer-overlap */ /* at (VECTOR)[7][2](MPI_INT)+120 +0 */
    drain(r, 2, 6, 1);
    /* A cancelled receive is pending until it is waited for. */
    MPI_Irecv(a, 4, MPI_INT, 0, 99, SELF, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Sendrecv(b, 1, MPI_INT, 0, 8, a + 1, 1, MPI_INT, 0, 8, SELF, IGNORE); /* buffer-overlap */ /* at +0 {1}+4 */
    MPI_Wait(&r[0], IGNORE);
    /* A test that fails completes nothing. */
    int flag;
    MPI_Irecv(a, 4, MPI_INT, 0, 10, SELF, &r[0]);
    MPI_Test(&r[0], &flag, IGNORE);
    MPI_Bcast(a, 4, MPI_INT, 0, SELF);                                   /* buffer-overlap */ /* at {0}+0 */
    drain(r, 1, 10, 1);
    MPI_Sendrecv(a + 4, 4, MPI_INT, 0, 11, a, 8, MPI_INT, 0, 11, SELF, IGNORE); /* buffer-alias */ /* at {0}+0 {4}+16 */
    MPI_Sendrecv(a, 4, MPI_INT, 0, 11, a + 4, 4, MPI_INT, 0, 11, SELF, IGNORE); /* side by side: right */
    MPI_Sendrecv(a + 4, 4, MPI_INT, 0, 11, a, 4, MPI_INT, 0, 11, SELF, IGNORE); /* right */
    MPI_Type_free(&even);
}

static void persistent(void)
{
    MPI_Request r[2];
    MPI_Recv_init(a, 4, MPI_INT, 0, 1, SELF, &r[0]);
    MPI_Recv_init(a + 3, 4, MPI_INT, 0, 2, SELF, &r[1]);
    MPI_Recv(memcpy(a, b, 0), 0, MPI_INT, MPI_PROC_NULL, 1, SELF, IGNORE);
    MPI_Startall(2, r);                                                  /* buffer-overlap */ /* at {0}+0 {3}+12 */
    drain(r, 2, 1, 1);
    MPI_Start(&r[0]);
    MPI_Start(&r[1]);                                                    /* buffer-overlap */ /* at {0}+0 {3}+12 */
    drain(r, 2, 1, 1);
    MPI_Start(&r[0]);
    drain(r, 1, 1, 1);
    MPI_Start(&r[1]);
    drain(r + 1, 1, 2, 1);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

static void collective(void)
{
    MPI_Request r;
    int ones[1] = {1}, zeros[1] = {0};
    MPI_Irecv(b, 4, MPI_INT, 0, 3, SELF, &r);
    MPI_Allreduce(b + 3, c, 1, MPI_INT, MPI_SUM, SELF);                  /* buffer-overlap */ /* at +0 {3}+12 */
    MPI_Allreduce(c, b + 3, 1, MPI_INT, MPI_SUM, SELF);                  /* buffer-overlap */ /* at +0 {3}+12 */
    drain(&r, 1, 3, 1);
    MPI_Iallgatherv(a, 1, MPI_INT, b, ones, zeros, MPI_INT, SELF, &r);
    MPI_Recv(b, 0, MPI_INT, MPI_PROC_NULL, 0, SELF, IGNORE);
    MPI_Reduce(c, b, 1, MPI_INT, MPI_SUM, 0, SELF);                      /* buffer-overlap */ /* at +0 */
    MPI_Wait(&r, IGNORE);
    MPI_Allgather(a, 1, MPI_INT, a, 1, MPI_INT, SELF);                   /* buffer-alias */ /* at +0 */
    MPI_Gather(a, 4, MPI_INT, a, 4, MPI_INT, 0, SELF);                   /* buffer-alias */ /* at {0}+0 */
    MPI_Allreduce(a, a, 4, MPI_INT, MPI_SUM, SELF);                      /* buffer-alias */ /* at {0}+0 */
    MPI_Reduce(a, a, 4, MPI_INT, MPI_SUM, 0, SELF);                      /* buffer-alias */ /* at {0}+0 */
    MPI_Alltoallv(a, ones, zeros, MPI_INT, a, ones, zeros, MPI_INT, SELF); /* buffer-alias */ /* at +0 */
    MPI_Scan(a, a, 1, MPI_INT, MPI_SUM, SELF);                           /* buffer-alias */ /* at +0 */
}

/* A graph with two edges to itself: two blocks in and out. */
static void blocks(void)
{
    MPI_Comm twice;
    MPI_Aint places[2] = {0, 4};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int myself[2] = {0, 0}, ones[2] = {1, 2}, at[2] = {0, 1}, close[2] = {1, 0};
    MPI_Dist_graph_create_adjacent(SELF, 2, myself, MPI_UNWEIGHTED, 2, myself, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &twice);
    MPI_Neighbor_alltoallv(a, ones, at, MPI_INT, b, ones, at, MPI_INT, twice);
    ones[0] = 2, ones[1] = 2;
    MPI_Neighbor_alltoallv(a, ones, at, MPI_INT, b, ones, close, MPI_INT, twice); /* buffer-alias */ /* at {0}+0 {1}+4 */
    MPI_Neighbor_alltoallw(a, ones, places, types, b, ones, places, types, twice); /* buffer-alias */ /* at {0}+0 {1}+4 */
    MPI_Comm_free(&twice);
}

static void one_sided(void)
{
    MPI_Win win;
    MPI_Request r;
    int *base, more[4];
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, SELF, &base, &win);
    MPI_Win_fence(0, win);
    MPI_Get(a, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
    MPI_Put(a + 3, 1, MPI_INT, 0, 8, 1, MPI_INT, win);                   /* buffer-overlap */ /* at +0 {3}+12 */
    MPI_Win_fence(0, win);
    MPI_Put(a + 3, 1, MPI_INT, 0, 8, 1, MPI_INT, win);
    MPI_Bcast(a, 4, MPI_INT, 0, SELF);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Rget(more, 4, MPI_INT, 0, 0, 4, MPI_INT, win, &r);
    MPI_Get(more, 1, MPI_INT, 0, 0, 1, MPI_INT, win);                    /* buffer-overlap */ /* at +0 {0}+0 */
    MPI_Win_flush(0, win);
    MPI_Get(more, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Wait(&r, IGNORE);
    MPI_Win_unlock(0, win);
    MPI_Bcast(more, 4, MPI_INT, 0, SELF);
    MPI_Win_free(&win);
}

static void files(void)
{
    MPI_File file;
    MPI_Request r;
    MPI_File_open(SELF, "buffers.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, a, 16, MPI_INT, IGNORE);
    MPI_File_iread_at(file, 0, a, 4, MPI_INT, &r);
    MPI_File_write_at(file, 0, a + 3, 1, MPI_INT, IGNORE);               /* buffer-overlap */ /* at +0 {3}+12 */
    MPI_Wait(&r, IGNORE);
    MPI_File_read_at_all_begin(file, 0, a, 4, MPI_INT);
    MPI_Bcast(a, 1, MPI_INT, 0, SELF);                                   /* buffer-overlap */ /* at +0 {0}+0 */
    MPI_File_read_at_all_end(file, a, IGNORE);
    MPI_Bcast(a, 1, MPI_INT, 0, SELF);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    point_to_point();
    persistent();
    collective();
    blocks();
    one_sided();
    files();
    MPI_Finalize();
    return 0;
}
