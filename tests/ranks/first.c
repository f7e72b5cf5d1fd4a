/*
 * Where two sides of one call differ: first COLLECTIVE|MESSAGE NUMBER. What rank 1 passes has an MPI_FLOAT as element NUMBER
 * where rank 0 has another type, and both have as many elements, in datatypes of another shape.
 */
#include "common.h"

enum { MEMBERS = 40, COPIES = 3 };

static MPI_Datatype type_of(int member)
{
    return member % 2 ? MPI_INT : MPI_DOUBLE;
}

/* A struct of structs of two members each. */
static MPI_Datatype make(int wrong, int two)
{
    int lengths[MEMBERS];
    MPI_Aint places[MEMBERS];
    MPI_Datatype types[MEMBERS], all;
    for (int i = 0; i < MEMBERS; i++) {
        lengths[i] = 1;
        places[i] = 8 * i;
        types[i] = i == wrong ? MPI_FLOAT : type_of(i);
    }
    if (!two) {
        MPI_Type_create_struct(MEMBERS, lengths, places, types, &all);
    } else {
        MPI_Datatype halves[2];
        MPI_Type_create_struct(MEMBERS / 2, lengths, places, types, &halves[0]);
        MPI_Type_create_struct(MEMBERS / 2, lengths, places, types + MEMBERS / 2, &halves[1]);
        MPI_Type_create_struct(2, lengths, (MPI_Aint[]){0, 4 * MEMBERS}, halves, &all);
        MPI_Type_free(&halves[0]);
        MPI_Type_free(&halves[1]);
    }
    MPI_Type_commit(&all);
    return all;
}

int main(int argc, char **argv)
{
    static char buffer[COPIES * MEMBERS * 8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype all = make(rank == 1 ? atoi(argv[2]) : -1, rank == 1);
    if (strcmp(argv[1], "collective") == 0) {
        MPI_Bcast(buffer, COPIES, all, 1, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Recv(buffer, COPIES, all, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(buffer, COPIES, all, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Type_free(&all);
    MPI_Finalize();
    return 0;
}
