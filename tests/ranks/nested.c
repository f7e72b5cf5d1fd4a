/*
 * Rank 0 sends messages of random nested datatypes, and rank 1 receives each into another datatype. nested.py has drawn
 * them, and knows which match: it writes nested.h, where each call has its own line.
 */
#include "common.h"

#include <assert.h>

struct side {
    int count;  /* copies of the datatype that is sent, or received into */
    int length; /* of `numbers` */
    const int *numbers;
};

static char data[1 << 20];

#include "nested.h"

enum { BASIC = 9, MOST = 512, MOST_NUMBERS = 1024 };
enum {
    CONTIGUOUS,
    VECTOR,
    HVECTOR,
    INDEXED,
    HINDEXED,
    INDEXED_BLOCK,
    SUBARRAY,
    STRUCT,
    DUP,
    RESIZED
};

static MPI_Datatype stack[MOST];
static int depth;

static void make_indexed(int kind, int count, const int *numbers, MPI_Datatype *made)
{
    int lengths[MOST_NUMBERS], places[MOST_NUMBERS];
    MPI_Aint bytes[MOST_NUMBERS];
    const MPI_Datatype base = stack[depth - 1];
    for (int i = 0; i < count / 2; i++) {
        lengths[i] = numbers[2 * i];
        bytes[i] = places[i] = numbers[2 * i + 1];
    }
    if (kind == INDEXED)
        MPI_Type_indexed(count / 2, lengths, places, base, made);
    else if (kind == HINDEXED)
        MPI_Type_create_hindexed(count / 2, lengths, bytes, base, made);
    else
        MPI_Type_create_struct(count / 2, lengths, bytes, stack + depth - count / 2, made);
}

static void make_subarray(int count, const int *numbers, MPI_Datatype *made)
{
    int sizes[8], subsizes[8], starts[8];
    for (int i = 0; i < count / 3; i++) {
        sizes[i] = numbers[1 + 3 * i];
        subsizes[i] = numbers[2 + 3 * i];
        starts[i] = numbers[3 + 3 * i];
    }
    MPI_Type_create_subarray(count / 3, sizes, subsizes, starts,
                             numbers[0] ? MPI_ORDER_FORTRAN : MPI_ORDER_C, stack[depth - 1], made);
}

static void make_one(int kind, int count, const int *numbers)
{
    const MPI_Datatype base = stack[depth - 1];
    MPI_Datatype made;
    const int parts = kind == STRUCT ? count / 2 : 1;
    switch (kind) {
    case CONTIGUOUS:
        MPI_Type_contiguous(numbers[0], base, &made);
        break;
    case VECTOR:
        MPI_Type_vector(numbers[0], numbers[1], numbers[2], base, &made);
        break;
    case HVECTOR:
        MPI_Type_create_hvector(numbers[0], numbers[1], numbers[2], base, &made);
        break;
    case INDEXED_BLOCK:
        MPI_Type_create_indexed_block(count - 1, numbers[0], numbers + 1, base, &made);
        break;
    case SUBARRAY:
        make_subarray(count, numbers, &made);
        break;
    case DUP:
        MPI_Type_dup(base, &made);
        break;
    case RESIZED:
        MPI_Type_create_resized(base, 0, numbers[0], &made);
        break;
    default:
        make_indexed(kind, count, numbers, &made);
    }
    for (int i = 1; i <= parts; i++) {
        int integers, addresses, types, combiner;
        MPI_Type_get_envelope(stack[depth - i], &integers, &addresses, &types, &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            MPI_Type_free(&stack[depth - i]);
    }
    depth -= parts;
    stack[depth++] = made;
}

static MPI_Datatype make(const struct side *side)
{
    const MPI_Datatype basic[BASIC] = {MPI_CHAR,   MPI_SHORT, MPI_INT,  MPI_FLOAT,    MPI_UNSIGNED,
                                       MPI_DOUBLE, MPI_LONG,  MPI_2INT, MPI_FLOAT_INT};
    depth = 0;
    for (int i = 0; i < side->length;) {
        const int kind = side->numbers[i++];
        assert(depth < MOST);
        if (kind < BASIC) {
            stack[depth++] = basic[kind];
        } else {
            make_one(kind - BASIC, side->numbers[i], side->numbers + i + 1);
            i += 1 + side->numbers[i];
        }
    }
    return stack[0];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    for (size_t i = 0; i < sizeof send / sizeof *send && rank < 2; i++) {
        const struct side *side = &sides[2 * i + (size_t)rank];
        MPI_Datatype type = make(side);
        if (side->length > 1)
            MPI_Type_commit(&type);
        (rank ? receive[i] : send[i])(side->count, type);
        if (side->length > 1)
            MPI_Type_free(&type);
    }
    MPI_Finalize();
    return 0;
}
