/*
 * A correct program that is slow: `slow SECONDS SEED` goes through phases in random order until the time is over. In
 * each one some ranks wait for others that come late, for longer than `--timeout=2`.
 */
#include "slow.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int rank, size;
static uint64_t state;

int any_below(int limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)limit);
}

double any_while(void)
{
    static const double longest[] = {0.1, 3, 6, 9};
    return longest[any_below(4)] * (1 + any_below(100)) / 100;
}

void sleep_for(double seconds)
{
    struct timespec rest = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&rest, &rest) != 0)
        ;
}

static int count_phases(const struct phase *phases)
{
    int count = 0;
    while (phases[count].name)
        count++;
    return count;
}

static const struct phase *any_phase(void)
{
    static const struct phase *const files[] = {alone_phases, message_phases, collective_phases,
                                                window_phases};
    const struct phase *phases = files[any_below(4)];
    return &phases[any_below(count_phases(phases))];
}

int main(int argc, char **argv)
{
    int given;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3 || size < 3 || given != MPI_THREAD_MULTIPLE) {
        fprintf(stderr,
                "usage: slow SECONDS SEED, with three ranks or more and MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    state = strtoull(argv[2], NULL, 10);
    const double end = MPI_Wtime() + atof(argv[1]);
    for (int goes_on = 1, count = 0; goes_on; count++) {
        const struct phase *phase = any_phase();
        if (rank == 0)
            printf("%d %s\n", count, phase->name);
        fflush(stdout);
        phase->run();
        goes_on = MPI_Wtime() < end;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
