/*
 * Types that are large: large deep N | large many N | large blocks
 *
 *   deep    chain, comb, tower: N constructors, one on the other
 *   many    N live types
 *   blocks  blocks: 1,000,000 of them; mixed: a struct with as many; huge, sparse: 10^12 elements
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 1000000 };

MPI_Datatype chain, comb, tower, last, blocks, mixed, huge, sparse, small;
double *buffer;
static int spare;

static void deeper(MPI_Datatype *type, MPI_Datatype (*on)(MPI_Datatype), int times)
{
    *type = MPI_DOUBLE;
    for (int i = 0; i < times; i++) {
        MPI_Datatype below = *type;
        *type = on(below);
        if (i)
            MPI_Type_free(&below);
    }
}

static MPI_Datatype contiguous(MPI_Datatype of)
{
    MPI_Datatype made;
    MPI_Type_contiguous(1, of, &made);
    return made;
}

static MPI_Datatype vector(MPI_Datatype of)
{
    MPI_Datatype made;
    MPI_Type_vector(1, 1, 1, of, &made);
    return made;
}

static MPI_Datatype structure(MPI_Datatype of)
{
    MPI_Datatype made;
    MPI_Aint offset = 0;
    int length = 1;
    MPI_Type_create_struct(1, &length, &offset, &of, &made);
    return made;
}

static void make_blocks(void)
{
    int *lengths = malloc(BLOCKS * sizeof *lengths);
    MPI_Aint *offsets = malloc(BLOCKS * sizeof *offsets);
    for (int i = 0; i < BLOCKS; i++) {
        lengths[i] = 1 + i % 2;
        offsets[i] = (MPI_Aint)(3 * sizeof(double)) * i;
    }
    MPI_Type_create_hindexed(BLOCKS, lengths, offsets, MPI_DOUBLE, &blocks);
    MPI_Datatype *types = malloc(BLOCKS * sizeof *types);
    for (int i = 0; i < BLOCKS; i++) {
        types[i] = i % 2 ? MPI_FLOAT : MPI_DOUBLE;
    }
    MPI_Type_create_struct(BLOCKS, lengths, offsets, types, &mixed);
    MPI_Datatype million;
    MPI_Type_contiguous(BLOCKS, MPI_DOUBLE, &million);
    MPI_Type_contiguous(BLOCKS, million, &huge);
    MPI_Type_vector(BLOCKS, 1, 2, million, &sparse);
}

int main(int argc, char **argv)
{
    int number = argc > 2 ? atoi(argv[2]) : 0;
    buffer = malloc(3 * BLOCKS * sizeof *buffer);
    for (int i = 0; i < 3 * BLOCKS; i++)
        buffer[i] = i;
    MPI_Init(&argc, &argv);
    if (!strcmp(argv[1], "deep")) {
        deeper(&chain, contiguous, number);
        deeper(&comb, vector, number);
        deeper(&tower, structure, number);
    } else if (!strcmp(argv[1], "many")) {
        for (int i = 0; i < number; i++)
            MPI_Type_vector(3 + i % 7, 2, 5 + i % 11, MPI_DOUBLE, &last);
    } else {
        make_blocks();
    }
    spare++; /* stop: made */
    MPI_Type_contiguous(3, MPI_INT, &small);
    spare++; /* stop: one more */
    MPI_Finalize();
    return spare > 100;
}
