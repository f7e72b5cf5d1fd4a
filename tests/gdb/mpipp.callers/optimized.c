/*
 * Call sites that -O2 has rearranged: callers that are inlined, calls that became jumps. The type
 * of a call is a CONTIGUOUS of a count of its own. C++ and Fortran have theirs in files beside this.
 */
#include <mpi.h>

#define OUT_OF_LINE __attribute__((noinline, noclone)) static
#define INLINED __attribute__((always_inline)) static inline

void sites_of_cxx(void);
void sites_of_mpi(void);
void sites_of_f08(void);

MPI_Datatype kept[20];
int (*volatile create)(int, MPI_Datatype, MPI_Datatype *) = MPI_Type_contiguous;
volatile int calls;

INLINED void innermost(int n)
{
    MPI_Type_contiguous(n, MPI_INT, &kept[n]); /* made: innermost */
}

INLINED void inlined(int n)
{
    innermost(n);
    MPI_Type_contiguous(n + 1, MPI_INT, &kept[n + 1]); /* made: inlined */
}

OUT_OF_LINE int last_call(int n)
{
    return MPI_Type_contiguous(n, MPI_INT, &kept[n]); /* made: last call */
}

OUT_OF_LINE int last_of_last(int n)
{
    calls++;
    return last_call(n);
}

OUT_OF_LINE void last_statement(int n)
{
    MPI_Type_contiguous(n, MPI_INT, &kept[n]); /* made: last statement */
    MPI_Type_commit(&kept[n]);                 /* committed: last statement */
}

OUT_OF_LINE int one_kind_each(int n)
{
    if (calls == 100)
        return MPI_Type_vector(n, 1, 1, MPI_INT, &kept[n]);
    calls++;
    return MPI_Type_contiguous(n, MPI_INT, &kept[n]); /* made: one kind each */
}

OUT_OF_LINE int one_of_two(int n)
{
    if (calls == 100)
        return MPI_Type_contiguous(n + 1, MPI_CHAR, &kept[n]);
    calls++;
    return MPI_Type_contiguous(n, MPI_INT, &kept[n]);
}

OUT_OF_LINE int by_pointer(int n)
{
    return create(n, MPI_INT, &kept[n]);
}

OUT_OF_LINE int mpi_release(int n)
{
    return MPI_Type_free(&kept[n]); /* freed: release */
}

int main(int argc, char **argv)
{
    int gone[3] = {1, 2, 3}; /* in no register, and not in memory */
    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(1, MPI_INT, &kept[1]); /* made: main */
    inlined(2);
    last_call(4); /* asked: last call */
    last_of_last(5);
    last_statement(6);
    one_kind_each(7);
    one_of_two(8);                  /* asked: one of two */
    by_pointer(9);                  /* asked: by pointer */
    create(10, MPI_INT, &kept[10]); /* made: pointer */
    for (int n = 11; n < 14; n++)
        MPI_Type_contiguous(n, MPI_INT, &kept[n]); /* made: loop */
    mpi_release(1);
    sites_of_cxx();
    sites_of_mpi();
    sites_of_f08();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return calls == 100 && gone[0];
}
