/*
 * What gdb_bench.py measures on: 100,000 live types, and 1,000,000 random doubles, strided and
 * plain.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TYPES 100000
#define DOUBLES 1000000

MPI_Datatype types[TYPES], strided;
double spaced[2 * DOUBLES], plain[DOUBLES];

__attribute__((noinline)) static void ready(void) /* gdb_bench.py stops here */
{
    __asm__ volatile("");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < TYPES; i++) {
        MPI_Type_vector(3 + i % 7, 2, 5 + i % 11, MPI_DOUBLE, &types[i]);
    }
    MPI_Type_vector(DOUBLES, 1, 2, MPI_DOUBLE, &strided);
    srand(1);
    for (int i = 0; i < DOUBLES; i++) {
        spaced[2 * i] = plain[i] = (double)rand() / RAND_MAX * 1e3;
    }
    ready();
    MPI_Finalize();
    return 0;
}
