/*
 * Buffers that reach outside the memory that they lie in, with --check=size, and beside each the same
 * that just fits. A line with a finding says so, as in wrong.c. Runs as one rank.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
#define SELF MPI_COMM_SELF
#define IGNORE MPI_STATUS_IGNORE

struct cell {
    double value;
    int number;
};

static int table[40];
static struct { int first[10], second[10]; } both;
int exported[12] = {1};
static int target[1000];

static MPI_Datatype made(MPI_Datatype type)
{
    MPI_Type_commit(&type);
    return type;
}

/* To nobody, who takes everything: a broadcast of one rank. */
static void pass(void *buffer, int count, MPI_Datatype type)
{
    MPI_Bcast(buffer, count, type, 0, SELF);
}

static void allocators(void)
{
    char *p;
    void *aligned;
    p = malloc(100);
    pass(p, 100, MPI_BYTE);
    pass(p + 99, 1, MPI_BYTE);
    MPI_Bcast(p, 101, MPI_BYTE, 0, SELF);                               /* buffer-size */ /* at {100}+100 */
    MPI_Bcast(p + 99, 2, MPI_BYTE, 0, SELF);                            /* buffer-size */ /* at {1}+1 */
    MPI_Bcast(p + 50, 13, MPI_INT, 0, SELF);                            /* buffer-size */ /* at {12}+48 */
    MPI_Bcast(p, 0, MPI_BYTE, 0, SELF);
    p = realloc(p, 3000);
    pass(p, 3000, MPI_BYTE);
    MPI_Bcast(p, 3001, MPI_BYTE, 0, SELF);                              /* buffer-size */ /* at {3000}+3000 */
    p = realloc(p, 30);
    pass(p, 30, MPI_BYTE);
    MPI_Bcast(p, 31, MPI_BYTE, 0, SELF);                                /* buffer-size */ /* at {30}+30 */
    free(p);
    p = calloc(25, 4);
    pass(p, 25, MPI_INT);
    MPI_Bcast(p, 26, MPI_INT, 0, SELF);                                 /* buffer-size */ /* at {25}+100 */
    free(p);
    p = reallocarray(NULL, 25, 40);
    MPI_Bcast(p, 251, MPI_INT, 0, SELF);                                /* buffer-size */ /* at {250}+1000 */
    free(p);
    p = aligned_alloc(64, 640);
    pass(p, 640, MPI_BYTE);
    MPI_Bcast(p, 641, MPI_BYTE, 0, SELF);                               /* buffer-size */ /* at {640}+640 */
    free(p);
    posix_memalign(&aligned, 4096, 5000);
    pass(aligned, 5000, MPI_BYTE);
    MPI_Bcast(aligned, 5001, MPI_BYTE, 0, SELF);                        /* buffer-size */ /* at {5000}+5000 */
    free(aligned);
    p = memalign(32, 70);
    MPI_Bcast(p, 71, MPI_BYTE, 0, SELF);                                /* buffer-size */ /* at {70}+70 */
    free(p);
    p = valloc(70);
    MPI_Bcast(p, 71, MPI_BYTE, 0, SELF);                                /* buffer-size */ /* at {70}+70 */
    free(p);
    p = malloc(1 << 25);
    pass(p, 1 << 25, MPI_BYTE);
    pass(p + (1 << 24), 1 << 24, MPI_BYTE);
    MPI_Bcast(p + (1 << 24) + 1, 1 << 24, MPI_BYTE, 0, SELF);           /* buffer-size */ /* at {16777215}+16777215 */
    free(p);
    p = malloc(100);
    pass(p, (int)malloc_usable_size(p), MPI_BYTE);
    free(p);
    p = malloc(0);
    MPI_Bcast(p, 1, MPI_BYTE, 0, SELF);                                 /* buffer-size */ /* at +0 */
    free(p);
}

