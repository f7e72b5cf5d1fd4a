/*
 * More messages than the sender's memory has room for: rank 1 receives FIRST of them as they come from rank 0; when all
 * are sent, it receives all others, or none. So does rank 3 from rank 2, and so on. Each rank says how much memory it
 * has had, in kilobytes.
 *
 *     many NUMBER [FIRST]          none
 *     many NUMBER FIRST receive    all others
 *     many NUMBER FIRST two        none; those at the end are sent by another call
 *     many NUMBER FIRST files      all others; the process cannot open files after the first ones
 */
#include <sys/resource.h>

#include "common.h"

int main(int argc, char **argv)
{
    const int number = argc > 1 ? atoi(argv[1]) : 1, first = argc > 2 ? atoi(argv[2]) : 0;
    const int files = argc > 3 && strcmp(argv[3], "files") == 0;
    const int receives = files || (argc > 3 && strcmp(argv[3], "receive") == 0);
    const int later = files ? number - first : argc > 3 && !receives ? 1000 : 0;
    struct rlimit limit;
    double data = 0;
    MPI_Init(&argc, &argv);
    begin();
    const int takes = rank % 2, other = rank ^ 1;
    for (int i = 0; takes && i < first; i++)
        MPI_Recv(&data, 1, MPI_DOUBLE, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; !takes && i < number - later; i++) {
        MPI_Send(&data, 1, MPI_DOUBLE, other, 7, MPI_COMM_WORLD);
        if (i + 1 == first)
            MPI_Recv(&data, 0, MPI_DOUBLE, other, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (takes && first)
        MPI_Send(&data, 0, MPI_DOUBLE, other, 8, MPI_COMM_WORLD);
    getrlimit(RLIMIT_NOFILE, &limit);
    if (files)
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, limit.rlim_max});
    for (int i = 0; !takes && i < later; i++)
        MPI_Send(&data, 1, MPI_DOUBLE, other, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = first; takes && receives && i < number; i++)
        MPI_Recv(&data, 1, MPI_DOUBLE, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    setrlimit(RLIMIT_NOFILE, &limit);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("%d %ld\n", rank, used.ru_maxrss);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
