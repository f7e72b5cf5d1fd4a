/*
 * What mi_bench.py, unfold_bench.py and remote_bench.sh measure on: a step with 20 datatypes in view,
 * long lists to unfold, a change of the types, buffers of a call.
 *
 *     mi_bench [wait]    wait: says its number and waits, until a debugger sets `held` to 0
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#define LONG 3000

static int data[5 * LONG + 10], lengths[LONG], offsets[LONG];
static MPI_Aint bytes[LONG];
static MPI_Datatype members[LONG];
static volatile int held;

static MPI_Datatype vector(int count)
{
    MPI_Datatype made;
    MPI_Type_vector(count, 1, 5, MPI_INT, &made);
    return made;
}

int main(int argc, char **argv)
{
    char number[16];
    int digits = snprintf(number, sizeof number, "%d\n", getpid());
    held = argc > 1 && write(STDOUT_FILENO, number, (size_t)digits) == digits;
    while (held)
        usleep(1000);
    MPI_Init(&argc, &argv);
    MPI_Datatype t0 = vector(1), t1 = vector(2), t2 = vector(3), t3 = vector(4), t4 = vector(5),
                 t5 = vector(6), t6 = vector(7), t7 = vector(8), t8 = vector(9), t9 = vector(10),
                 t10 = vector(11), t11 = vector(12), t12 = vector(13), t13 = vector(14),
                 t14 = vector(15), t15 = vector(16), t16 = vector(17), t17 = vector(18),
                 t18 = vector(19), t19 = vector(20), indexed, structure;
    for (int i = 0; i < LONG; i++) {
        lengths[i] = 1 + i % 3;
        offsets[i] = 5 * i;
        bytes[i] = 20 * i;
        members[i] = i % 2 ? t0 : MPI_INT;
    }
    MPI_Type_indexed(LONG, lengths, offsets, MPI_INT, &indexed);
    MPI_Type_create_struct(LONG, lengths, bytes, members, &structure);
    int *pointer = data;
    MPI_Bcast(data, 5 * LONG, MPI_INT, 0, MPI_COMM_SELF);
    for (int i = 0; i < 1000000; i++) { /* stop: steps */
        data[0] += i;
        data[1] += i;
        data[2] += i;
        data[3] += i;
    }
    MPI_Type_commit(&t0);
    data[4]++; /* stop: changed */
    MPI_Finalize();
    return data[0] > 7 && t0 == t1 && t2 == t3 && t4 == t5 && t6 == t7 && t8 == t9 && t10 == t11 &&
           pointer && t12 == t13 && t14 == t15 && t16 == t17 && t18 == t19;
}