static void variables(void)
{
    pass(table, 40, MPI_INT);
    pass(table + 39, 1, MPI_INT);
    MPI_Bcast(table, 41, MPI_INT, 0, SELF);                             /* buffer-size */ /* at {40}+160 */
    MPI_Bcast(table + 39, 2, MPI_INT, 0, SELF);                         /* buffer-size */ /* at {1}+4 */
    pass(both.first, 20, MPI_INT); /* of one variable */
    MPI_Bcast(both.second, 11, MPI_INT, 0, SELF);                       /* buffer-size */ /* at {10}+40 */
    pass(exported, 12, MPI_INT);
    MPI_Bcast(exported, 13, MPI_INT, 0, SELF);                          /* buffer-size */ /* at {12}+48 */
    int local[4] = {0};
    pass(local, 4, MPI_INT);
}

static void types(void)
{
    int *matrix = calloc(10 * 8, sizeof(int)), sizes[] = {10, 8}, part[] = {10, 2}, start[] = {0, 6};
    struct cell *cells = calloc(10, sizeof *cells);
    int lengths[] = {1, 1}, places[] = {3, 10};
    MPI_Aint offsets[] = {offsetof(struct cell, value), offsetof(struct cell, number)};
    MPI_Datatype members[] = {MPI_DOUBLE, MPI_INT}, t, u;
    MPI_Type_vector(10, 1, 8, MPI_INT, &t);
    made(t);
    pass(matrix, 1, t);
    pass(matrix + 7, 1, t);
    MPI_Bcast(matrix + 8, 1, t, 0, SELF);                               /* buffer-size */ /* at (VECTOR)[9][0](MPI_INT)+288 */
    MPI_Type_create_resized(t, 0, sizeof(int), &u);
    MPI_Type_free(&t);
    made(u);
    pass(matrix, 8, u);
    MPI_Bcast(matrix, 9, u, 0, SELF);                                   /* buffer-size */ /* at {8}(RESIZED)[0](VECTOR)[9][0](MPI_INT)+320 */
    MPI_Type_free(&u);
    MPI_Type_vector(10, 1, -8, MPI_INT, &t);
    made(t);
    pass(matrix + 72, 1, t);
    MPI_Bcast(matrix + 71, 1, t, 0, SELF);                              /* buffer-size */ /* at (VECTOR)[9][0](MPI_INT)+-288 */
    MPI_Type_free(&t);
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &t);
    made(t);
    pass(matrix, 1, t);
    MPI_Bcast(matrix + 1, 1, t, 0, SELF);                               /* buffer-size */ /* at (SUBARRAY)[9][1](MPI_INT)+316 */
    MPI_Bcast(matrix, 2, t, 0, SELF);                                   /* buffer-size */ /* at {1}(SUBARRAY)[0][0](MPI_INT)+344 */
    MPI_Type_free(&t);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &t);
    made(t);
    pass(matrix + 69, 1, t);
    MPI_Bcast(matrix + 70, 1, t, 0, SELF);                              /* buffer-size */ /* at (INDEXED)[1][0](MPI_INT)+40 */
    MPI_Type_free(&t);
    MPI_Type_create_struct(2, lengths, offsets, members, &u);
    MPI_Type_create_resized(u, 0, sizeof(struct cell), &t);
    MPI_Type_free(&u);
    made(t);
    pass(cells, 10, t);
    pass(cells + 9, 1, t);
    MPI_Bcast(cells, 11, t, 0, SELF);                                   /* buffer-size */ /* at {10}(RESIZED)[0](STRUCT)[0][0](MPI_DOUBLE)+160 */
    MPI_Bcast(cells + 9, 2, t, 0, SELF);                                /* buffer-size */ /* at {1}(RESIZED)[0](STRUCT)[0][0](MPI_DOUBLE)+16 */
    MPI_Type_free(&t);
    /* The end of the last struct that the compiler pads is not needed. */
    struct cell *short_one = malloc(12);
    MPI_Type_create_struct(2, lengths, offsets, members, &t);
    made(t);
    pass(short_one, 1, t);
    short_one = realloc(short_one, 8);
    MPI_Bcast(short_one, 1, t, 0, SELF);                                /* buffer-size */ /* at (STRUCT)[1][0](MPI_INT)+8 */
    MPI_Type_free(&t);
    free(short_one);
    free(cells);
    free(matrix);
}

