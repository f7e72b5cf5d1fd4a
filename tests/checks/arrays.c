/*
 * Random collective calls with counts and displacements, right and wrong: rank 1 prints what is found in each, as its
 * parameters. With the quick path and without it the answers must be the same (quick_group.c). MPI itself gets none of
 * the calls (arrays_stub.c): each rank makes its own. Argument: the seed.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks/quick.h"

enum { CALLS = 20000, MOST = 3, TYPES = 11, ROOM = 4096 };

static MPI_Datatype types[TYPES];
static MPI_Comm comms[4]; /* the last one is MPI_COMM_NULL */
static char memory[4 * ROOM];

static void make_types(void)
{
    int two[2] = {1, 1}, places[2] = {0, 2}, before[2] = {-1, 1};
    types[0] = MPI_INT;
    types[1] = MPI_DOUBLE;
    types[2] = MPI_CHAR;
    types[3] = MPI_FLOAT_INT;
    MPI_Type_contiguous(3, MPI_INT, &types[4]);
    MPI_Type_indexed(2, two, places, MPI_INT, &types[5]);
    MPI_Type_vector(2, 2, 1, MPI_INT, &types[6]);         /* names an int twice */
    MPI_Type_create_resized(types[5], 0, 4, &types[7]);   /* elements overlap from the third on */
    MPI_Type_indexed(2, two, before, MPI_INT, &types[8]); /* begins before its address */
    for (int i = 4; i < 9; i++)
        MPI_Type_commit(&types[i]);
    MPI_Type_contiguous(2, MPI_INT, &types[9]); /* not committed */
    types[10] = MPI_DATATYPE_NULL;
}

/* One side of a call: a block for each rank, or one block. */
struct side {
    char *buffer;
    int counts[MOST], displs[MOST];
    int *count_list, *displ_list;
    MPI_Datatype type;
};

static void draw_side(struct side *side, char *buffer, MPI_Datatype type)
{
    int end = 0;
    side->buffer = buffer;
    side->type = one_in(30) ? types[draw(TYPES)] : type;
    for (int i = 0; i < MOST; i++) {
        side->counts[i] = one_in(16) ? (int)draw(5) : 2;
        side->displs[i] = end + (one_in(5) ? (int)draw(3) : 0);
        end = side->displs[i] + side->counts[i];
        if (one_in(100))
            side->counts[i] = one_in(2) ? -1 : 100;
        if (one_in(60))
            side->displs[i] = one_in(2) ? (int)draw(8) : -2;
    }
    if (one_in(6)) { /* in another order */
        const int i = (int)draw(MOST), k = (int)draw(MOST), displ = side->displs[i];
        side->displs[i] = side->displs[k];
        side->displs[k] = displ;
    }
    side->count_list = one_in(60) ? NULL : side->counts;
    side->displ_list = one_in(60) ? NULL : side->displs;
    if (one_in(30))
        side->buffer = one_in(2) ? NULL : MPI_IN_PLACE;
}

static void make_call(void)
{
    const MPI_Datatype type = types[one_in(8) ? draw(TYPES) : draw(6)];
    const MPI_Comm comm = comms[one_in(30) ? 3 : draw(3)];
    const int root = one_in(20) ? (int)draw(6) - 2 : (int)draw(2);
    struct side send, receive;
    draw_side(&send, memory + ROOM, type);
    draw_side(&receive, memory + (one_in(16) ? ROOM + draw(64) * 4 : 2 * ROOM), type);
    switch (draw(4)) {
    case 0:
        PMPI_Gatherv(send.buffer, send.counts[0], send.type, receive.buffer, receive.count_list,
                     receive.displ_list, receive.type, root, comm);
        return;
    case 1:
        PMPI_Scatterv(send.buffer, send.count_list, send.displ_list, send.type, receive.buffer,
                      receive.counts[0], receive.type, root, comm);
        return;
    case 2:
        PMPI_Allgatherv(send.buffer, send.counts[0], send.type, receive.buffer, receive.count_list,
                        receive.displ_list, receive.type, comm);
        return;
    default:
        PMPI_Alltoallv(send.buffer, send.count_list, send.displ_list, send.type, receive.buffer,
                       receive.count_list, receive.displ_list, receive.type, comm);
    }
}

int main(int argc, char **argv)
{
    int rank;
    state = argc > 1 ? (uint64_t)atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_types();
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, -rank, &comms[2]);
    comms[3] = MPI_COMM_NULL;
    for (int i = 0; i < CALLS; i++) {
        quick.seen = quick.found = 0;
        make_call();
        if (rank == 1)
            printf("%d %x %s\n", i, quick.found, quick.seen ? "seen" : "quick");
    }
    MPI_Comm_free(&comms[1]);
    MPI_Comm_free(&comms[2]);
    for (int i = 4; i < 10; i++)
        MPI_Type_free(&types[i]);
    MPI_Finalize();
    return 0;
}
