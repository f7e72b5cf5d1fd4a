/*
 * Buffers that are changed while they are being sent, and what looks like it: under MPIPP_CHECK=modified.
 * A line with a finding says so, as in wrong.c. Runs as one rank.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
#define SELF MPI_COMM_SELF
#define IGNORE MPI_STATUS_IGNORE

static double a[64], b[64], c[64];

static void receive(void *buffer, int doubles, int tag)
{
    MPI_Recv(buffer, doubles, MPI_DOUBLE, 0, tag, SELF, IGNORE);
}

static void sends(void)
{
    MPI_Request r;
    static char room[4096];
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    a[3]++;
    receive(b, 8, 1);
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {3}+24 */
    a[3]++; /* it is complete */
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    a[0]++, a[7]++;
    receive(b, 8, 1);
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {0}+0 {7}+63 */
    MPI_Buffer_attach(room, sizeof room);
    MPI_Ibsend(a, 1, MPI_DOUBLE, 0, 1, SELF, &r);
    a[0]++;
    receive(b, 1, 1);
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at +0 */
    MPI_Buffer_detach(&(void *){0}, &(int){0});
    MPI_Request s;
    MPI_Irecv(b, 8, MPI_DOUBLE, 0, 1, SELF, &s);
    MPI_Irsend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    memset(a, 1, sizeof a);
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {0}+0 {7}+63 */
    MPI_Wait(&s, IGNORE);
    /* Not what is sent, or nothing. */
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    a[8]++;
    receive(b, 8, 1);
    MPI_Wait(&r, IGNORE);
    MPI_Isend(a, 0, MPI_DOUBLE, 0, 1, SELF, &r);
    a[0]++;
    receive(b, 0, 1);
    MPI_Wait(&r, IGNORE);
    MPI_Isend(a, 8, MPI_DOUBLE, MPI_PROC_NULL, 1, SELF, &r);
    a[0]++;
    MPI_Wait(&r, IGNORE);
    /* Back again. */
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    a[0]++, a[0]--;
    receive(b, 8, 1);
    MPI_Wait(&r, IGNORE);
    /* Two sends of one buffer. */
    MPI_Request both[2];
    for (int i = 0; i < 2; i++)
        MPI_Isend(a, 8, MPI_DOUBLE, 0, i, SELF, &both[i]);
    receive(b, 8, 0);
    receive(b, 8, 1);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 0, SELF, &both[0]);
    MPI_Isend(a, 4, MPI_DOUBLE, 0, 1, SELF, &both[1]);
    a[1]++;
    receive(b, 8, 0);
    receive(b, 8, 1);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);               /* buffer-modified */ /* buffer-modified */ /* at {1}+8 */
    for (int i = 0; i < 3; i++) {
        MPI_Isend(a, 8, MPI_DOUBLE, 0, 0, SELF, &r);
        a[2] += i != 1;
        receive(b, 8, 0);
        MPI_Wait(&r, IGNORE);                                /* buffer-modified x 2 */ /* at {2}+16 */
    }
    MPI_Send(a, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, SELF);
}

