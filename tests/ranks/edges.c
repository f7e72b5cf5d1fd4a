/*
 * Neighbourhood collectives: the last rank sends, or expects, something else than its neighbours. A marked line is wrong,
 * each of the others is right. The calls do not reach MPI (swallow.py); the last rank makes
 * its own when the others have.
 *
 *     edges         as four ranks
 */
#include "common.h"

extern int swallow;

static int odd; /* in the last rank */
static MPI_Comm ring, line, torus, twice, graph, lonely;
static int in[ROOM], out[ROOM];
static const int displs[8] = {0, 8, 16, 24, 32, 40, 48, 56};
static const MPI_Aint bytes[4] = {0, 32, 64, 96};
static MPI_Datatype two;
static MPI_Request request = MPI_REQUEST_NULL;

/* clang-format off */
#define LAST(...) do { if (odd) meet(); __VA_ARGS__; if (!odd) meet(); meet(); } while (0)
#define COUNTS(...) (const int[]){__VA_ARGS__}
#define TYPES(...) (const MPI_Datatype[]){__VA_ARGS__}

/* Number 0 is the neighbour below, 1 the one above. */
static void grids(void)
{
    LAST(MPI_Neighbor_allgather(in, odd ? 3 : 2, MPI_INT, out, 2, MPI_INT, ring));    /* wrong: collective-type */
    LAST(MPI_Neighbor_allgather(in, 2, odd ? MPI_FLOAT : MPI_INT, out, 2, MPI_INT, ring)); /* wrong: collective-type */
    LAST(MPI_Neighbor_allgather(in, 2, MPI_INT, out, odd ? 3 : 2, MPI_INT, ring));    /* wrong: collective-type */
    LAST(MPI_Ineighbor_allgather(in, odd ? 3 : 2, MPI_INT, out, 2, MPI_INT, ring, &request)); /* wrong: collective-type */
    LAST(MPI_Neighbor_alltoall(in, 2, MPI_INT, out, 2, odd ? MPI_FLOAT : MPI_INT, ring)); /* wrong: collective-type */
    LAST(MPI_Neighbor_allgather(in, odd ? 1 : 2, odd ? two : MPI_INT, out, 2, MPI_INT, ring));
    LAST(MPI_Neighbor_alltoall(in, 2, MPI_INT, out, odd ? 1 : 2, odd ? two : MPI_INT, ring));
    LAST(MPI_Neighbor_alltoall(in, 0, odd ? MPI_FLOAT : MPI_INT, out, 0, MPI_INT, ring));
    LAST(MPI_Neighbor_allgather(in, 8, MPI_PACKED, out, 2, MPI_INT, ring));
    /* Each has its own number of elements. */
    LAST(MPI_Neighbor_allgatherv(in, rank + 1, MPI_INT, out, COUNTS((rank + 3) % 4 + 1, (rank + 1) % 4 + 1), displs, MPI_INT, ring));
    LAST(MPI_Neighbor_allgatherv(in, rank + 1, MPI_INT, out, COUNTS((rank + 3) % 4 + 1 + odd, (rank + 1) % 4 + 1), displs, MPI_INT, ring)); /* wrong: collective-type */
    /* Nothing is beyond the ends. */
    LAST(MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, COUNTS(rank ? 1 : 7, rank < 3 ? 1 : 9), displs, MPI_INT, line));
    LAST(MPI_Neighbor_alltoallv(in, COUNTS(1, 2), displs, MPI_INT, out, COUNTS(2, 1), displs, MPI_INT, line));
    LAST(MPI_Neighbor_alltoallv(in, COUNTS(1, 2), displs, MPI_INT, out, COUNTS(odd ? 1 : 2, 1), displs, MPI_INT, line)); /* wrong: collective-type */
}

