/*
 * What a rank sends to itself in a collective call, and receives from itself. A line with a finding
 * says so in a comment: its id. Everything else must be silent. Runs as one rank. The wrong calls do not reach MPI, or
 * return: MPI_COMM_SELF returns errors.
 */
#include <mpi.h>
#include <stdlib.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
static int in[64], out[64], one[1] = {1}, two[1] = {2}, three[1] = {3}, zero[1];
static MPI_Datatype pair, row, padded, pairs[1], ints[1] = {MPI_INT}, floats[1] = {MPI_FLOAT};
static MPI_Comm self;

static void wrong(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Gather(in, 4, MPI_INT, out, 2, MPI_INT, 0, self);                          /* collective-type */
    MPI_Gather(in, 2, MPI_FLOAT, out, 2, MPI_INT, 0, self);                        /* collective-type */
    MPI_Gather(in, 1, MPI_INT, out, 2, MPI_INT, 0, self);                          /* collective-type */
    MPI_Gather(in, 2, MPI_INT, out, 1, pair, 0, self);                             /* collective-type */
    MPI_Gather(in, 0, MPI_INT, out, 2, MPI_INT, 0, self);                          /* collective-type */
    MPI_Gatherv(in, 3, MPI_INT, out, two, zero, MPI_INT, 0, self);                 /* collective-type */
    MPI_Scatter(in, 4, MPI_INT, out, 2, MPI_INT, 0, self);                         /* collective-type */
    MPI_Scatterv(in, two, zero, MPI_INT, out, 1, MPI_INT, 0, self);                /* collective-type */
    MPI_Allgather(in, 4, MPI_INT, out, 2, MPI_INT, self);                          /* collective-type */
    MPI_Allgatherv(in, 4, MPI_INT, out, two, zero, MPI_INT, self);                 /* collective-type */
    MPI_Alltoall(in, 4, MPI_INT, out, 2, MPI_INT, self);                           /* collective-type */
    MPI_Alltoall(in, 8, MPI_BYTE, out, 2, MPI_INT, self);                          /* collective-type */
    MPI_Alltoallv(in, three, zero, MPI_INT, out, two, zero, MPI_INT, self);        /* collective-type */
    MPI_Alltoallw(in, two, zero, ints, out, two, zero, floats, self);              /* collective-type */
    MPI_Igather(in, 4, MPI_INT, out, 2, MPI_INT, 0, self, &request);               /* collective-type */
    if (request != MPI_REQUEST_NULL)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void correct(void)
{
    int packed = 0;
    char bytes[64];
    MPI_Request request;
    MPI_Gather(in, 4, MPI_INT, out, 4, MPI_INT, 0, self);
    MPI_Gather(in, 6, MPI_INT, out, 2, row, 0, self);            /* another shape, the same elements */
    MPI_Gather(in, 2, row, out, 6, MPI_INT, 0, self);
    MPI_Gather(in, 1, padded, out, 1, pair, 0, self);
    MPI_Gather(in, 0, MPI_INT, out, 0, MPI_FLOAT, 0, self);
    MPI_Gather(in, 0, MPI_DATATYPE_NULL, out, 0, MPI_INT, 0, self);
    MPI_Gather(MPI_IN_PLACE, 9, MPI_INT, out, 2, MPI_INT, 0, self);
    MPI_Gatherv(in, 2, MPI_INT, out, two, zero, MPI_INT, 0, self);
    MPI_Gatherv(MPI_IN_PLACE, 7, MPI_FLOAT, out, two, zero, MPI_INT, 0, self);
    MPI_Scatter(in, 2, row, out, 6, MPI_INT, 0, self);
    MPI_Scatter(in, 4, MPI_INT, MPI_IN_PLACE, 9, MPI_FLOAT, 0, self);
    MPI_Scatterv(in, three, zero, MPI_INT, out, 1, row, 0, self);
    MPI_Allgather(MPI_IN_PLACE, 1, MPI_FLOAT, out, 2, MPI_INT, self);
    MPI_Allgatherv(in, 1, row, out, three, zero, MPI_INT, self);
    MPI_Alltoall(in, 3, MPI_INT, out, 1, row, self);
    MPI_Alltoall(MPI_IN_PLACE, 9, MPI_FLOAT, out, 1, row, self);
    MPI_Alltoallv(in, three, zero, MPI_INT, out, one, zero, row, self);
    MPI_Alltoallw(in, one, zero, pairs, out, one, zero, pairs, self);
    MPI_Pack(in, 2, MPI_INT, bytes, sizeof bytes, &packed, self);
    MPI_Gather(bytes, packed, MPI_PACKED, out, 2, MPI_INT, 0, self);
    MPI_Igather(in, 2, row, out, 6, MPI_INT, 0, self, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Of an intercommunicator nothing goes to the own rank; nor does it on ranks that are not the root. */
static void among_two(void)
{
    int rank, size, many[2] = {2, 2}, displs[2] = {0, 2};
    MPI_Comm half, between;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        return;
    MPI_Gather(in, 2, MPI_INT, out, rank ? 17 : 2, rank ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(in, rank ? 17 : 2, rank ? MPI_FLOAT : MPI_INT, out, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(in, 2, MPI_INT, out, many, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 0, &between);
    MPI_Allgather(in, 1 + rank, MPI_INT, out, 2 - rank, MPI_INT, between);
    MPI_Alltoall(in, 1 + rank, MPI_INT, out, 2 - rank, MPI_INT, between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &pair);
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Type_create_resized(pair, 0, 16, &padded);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&row);
    MPI_Type_commit(&padded);
    pairs[0] = pair;
    correct();
    among_two();
    if (argc == 1)
        wrong();
    MPI_Type_free(&padded);
    MPI_Type_free(&pair);
    MPI_Type_free(&row);
    MPI_Comm_free(&self);
    MPI_Finalize();
    return 0;
}
