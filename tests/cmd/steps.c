/*
 * Ranks that step over what other ranks have to do with, for 'mpipp gdb -n 2'. Each line with a
 * name in a comment is a place to stop at.
 */
#include <mpi.h>
#include <time.h>

static int rank;
static volatile int ticks;

/* So many milliseconds of work, as the clock of the process has it: a stopped rank does none. */
static int work(int milliseconds)
{
    clock_t end = clock() + milliseconds * (CLOCKS_PER_SEC / 1000);
    while (clock() < end)
        ticks++;
    return milliseconds;
}

static int mark(int value)
{
    return value; /* in mark */
}

static int mark_early(int value)
{
    return value;
}

/* What rank 0 asks for, rank 1 gives: neither gets ahead of the other. */
static void give(int value)
{
    MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void wait_to_be_asked(void)
{
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int take(void)
{
    int value;
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

static int take_and_work(int milliseconds)
{
    return take() + work(milliseconds);
}

/* Rank 1 comes to mark while rank 0 works on what it has got. */
static int exchange(int value)
{
    if (rank == 0)
        return take_and_work(value);
    wait_to_be_asked();
    give(value);
    return mark(value);
}

/* Rank 1 comes to mark_early before it gives what rank 0 waits for. */
static int exchange_late(int value)
{
    if (rank == 0)
        return take();
    wait_to_be_asked();
    give(mark_early(value));
    return value;
}

int main(int argc, char **argv)
{
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sum += work(1);              /* begin */
    sum += work(2);              /* second */
    sum += work(3);              /* third */
    sum += work(4);              /* fourth */
    MPI_Barrier(MPI_COMM_WORLD); /* barrier */
    sum += exchange(300);        /* exchange */
    sum += exchange(301);        /* again */
    sum += exchange_late(200);   /* late */
    sum += 1;                    /* ended */
    MPI_Finalize();
    return sum == 0;
}