/* Data in several blocks by absolute addresses, and by the distances of two. */
static void several_blocks(void)
{
    double *x = calloc(10, sizeof *x), *y = calloc(20, sizeof *y);
    int lengths[] = {10, 20}, too_long[] = {10, 21};
    MPI_Aint addresses[2], apart[2];
    MPI_Datatype t;
    MPI_Get_address(x, &addresses[0]);
    MPI_Get_address(y, &addresses[1]);
    apart[0] = 0;
    apart[1] = addresses[1] - addresses[0];
    MPI_Type_create_hindexed(2, lengths, addresses, MPI_DOUBLE, &t);
    made(t);
    pass(MPI_BOTTOM, 1, t);
    MPI_Type_free(&t);
    MPI_Type_create_hindexed(2, lengths, apart, MPI_DOUBLE, &t);
    made(t);
    pass(x, 1, t);
    MPI_Type_free(&t);
    MPI_Type_create_hvector(2, 10, apart[1], MPI_DOUBLE, &t);
    made(t);
    pass(x, 1, t);
    MPI_Type_free(&t);
    MPI_Type_create_hindexed(2, too_long, addresses, MPI_DOUBLE, &t);
    made(t);
    MPI_Bcast(MPI_BOTTOM, 1, t, 0, SELF);                               /* buffer-size */ /* at (HINDEXED)[1][20](MPI_DOUBLE)+? */
    MPI_Type_free(&t);
    free(x);
    free(y);
}

static void calls(void)
{
    int *p = calloc(10, sizeof *p), size = 0, counts[] = {4}, place[] = {6}, beyond[] = {7};
    MPI_Request r;
    char *packed = malloc(100);
    MPI_Isend(p, 10, MPI_INT, 0, 1, SELF, &r);
    MPI_Recv(target, 10, MPI_INT, 0, 1, SELF, IGNORE);
    MPI_Wait(&r, IGNORE);
    MPI_Isend(p, 11, MPI_INT, 0, 1, SELF, &r);                          /* buffer-size */ /* at {10}+40 */
    MPI_Recv(target, 11, MPI_INT, 0, 1, SELF, IGNORE);
    MPI_Wait(&r, IGNORE);
    /* What arrives fits; the buffer is described as longer. */
    MPI_Isend(target, 10, MPI_INT, 0, 1, SELF, &r);
    MPI_Recv(p, 12, MPI_INT, 0, 1, SELF, IGNORE);                       /* buffer-size */ /* at {10}+40 */
    MPI_Wait(&r, IGNORE);
    MPI_Irecv(p, 13, MPI_INT, 0, 1, SELF, &r);                          /* buffer-size */ /* at {10}+40 */
    MPI_Send(target, 1, MPI_INT, 0, 1, SELF);
    MPI_Wait(&r, IGNORE);
    MPI_Send_init(p + 1, 10, MPI_INT, 0, 1, SELF, &r);                  /* buffer-size */ /* at {9}+36 */
    MPI_Request_free(&r);
    MPI_Send(p, 11, MPI_INT, MPI_PROC_NULL, 1, SELF);
    MPI_Allgather(MPI_IN_PLACE, 99, MPI_INT, p, 10, MPI_INT, SELF);
    MPI_Allgather(MPI_IN_PLACE, 99, MPI_INT, p, 11, MPI_INT, SELF);     /* buffer-size */ /* at {10}+40 */
    MPI_Allreduce(target, p, 10, MPI_INT, MPI_SUM, SELF);
    MPI_Allgatherv(target, 4, MPI_INT, p, counts, place, MPI_INT, SELF);
    counts[0] = 0;
    MPI_Allgatherv(target, 0, MPI_INT, p, counts, beyond, MPI_INT, SELF);
    counts[0] = 3;
    MPI_Alltoallv(p, counts, beyond, MPI_INT, target, counts, place, MPI_INT, SELF);
    counts[0] = 4;
    MPI_Alltoallv(p, counts, beyond, MPI_INT, target, counts, place, MPI_INT, SELF); /* buffer-size */ /* at {3}+12 */
    MPI_Pack(p, 11, MPI_INT, packed, 100, &size, SELF);                 /* buffer-size */ /* at {10}+40 */
    free(p);
    free(packed);
}