static void types(void)
{
    MPI_Request r;
    MPI_Datatype comb, absolute;
    MPI_Aint where;
    MPI_Type_vector(8, 1, 4, MPI_DOUBLE, &comb);
    MPI_Type_commit(&comb);
    MPI_Isend(a, 1, comb, 0, 1, SELF, &r);
    for (int i = 0; i < 32; i++)
        a[i] += i % 4 != 0; /* the gaps */
    receive(b, 8, 1);
    MPI_Wait(&r, IGNORE);
    MPI_Isend(a, 1, comb, 0, 1, SELF, &r);
    a[8]++, a[9]++;
    receive(b, 8, 1);
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at (VECTOR)[2][0](MPI_DOUBLE)+64 */
    MPI_Isend(a, 2, comb, 0, 1, SELF, &r);
    MPI_Type_free(&comb);
    a[33]++; /* the second one begins where the first one ends */
    receive(b, 16, 1);
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {1}(VECTOR)[1][0](MPI_DOUBLE)+264 */
    MPI_Get_address(a, &where);
    MPI_Type_create_hindexed(1, &(int){4}, &where, MPI_DOUBLE, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Isend(MPI_BOTTOM, 1, absolute, 0, 1, SELF, &r);
    a[3]++;
    receive(b, 4, 1);
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at (HINDEXED)[0][3](MPI_DOUBLE)+? */
    MPI_Type_free(&absolute);
}

static void tests(void)
{
    MPI_Request r, many[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int flag, index, count, indices[3];
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    MPI_Test(&r, &flag, IGNORE);
    if (!flag)
        a[3]++; /* a test that fails completes nothing */
    receive(b, 8, 1);
    for (flag = 0; !flag;)
        MPI_Test(&r, &flag, IGNORE);                         /* buffer-modified */ /* at {3}+24 */
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 1, SELF, &many[1]);
    a[4]++;
    receive(b, 8, 1);
    MPI_Waitany(3, many, &index, IGNORE);                    /* buffer-modified */ /* at {4}+32 */
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 1, SELF, &many[2]);
    a[5]++;
    receive(b, 8, 1);
    MPI_Waitsome(3, many, &count, indices, MPI_STATUSES_IGNORE); /* buffer-modified */ /* at {5}+40 */
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 1, SELF, &many[0]);
    a[6]++;
    receive(b, 8, 1);
    for (flag = 0; !flag;)
        MPI_Testall(3, many, &flag, MPI_STATUSES_IGNORE);    /* buffer-modified */ /* at {6}+48 */
    /* Of two the one that is complete. */
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &many[0]);
    MPI_Issend(c, 8, MPI_DOUBLE, 0, 2, SELF, &many[1]);
    c[6]++, a[1]++;
    receive(b, 8, 2);
    MPI_Waitany(2, many, &index, IGNORE);                    /* buffer-modified */ /* at {6}+48 */
    receive(b, 8, 1);
    MPI_Waitany(2, many, &index, IGNORE);                    /* buffer-modified */ /* at {1}+8 */
    /* Its state is asked for: complete is complete. */
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    a[7]++;
    MPI_Request_get_status(r, &flag, IGNORE);
    receive(b, 8, 1);
    for (flag = 0; !flag;)
        MPI_Request_get_status(r, &flag, IGNORE);            /* buffer-modified */ /* at {7}+56 */
    a[7]++;
    MPI_Wait(&r, IGNORE);
    /* Two that may share a handle: which of them was asked for? */
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 1, SELF, &many[0]);
    MPI_Isend(c, 8, MPI_DOUBLE, 0, 2, SELF, &many[1]);
    receive(b, 8, 1);
    for (flag = 0; !flag;)
        MPI_Request_get_status(many[0], &flag, IGNORE);
    a[0]++;
    receive(b, 8, 2);
    MPI_Waitall(2, many, MPI_STATUSES_IGNORE);
}

static void given_up(void)
{
    MPI_Request r, s;
    MPI_Status status;
    int cancelled;
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    MPI_Cancel(&r);
    a[0]++;
    MPI_Irecv(b, 8, MPI_DOUBLE, 0, 1, SELF, &s);
    MPI_Wait(&r, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (cancelled)
        MPI_Cancel(&s);
    MPI_Wait(&s, IGNORE);
    MPI_Isend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r);
    MPI_Request_free(&r);                                    /* note request-active-free */
    a[0]++;
    receive(b, 8, 1);
}

static void persistent(void)
{
    MPI_Request r[2];
    MPI_Send_init(a, 8, MPI_DOUBLE, 0, 1, SELF, &r[0]);
    MPI_Ssend_init(c, 8, MPI_DOUBLE, 0, 2, SELF, &r[1]);
    for (int i = 0; i < 4; i++) {
        a[0]++, c[0]++; /* not started */
        MPI_Startall(2, r);
        a[1] += i == 2;
        receive(b, 8, 1);
        receive(b, 8, 2);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);              /* buffer-modified */ /* at {1}+8 */
    }
    MPI_Start(&r[1]);
    c[2]++;
    receive(b, 8, 2);
    for (int flag = 0; !flag;)
        MPI_Test(&r[1], &flag, IGNORE);                      /* buffer-modified */ /* at {2}+16 */
    c[2]++;
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

/* One finding for one fault. */
static void overlapping(void)
{
    MPI_Request r[2];
    for (int i = 0; i < 8; i++)
        c[i] = i + 100;
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r[0]);
    MPI_Irecv(a + 7, 8, MPI_DOUBLE, 0, 2, SELF, &r[1]);      /* buffer-overlap */ /* at {0}+0 {7}+56 */
    MPI_Send(c, 8, MPI_DOUBLE, 0, 2, SELF);
    receive(b, 8, 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    c[0]++;
    MPI_Irecv(a + 7, 8, MPI_DOUBLE, 0, 2, SELF, &r[1]);
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r[0]);         /* buffer-overlap */ /* at {0}+0 {7}+56 */
    MPI_Send(c, 8, MPI_DOUBLE, 0, 2, SELF);
    receive(b, 8, 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    c[0]++;
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r[0]);
    MPI_Isend(c, 1, MPI_DOUBLE, 0, 2, SELF, &r[1]);
    MPI_Recv(a + 7, 1, MPI_DOUBLE, 0, 2, SELF, IGNORE);      /* buffer-overlap */ /* at +0 {7}+56 */
    receive(b, 8, 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    /* Where they do not overlap it is another fault. */
    MPI_Issend(a, 8, MPI_DOUBLE, 0, 1, SELF, &r[0]);
    MPI_Irecv(a + 8, 8, MPI_DOUBLE, 0, 2, SELF, &r[1]);
    MPI_Send(c, 8, MPI_DOUBLE, 0, 2, SELF);
    a[7]++;
    receive(b, 8, 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);                  /* buffer-modified */ /* at {7}+56 */
}

