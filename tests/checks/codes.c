/*
 * Codes as people write them, all correct: a stencil with halo datatypes, particles that move, a
 * ring of persistent requests, a parallel sort, conjugate gradients. Nothing may be reported. Runs
 * as any number of ranks.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* --- a stencil: rows and columns of a tile, one ghost cell around ----------------------------- */

enum { TILE = 10, WIDE = TILE + 2 };

static void stencil(void)
{
    static double now[WIDE][WIDE], next[WIDE][WIDE];
    int dims[2] = {0, 0}, periods[2] = {0, 1}, up, down, left, right;
    MPI_Comm grid;
    MPI_Datatype row, column, inner;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    MPI_Type_contiguous(TILE, MPI_DOUBLE, &row);
    MPI_Type_vector(TILE, 1, WIDE, MPI_DOUBLE, &column);
    int whole[2] = {WIDE, WIDE}, part[2] = {TILE, TILE}, start[2] = {1, 1};
    MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &inner);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
    MPI_Type_commit(&inner);
    for (int step = 0; step < 5; step++) {
        MPI_Request requests[8];
        MPI_Irecv(&now[0][1], 1, row, up, 0, grid, &requests[0]);
        MPI_Irecv(&now[TILE + 1][1], 1, row, down, 1, grid, &requests[1]);
        MPI_Irecv(&now[1][0], 1, column, left, 2, grid, &requests[2]);
        MPI_Irecv(&now[1][TILE + 1], 1, column, right, 3, grid, &requests[3]);
        MPI_Isend(&now[TILE][1], 1, row, down, 0, grid, &requests[4]);
        MPI_Isend(&now[1][1], 1, row, up, 1, grid, &requests[5]);
        MPI_Isend(&now[1][TILE], 1, column, right, 2, grid, &requests[6]);
        MPI_Isend(&now[1][1], 1, column, left, 3, grid, &requests[7]);
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        for (int i = 1; i <= TILE; i++)
            for (int j = 1; j <= TILE; j++)
                next[i][j] = (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]) / 4;
        memcpy(now, next, sizeof now);
    }
    if (rank == 0) {
        double *all = malloc((size_t)size * TILE * TILE * sizeof *all);
        MPI_Gather(now, 1, inner, all, TILE * TILE, MPI_DOUBLE, 0, grid);
        free(all);
    } else {
        MPI_Gather(now, 1, inner, NULL, 0, MPI_DATATYPE_NULL, 0, grid);
    }
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Type_free(&inner);
    MPI_Comm_free(&grid);
}

/* --- particles: a struct with padding, sent to wherever they went ----------------------------- */

struct particle {
    double place[3];
    float speed[3];
    char sort;
    int number;
};

static MPI_Datatype make_particle(void)
{
    struct particle sample[2];
    int lengths[4] = {3, 3, 1, 1};
    MPI_Datatype types[4] = {MPI_DOUBLE, MPI_FLOAT, MPI_CHAR, MPI_INT}, packed, resized;
    MPI_Aint places[4], first, second;
    MPI_Get_address(&sample[0].place, &places[0]);
    MPI_Get_address(&sample[0].speed, &places[1]);
    MPI_Get_address(&sample[0].sort, &places[2]);
    MPI_Get_address(&sample[0].number, &places[3]);
    MPI_Get_address(&sample[0], &first);
    MPI_Get_address(&sample[1], &second);
    for (int i = 0; i < 4; i++)
        places[i] = MPI_Aint_diff(places[i], first);
    MPI_Type_create_struct(4, lengths, places, types, &packed);
    MPI_Type_create_resized(packed, 0, MPI_Aint_diff(second, first), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&packed);
    return resized;
}

static void particles(void)
{
    enum { MINE = 12 };
    MPI_Datatype type = make_particle();
    struct particle *mine = calloc(MINE, sizeof *mine);
    int *ints = calloc((size_t)size * 4, sizeof *ints);
    int *counts = ints, *places = ints + size, *come = ints + 2 * size, *come_to = ints + 3 * size;
    for (int i = 0; i < MINE; i++)
        counts[(i * 7 + rank) % size]++;
    for (int i = 1; i < size; i++)
        places[i] = places[i - 1] + counts[i - 1];
    MPI_Alltoall(counts, 1, MPI_INT, come, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 1; i < size; i++)
        come_to[i] = come_to[i - 1] + come[i - 1];
    int arrive = come_to[size - 1] + come[size - 1];
    struct particle *theirs = malloc((size_t)(arrive + 1) * sizeof *theirs);
    MPI_Alltoallv(mine, counts, places, type, theirs, come, come_to, type, MPI_COMM_WORLD);
    /* And one by one, from whoever sends. */
    MPI_Request sent;
    MPI_Status status;
    int length;
    MPI_Isend(theirs, arrive, type, (rank + 1) % size, 4, MPI_COMM_WORLD, &sent);
    MPI_Probe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, type, &length);
    struct particle *more = malloc((size_t)(length + 1) * sizeof *more);
    MPI_Recv(more, length, type, status.MPI_SOURCE, 4, MPI_COMM_WORLD, &status);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    free(mine);
    free(theirs);
    free(more);
    free(ints);
    MPI_Type_free(&type);
}

/* --- a ring of persistent requests; a hypercube of exchanges ---------------------------------- */