/* Memory that is given with its size in bytes. */
static void rooms(void)
{
    char *packed = malloc(100), *attached = malloc(2000 + MPI_BSEND_OVERHEAD);
    int numbers[4], at = 0;
    MPI_Aint far = 0;
    MPI_Win win;
    void *detached;
    MPI_Pack(table, 4, MPI_INT, packed, 100, &at, SELF);
    MPI_Pack(table, 4, MPI_INT, packed + 60, 40, &(int){0}, SELF);
    MPI_Pack(table, 4, MPI_INT, packed, 101, &at, SELF);                /* buffer-size */ /* with outsize=101 */
    MPI_Pack(table, 4, MPI_INT, packed + 60, 100, &(int){0}, SELF);     /* buffer-size */
    MPI_Unpack(packed, 100, &(int){0}, numbers, 4, MPI_INT, SELF);
    MPI_Unpack(packed, 104, &(int){0}, numbers, 4, MPI_INT, SELF);      /* buffer-size */ /* with insize=104 */
    MPI_Unpack(packed + 100, 16, &(int){0}, numbers, 0, MPI_INT, SELF); /* buffer-size */
    MPI_Unpack(packed + 100, 0, &(int){0}, numbers, 0, MPI_INT, SELF);
    MPI_Pack_external("external32", table, 2, MPI_INT, packed, 100, &far);
    MPI_Pack_external("external32", table, 2, MPI_INT, packed, 200, &far); /* buffer-size */
    far = 0;
    MPI_Unpack_external("external32", packed, 100, &far, numbers, 2, MPI_INT);
    MPI_Unpack_external("external32", packed, 101, &far, numbers, 2, MPI_INT); /* buffer-size */
    MPI_Pack(numbers, 4, MPI_INT, table, sizeof table, &(int){0}, SELF);
    MPI_Pack(numbers, 4, MPI_INT, table, 1000, &(int){0}, SELF);        /* buffer-size */
    MPI_Buffer_attach(attached, 2000 + MPI_BSEND_OVERHEAD);
    MPI_Buffer_detach(&detached, &at);
    MPI_Buffer_attach(attached, 2001 + MPI_BSEND_OVERHEAD);             /* buffer-size */
    MPI_Buffer_detach(&detached, &at);
    if (MPI_Win_create(exported, sizeof exported, 1, MPI_INFO_NULL, SELF, &win) == MPI_SUCCESS)
        MPI_Win_free(&win);
    if (MPI_Win_create(exported, 4 * sizeof exported, 1, MPI_INFO_NULL, SELF, &win) == MPI_SUCCESS) /* buffer-size */ /* with base=0x? size=192 */
        MPI_Win_free(&win);
    if (MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, SELF, &win) == MPI_SUCCESS)
        MPI_Win_free(&win);
    if (MPI_Win_create_dynamic(MPI_INFO_NULL, SELF, &win) == MPI_SUCCESS) {
        MPI_Win_attach(win, attached, 2000);
        MPI_Win_detach(win, attached);
        MPI_Win_attach(win, attached, 4000);                            /* buffer-size (mpich) */ /* buffer-size (openmpi5) */ /* Open MPI 4: none of one rank */
        MPI_Win_detach(win, attached);
        MPI_Win_free(&win);
    }
    free(attached);
    free(packed);
}

/* A buffer that no other call uses. */
static int *fresh(void)
{
    static int buffers[32][16], used;
    return buffers[used++];
}