static void collective(void)
{
    MPI_Request r;
    int two[1] = {2}, zero[1] = {0};
    MPI_Comm ring;
    MPI_Ibcast(a, 4, MPI_DOUBLE, 0, SELF, &r);
    a[1]++;
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {1}+8 */
    MPI_Iallreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, SELF, &r);
    a[2]++;
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {2}+16 */
    MPI_Iallreduce(MPI_IN_PLACE, b, 4, MPI_DOUBLE, MPI_SUM, SELF, &r);
    b[2]++; /* what is there at the end is the result, as far as anybody can tell */
    MPI_Wait(&r, IGNORE);
    MPI_Ialltoallv(a, two, zero, MPI_DOUBLE, b, two, zero, MPI_DOUBLE, SELF, &r);
    a[2]++; /* not sent */
    MPI_Wait(&r, IGNORE);
    MPI_Ialltoallv(a, two, zero, MPI_DOUBLE, b, two, zero, MPI_DOUBLE, SELF, &r);
    a[1]++;
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {1}+8 */
    MPI_Cart_create(SELF, 1, &(int){1}, &(int){1}, 0, &ring);
    MPI_Ineighbor_allgather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, ring, &r);
    a[0]++;
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {0}+0 */
    MPI_Comm_free(&ring);
    MPI_Bcast(a, 4, MPI_DOUBLE, 0, SELF);
}

static void one_sided(void)
{
    MPI_Win win;
    MPI_Request r;
    double *base;
    MPI_Win_allocate(64 * sizeof(double), sizeof(double), MPI_INFO_NULL, SELF, &base, &win);
    MPI_Win_fence(0, win);
    MPI_Put(a, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, win);
    a[1]++;
    MPI_Win_fence(0, win);                                   /* buffer-modified */ /* at {1}+8 */
    a[1]++;
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Accumulate(a, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_flush_local(0, win);
    a[2]++;
    MPI_Accumulate(a, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, MPI_SUM, win);
    a[3]++;
    MPI_Win_flush(0, win);                                   /* buffer-modified */ /* at {3}+24 */
    MPI_Get_accumulate(a, 4, MPI_DOUBLE, b, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, MPI_NO_OP, win);
    a[3]++; /* is not looked at */
    MPI_Win_flush(0, win);
    MPI_Fetch_and_op(&a[3], b, MPI_DOUBLE, 0, 0, MPI_SUM, win);
    a[3]++;
    MPI_Win_unlock(0, win);                                  /* buffer-modified */ /* at +0 */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Rput(a, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, win, &r);
    a[2]++;
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {2}+16 */
    MPI_Rput(a, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, win, &r);
    a[2]++;
    MPI_Win_flush(0, win);                                   /* buffer-modified */ /* at {2}+16 */
    a[2]++;
    MPI_Wait(&r, IGNORE);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

static void files(void)
{
    MPI_File file;
    MPI_Request r;
    MPI_File_open(SELF, "modified.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, 0, a, 8, MPI_DOUBLE, &r);
    a[5]++;
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified */ /* at {5}+40 */
    MPI_File_write_at_all_begin(file, 0, a, 8, MPI_DOUBLE);
    a[4]++;
    MPI_File_write_at_all_end(file, a, IGNORE);              /* buffer-modified */ /* at {4}+32 */
    MPI_File_iread_at(file, 0, a, 8, MPI_DOUBLE, &r);
    MPI_Wait(&r, IGNORE);
    MPI_File_close(&file);
}

/* One byte of 3 MiB, to one part in 384; and a plane with rows that are pages apart. */
static void large(void)
{
    enum { BYTES = 3 << 20, ROWS = 600, ROW = 4104 };
    MPI_Request r[2];
    MPI_Datatype plane;
    char *out = calloc(1, BYTES), *in = malloc(BYTES);
    MPI_Irecv(in, BYTES, MPI_CHAR, 0, 1, SELF, &r[0]);
    MPI_Isend(out, BYTES, MPI_CHAR, 0, 1, SELF, &r[1]);
    out[(1 << 20) + 5]++;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);                  /* buffer-modified */ /* at {1048576}+1048576 {1056767}+1056767 */
    MPI_Type_create_hvector(ROWS, 16, ROW, MPI_CHAR, &plane);
    MPI_Type_commit(&plane);
    MPI_Irecv(in, ROWS * 16, MPI_CHAR, 0, 1, SELF, &r[0]);
    MPI_Isend(out, 1, plane, 0, 1, SELF, &r[1]);
    out[17] = out[ROW - 1] = 1;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, ROWS * 16, MPI_CHAR, 0, 1, SELF, &r[0]);
    MPI_Isend(out, 1, plane, 0, 1, SELF, &r[1]);
    out[300 * ROW + 3]++;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);                  /* buffer-modified */ /* at (HVECTOR)[300][0](MPI_CHAR)+1231200 (HVECTOR)[301][15](MPI_CHAR)+1235319 */
    MPI_Type_free(&plane);
    free(out);
    free(in);
}

