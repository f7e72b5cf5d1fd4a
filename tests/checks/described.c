/*
 * Datatypes and communicators in reports. Each finding is about a datatype that is not committed; the comment above
 * it has the type as the report shows it. The last one is about two buffers; the comment has their communicator.
 */
#include <mpi.h>
#include <stddef.h>

enum { MANY = 1000 };

static int lengths[MANY], places[MANY];
static MPI_Aint bytes[MANY];
static MPI_Datatype types[MANY];
static double buffer[MANY + 1];

static MPI_Datatype made;
#define USE(constructor)                                                                           \
    ((constructor), MPI_Bcast(buffer, 1, made, 0, MPI_COMM_SELF), MPI_Type_free(&made))

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < MANY; i++) {
        lengths[i] = i % 3 + 1;
        places[i] = 4 * i;
        bytes[i] = 8 * i;
        types[i] = i % 2 ? MPI_INT : MPI_CHAR;
    }
    MPI_Datatype cell, pair;
    MPI_Type_contiguous(2, MPI_FLOAT, &pair);
    MPI_Type_dup(MPI_DOUBLE, &cell);
    MPI_Type_set_name(cell, "cell");

    /* {kind = CONTIGUOUS, count = 3, type = "cell"} */
    USE(MPI_Type_contiguous(3, cell, &made));
    /* {kind = VECTOR, count = 3, blocklength = 2, stride = 4, type = {kind = CONTIGUOUS, count = 2, type = "MPI_FLOAT"}} */
    USE(MPI_Type_vector(3, 2, 4, pair, &made));
    /* {kind = HVECTOR, count = 3, blocklength = 2, stride_bytes = 64, type = "MPI_INT"} */
    USE(MPI_Type_create_hvector(3, 2, 64, MPI_INT, &made));
    /* {kind = INDEXED, count = 2, entries = {{blocklength = 1, offset = 0}, {blocklength = 2, offset = 4}}, type = "MPI_INT"} */
    USE(MPI_Type_indexed(2, lengths, places, MPI_INT, &made));
    /* {kind = HINDEXED, count = 2, entries = {{blocklength = 1, offset_bytes = 0}, {blocklength = 2, offset_bytes = 8}}, type = "MPI_INT"} */
    USE(MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &made));
    /* {kind = INDEXED_BLOCK, count = 3, blocklength = 2, offsets = {0, 4, 8}, type = "MPI_INT"} */
    USE(MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &made));
    /* {kind = HINDEXED_BLOCK, count = 1000, blocklength = 1, offsets_bytes = {0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168, 176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256, 264, 272, 280, 288, 296, 304, 312, 320, 328, 336, 344, 352, 360, 368, 376, 384, 392, 400, 408, 416, 424, 432, 440, 448, 456, 464, 472, 480, 488, 496, ..., 7992}, type = "MPI_INT"} */
    USE(MPI_Type_create_hindexed_block(MANY, 1, bytes, MPI_INT, &made));
    /* {kind = STRUCT, count = 2, entries = {{blocklength = 1, offset = 0, type = "MPI_CHAR"}, {blocklength = 2, offset = 8, type = "MPI_INT"}}} */
    USE(MPI_Type_create_struct(2, lengths, bytes, types, &made));
    /* {kind = STRUCT, count = 1000, entries = {{blocklength = 1, offset = 0, type = "MPI_CHAR"}, {blocklength = 2, offset = 8, type = "MPI_INT"}, {blocklength = 3, offset = 16, type = "MPI_CHAR"}, {blocklength = 1, offset = 24, type = "MPI_INT"}, {blocklength = 2, offset = 32, type = "MPI_CHAR"}, {blocklength = 3, offset = 40, type = "MPI_INT"}, {blocklength = 1, offset = 48, type = "MPI_CHAR"}, ..., {blocklength = 1, offset = 7992, type = "MPI_INT"}}} */
    USE(MPI_Type_create_struct(MANY, lengths, bytes, types, &made));
    /* {kind = SUBARRAY, ndims = 3, sizes = {7, 8, 7}, subsizes = {4, 5, 1}, starts = {1, 2, 6}, order = C, type = "cell"} */
    USE(MPI_Type_create_subarray(3, (int[]){7, 8, 7}, (int[]){4, 5, 1}, (int[]){1, 2, 6},
                                 MPI_ORDER_C, cell, &made));
    /* {kind = DARRAY, size = 6, rank = 1, ndims = 2, gsizes = {12, 10}, distribs = {BLOCK, CYCLIC}, dargs = {DEFAULT, 2}, psizes = {3, 2}, order = FORTRAN, type = "MPI_INT"} */
    USE(MPI_Type_create_darray(
        6, 1, 2, (int[]){12, 10}, (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
        (int[]){MPI_DISTRIBUTE_DFLT_DARG, 2}, (int[]){3, 2}, MPI_ORDER_FORTRAN, MPI_INT, &made));
    /* {kind = RESIZED, lb = -8, extent = 32, type = {kind = CONTIGUOUS, count = 2, type = "MPI_FLOAT"}} */
    USE(MPI_Type_create_resized(pair, -8, 32, &made));
    /* {kind = DUP, type = {kind = CONTIGUOUS, count = 2, type = "MPI_FLOAT"}} */
    USE(MPI_Type_dup(pair, &made));
    MPI_Type_free(&cell);
    MPI_Type_free(&pair);

    MPI_Comm halo;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_SELF, &halo);
    MPI_Comm_set_name(halo, "halo x");
    MPI_Irecv(buffer, 8, MPI_DOUBLE, 0, 1, halo, &request);
    /* comm=halo x */
    MPI_Send(&buffer[7], 1, MPI_DOUBLE, 0, 1, halo);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&halo);
    MPI_Finalize();
    return 0;
}