/* What is named in a window. */
static void windows(void)
{
    int origin[20] = {0}, compared = 0, result, *p;
    MPI_Aint back = -8;
    MPI_Datatype column, negative;
    MPI_Win win;
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_create_hindexed(1, (int[]){1}, &back, MPI_INT, &negative);
    column = made(column);
    negative = made(negative);
    MPI_Win_allocate(10 * sizeof *p, sizeof *p, MPI_INFO_NULL, SELF, &p, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Put(origin, 10, MPI_INT, 0, 0, 10, MPI_INT, win);
    MPI_Put(origin, 1, MPI_INT, 0, 9, 1, MPI_INT, win);
    MPI_Put(origin, 0, MPI_INT, 0, 99, 0, MPI_INT, win);
    MPI_Put(origin, 1, MPI_INT, MPI_PROC_NULL, 99, 1, MPI_INT, win);
    MPI_Get(fresh(), 3, MPI_INT, 0, 1, 1, column, win);
    MPI_Get(fresh(), 1, MPI_INT, 0, 2, 1, negative, win);
    MPI_Win_fence(0, win);
    MPI_Get(fresh(), 11, MPI_INT, 0, 0, 11, MPI_INT, win);               /* buffer-size */
    MPI_Get(fresh(), 1, MPI_INT, 0, 10, 1, MPI_INT, win);                /* buffer-size */ /* with target_disp=10 target_rank=0 */
    MPI_Get(fresh(), 1, MPI_INT, 0, -1, 1, MPI_INT, win);                /* argument-count */
    MPI_Get(fresh(), 3, MPI_INT, 0, 2, 1, column, win);                  /* buffer-size */
    MPI_Get(fresh(), 1, MPI_INT, 0, 1, 1, negative, win);                /* buffer-size */
    MPI_Accumulate(origin, 2, MPI_INT, 0, 9, 2, MPI_INT, MPI_SUM, win); /* buffer-size */
    MPI_Win_fence(0, win);
    MPI_Fetch_and_op(origin, &result, MPI_INT, 0, 9, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(origin, &compared, &result, MPI_INT, 0, 9, win);
    MPI_Win_fence(0, win);
    MPI_Fetch_and_op(origin, &result, MPI_INT, 0, 10, MPI_SUM, win);    /* buffer-size */
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(origin, &compared, &result, MPI_INT, 0, 10, win); /* buffer-size */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Win_allocate_shared(10 * sizeof *p, sizeof *p, MPI_INFO_NULL, SELF, &p, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Get(fresh(), 10, MPI_INT, 0, 0, 10, MPI_INT, win);
    MPI_Get(fresh(), 10, MPI_INT, 0, 1, 10, MPI_INT, win);               /* buffer-size */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&column);
    MPI_Type_free(&negative);
}

static void memory_of_mpi(void)
{
    int *p, *shared;
    MPI_Win win;
    MPI_Alloc_mem(10 * sizeof *p, MPI_INFO_NULL, &p);
    pass(p, 10, MPI_INT);
    MPI_Bcast(p, 11, MPI_INT, 0, SELF);                                 /* buffer-size */ /* at {10}+40 */
    MPI_Free_mem(p);
    MPI_Win_allocate(10 * sizeof *p, sizeof *p, MPI_INFO_NULL, SELF, &p, &win);
    pass(p, 10, MPI_INT);
    MPI_Bcast(p + 5, 6, MPI_INT, 0, SELF);                              /* buffer-size */ /* at {5}+20 */
    int *origin = calloc(3, sizeof *origin);
    MPI_Win_fence(0, win);
    MPI_Put(origin, 3, MPI_INT, 0, 0, 3, MPI_INT, win);
    MPI_Put(origin, 4, MPI_INT, 0, 0, 4, MPI_INT, win);                 /* buffer-size */ /* at {3}+12 */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Win_allocate_shared(10 * sizeof *p, sizeof *p, MPI_INFO_NULL, SELF, &shared, &win);
    pass(shared, 10, MPI_INT);
    MPI_Bcast(shared, 11, MPI_INT, 0, SELF);                            /* buffer-size */ /* at {10}+40 */
    MPI_Win_free(&win);
    free(origin);
}

/* Before MPI_Init, from when on Open MPI may watch munmap alone. Under MPICH 4.0 UCX watches all, from
 * before main on. */
static char *map_three_pages(size_t page)
{
    char *p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mmap(p + 3 * page, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return p;
}

static void mapped(char *p, size_t page)
{
    pass(p, (int)(3 * page), MPI_BYTE);
    MPI_Bcast(p + page, (int)(2 * page + 1), MPI_BYTE, 0, SELF);        /* buffer-size (openmpi) */ /* buffer-size (mpich4_2) */ /* at {8192}+8192 */
    /* The program's own next mapping: one piece with it. */
    mmap(p + 3 * page, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    pass(p + page, (int)(2 * page + 1), MPI_BYTE);
    munmap(p, 4 * page);
}

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = map_three_pages(page);
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    allocators();
    variables();
    types();
    several_blocks();
    calls();
    rooms();
    windows();
    memory_of_mpi();
    mapped(pages, page);
    MPI_Finalize();
    return 0;
}