/* The kernel's page with the clock, which changes all the time and is no memory: NULL, there is none. */
static char *clock_page(void)
{
    char line[4096];
    unsigned long found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && !found && fgets(line, sizeof line, maps))
        if (strstr(line, " r--p ") && (strstr(line, "[vvar]\n")))
            found = strtoul(line, NULL, 16);
    if (maps)
        fclose(maps);
    return (char *)found;
}

/* Memory that is gone when it is looked at, that never was there, and that is none. */
static void unreadable(void)
{
    MPI_Request r[2];
    long page = sysconf(_SC_PAGESIZE);
    char *gone = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Irecv(b, 16, MPI_CHAR, 0, 1, SELF, &r[0]);
    MPI_Isend(gone, 16, MPI_CHAR, 0, 1, SELF, &r[1]);
    munmap(gone, (size_t)page);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    gone = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Irecv(b, 16, MPI_CHAR, 0, 1, SELF, &r[0]);
    MPI_Isend(gone, 16, MPI_CHAR, 0, 1, SELF, &r[1]);
    gone[0] = 1;
    mprotect(gone, (size_t)page, PROT_NONE);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    munmap(gone, (size_t)page);
    char *clock = clock_page(), was[128];
    if (!clock)
        return;
    memcpy(was, clock, sizeof was);
    MPI_Irecv(b, sizeof was, MPI_CHAR, 0, 1, SELF, &r[0]);
    MPI_Isend(clock, sizeof was, MPI_CHAR, 0, 1, SELF, &r[1]);
    for (int i = 0; i < 1000 && memcmp(was, clock, sizeof was) == 0; i++)
        usleep(1000);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

#if MPI_VERSION >= 4
static void version_4(void)
{
    MPI_Request r, s;
    MPI_Isendrecv(a, 4, MPI_DOUBLE, 0, 1, b, 4, MPI_DOUBLE, 0, 1, SELF, &r);
    a[1]++;
    MPI_Wait(&r, IGNORE);                                    /* buffer-modified (mpich) */ /* at {1}+8 */
    MPI_Isendrecv_replace(a, 4, MPI_DOUBLE, 0, 1, 0, 1, SELF, &r);
    MPI_Wait(&r, IGNORE);
    MPI_Bcast_init(a, 4, MPI_DOUBLE, 0, SELF, MPI_INFO_NULL, &r);
    for (int i = 0; i < 2; i++) {
        a[0]++;
        MPI_Start(&r);
        a[1] += i;
        MPI_Wait(&r, IGNORE);                                /* buffer-modified (mpich) */ /* at {1}+8 */
    }
    MPI_Request_free(&r);
    MPI_Psend_init(a, 4, 2, MPI_DOUBLE, 0, 1, SELF, MPI_INFO_NULL, &r);
    MPI_Precv_init(b, 4, 2, MPI_DOUBLE, 0, 1, SELF, MPI_INFO_NULL, &s);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&s);
        MPI_Start(&r);
        for (int k = 0; k < 8; k++)
            a[k]++; /* no partition is ready */
        MPI_Pready_range(0, 1, r);
        a[4]++; /* not yet */
        MPI_Pready(2, r);
        a[3] += i;
        MPI_Pready(3, r);
        MPI_Wait(&r, IGNORE);                                /* buffer-modified (mpich) */ /* at {1}+8 */
        MPI_Wait(&s, IGNORE);
    }
    MPI_Request_free(&r);
    MPI_Request_free(&s);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    sends();
    types();
    tests();
    given_up();
    persistent();
    overlapping();
    collective();
    one_sided();
    files();
    large();
    unreadable();
#if MPI_VERSION >= 4
    version_4();
#endif
    MPI_Finalize();
    return 0;
}