static void ring(void)
{
    double out[100] = {0}, in[100];
    MPI_Request requests[2];
    int flag = 0;
    MPI_Send_init(out, 100, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 100, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 4; i++) {
        MPI_Startall(2, requests);
        if (i % 2)
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        else
            for (int done = 0; done < 2; done += flag) {
                int index;
                MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
            }
        memcpy(out, in, sizeof out);
    }
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    for (int bit = 1; bit < size; bit <<= 1) {
        int friend = (rank ^ bit) < size ? rank ^ bit : MPI_PROC_NULL;
        MPI_Sendrecv(out, 100, MPI_DOUBLE, friend, bit, in, 100, MPI_DOUBLE, friend, bit,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(out, 100, MPI_DOUBLE, friend, bit, friend, bit, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
}

/* --- a sort by samples ------------------------------------------------------------------------ */

static int by_value(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

static void sort(void)
{
    enum { KEYS = 50 };
    int keys[KEYS];
    for (int i = 0; i < KEYS; i++)
        keys[i] = (i * 7919 + rank * 104729) % 1000;
    qsort(keys, KEYS, sizeof *keys, by_value);
    int *ints = calloc((size_t)size * 5, sizeof *ints);
    int *samples = ints, *counts = ints + size, *come = ints + 2 * size;
    int *places = ints + 3 * size, *come_to = ints + 4 * size;
    MPI_Gather(&keys[KEYS / 2], 1, MPI_INT, rank ? NULL : samples, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        qsort(samples, (size_t)size, sizeof *samples, by_value);
    MPI_Bcast(samples, size, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0, to = 0; i < KEYS; i++) {
        while (to < size - 1 && keys[i] > samples[to])
            to++;
        counts[to]++;
    }
    for (int i = 1; i < size; i++)
        places[i] = places[i - 1] + counts[i - 1];
    MPI_Alltoall(counts, 1, MPI_INT, come, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 1; i < size; i++)
        come_to[i] = come_to[i - 1] + come[i - 1];
    int mine = come_to[size - 1] + come[size - 1];
    int *sorted = mine ? malloc((size_t)mine * sizeof *sorted) : NULL;
    MPI_Alltoallv(keys, counts, places, MPI_INT, sorted, come, come_to, MPI_INT, MPI_COMM_WORLD);
    int before = 0;
    MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gather(&mine, 1, MPI_INT, come, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int *all = NULL;
    if (rank == 0) {
        all = malloc((size_t)size * KEYS * sizeof *all);
        for (int i = 1; i < size; i++)
            come_to[i] = come_to[i - 1] + come[i - 1];
    }
    MPI_Gatherv(sorted, mine, MPI_INT, all, come, come_to, MPI_INT, 0, MPI_COMM_WORLD);
    free(all);
    free(sorted);
    free(ints);
}

/* --- conjugate gradients, rows shared out ----------------------------------------------------- */

static double dot(const double *left, const double *right, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += left[i] * right[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void gradients(void)
{
    enum { ROWS = 20 };
    double x[ROWS] = {0}, r[ROWS], p[ROWS], *whole = malloc((size_t)size * ROWS * sizeof *whole);
    for (int i = 0; i < ROWS; i++)
        r[i] = p[i] = 1;
    double rr = dot(r, r, ROWS);
    for (int step = 0; step < 10 && rr > 1e-9; step++) {
        double q[ROWS];
        MPI_Request request;
        MPI_Iallgather(p, ROWS, MPI_DOUBLE, whole, ROWS, MPI_DOUBLE, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < ROWS; i++) {
            int at = rank * ROWS + i;
            q[i] = 4 * whole[at] - (at ? whole[at - 1] : 0) -
                   (at + 1 < size * ROWS ? whole[at + 1] : 0);
        }
        double alpha = rr / dot(p, q, ROWS), before = rr;
        for (int i = 0; i < ROWS; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rr = dot(r, r, ROWS);
        for (int i = 0; i < ROWS; i++)
            p[i] = r[i] + rr / before * p[i];
    }
    struct {
        double value;
        int rank;
    } mine = {x[0], rank}, least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    free(whole);
}

/* --- a transpose: columns received as rows ---------------------------------------------------- */

static void transpose(void)
{
    enum { N = 4 };
    int n = N * size;
    double *rows = calloc((size_t)N * (size_t)n, sizeof *rows),
           *turned = calloc((size_t)N * (size_t)n, sizeof *turned);
    MPI_Datatype column, columns;
    MPI_Type_vector(N, 1, n, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, sizeof(double), &columns);
    MPI_Type_free(&column);
    MPI_Type_commit(&columns);
    int *counts = malloc((size_t)size * sizeof *counts),
        *places = malloc((size_t)size * sizeof *places);
    MPI_Datatype *blocks = malloc((size_t)size * sizeof *blocks),
                 *types = malloc((size_t)size * sizeof *types);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i * N * (int)sizeof(double);
        MPI_Type_contiguous(N, columns, &types[i]);
        MPI_Type_vector(N, N, n, MPI_DOUBLE, &blocks[i]);
        MPI_Type_commit(&types[i]);
        MPI_Type_commit(&blocks[i]);
    }
    MPI_Alltoallw(rows, counts, places, types, turned, counts, places, blocks, MPI_COMM_WORLD);
    MPI_Alltoall(rows, 1, types[0], turned, 1, types[0], MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        MPI_Type_free(&types[i]);
        MPI_Type_free(&blocks[i]);
    }
    MPI_Type_free(&columns);
    free(counts);
    free(places);
    free(blocks);
    free(types);
    free(rows);
    free(turned);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    stencil();
    particles();
    ring();
    sort();
    gradients();
    transpose();
    MPI_Finalize();
    return 0;
}