/* Both neighbours in a dimension are the same rank: what goes down comes from above. */
static void directions(void)
{
    LAST(MPI_Neighbor_alltoallv(in, COUNTS(1, 2, 3, 4), displs, MPI_INT, out, COUNTS(2, 1, 4, 3), displs, MPI_INT, torus));
    LAST(MPI_Neighbor_alltoallv(in, COUNTS(1, 2, 3, 4), displs, MPI_INT, out, odd ? COUNTS(1, 2, 4, 3) : COUNTS(2, 1, 4, 3), displs, MPI_INT, torus)); /* wrong: collective-type */
    LAST(MPI_Neighbor_alltoallv(in, odd ? COUNTS(1, 2, 4, 3) : COUNTS(1, 2, 3, 4), displs, MPI_INT, out, COUNTS(2, 1, 4, 3), displs, MPI_INT, torus)); /* wrong: collective-type */
    LAST(MPI_Neighbor_alltoallw(in, COUNTS(1, 1, 1, 1), bytes, TYPES(MPI_INT, MPI_FLOAT, MPI_INT, MPI_FLOAT), out, COUNTS(1, 1, 1, 1), bytes, TYPES(MPI_FLOAT, MPI_INT, MPI_FLOAT, MPI_INT), torus));
    LAST(MPI_Neighbor_alltoallw(in, COUNTS(1, 1, 1, 1), bytes, TYPES(MPI_INT, MPI_FLOAT, MPI_INT, odd ? MPI_CHAR : MPI_FLOAT), out, COUNTS(1, 1, 1, 1), bytes, TYPES(MPI_FLOAT, MPI_INT, MPI_FLOAT, MPI_INT), torus)); /* wrong: collective-type */
}

/* Of two edges from one rank to another one MPI does not say which is which. */
static void graphs(void)
{
    LAST(MPI_Neighbor_alltoallv(in, COUNTS(1, 2), displs, MPI_INT, out, COUNTS(1, 2), displs, MPI_INT, twice));
    LAST(MPI_Neighbor_alltoallv(in, COUNTS(1, 2), displs, MPI_INT, out, COUNTS(2, 1), displs, MPI_INT, twice));
    LAST(MPI_Neighbor_alltoallv(in, COUNTS(1, 2), displs, MPI_INT, out, COUNTS(odd ? 1 : 2, 1), displs, MPI_INT, twice)); /* wrong: collective-type */
    LAST(MPI_Neighbor_alltoallv(in, COUNTS(1, odd ? 3 : 2), displs, MPI_INT, out, COUNTS(2, 1), displs, MPI_INT, twice)); /* wrong: collective-type */
    LAST(MPI_Neighbor_allgather(in, 2, MPI_INT, out, 2, MPI_INT, graph));
    LAST(MPI_Neighbor_allgather(in, odd ? 3 : 2, MPI_INT, out, 2, MPI_INT, graph));   /* wrong: collective-type */
    /* The last rank has no neighbours. */
    LAST(MPI_Neighbor_allgather(in, odd ? 3 : 2, MPI_INT, out, odd ? 4 : 2, MPI_INT, lonely));
}
/* clang-format on */

static void make_comms(void)
{
    const int periods[2] = {1, 1}, ends[1] = {0}, next = (rank + 1) % size;
    const int before = (rank + size - 1) % size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &ring);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, ends, 0, &line);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, periods, 0, &torus);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, (int[]){before, before}, MPI_UNWEIGHTED, 2,
                                   (int[]){next, next}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &twice);
    MPI_Graph_create(MPI_COMM_WORLD, 4, (int[]){1, 2, 3, 4}, (int[]){1, 0, 3, 2}, 0, &graph);
    MPI_Graph_create(MPI_COMM_WORLD, 4, (int[]){1, 2, 2, 2}, (int[]){1, 0}, 0, &lonely);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    odd = rank == size - 1;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    make_comms();
    swallow = 1;
    grids();
    directions();
    graphs();
    swallow = 0;
    MPI_Comm *all[] = {&ring, &line, &torus, &twice, &graph, &lonely};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        MPI_Comm_free(all[i]);
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}
