/* Ranks that wait for one that runs: waits_for HOW. They go on as soon as there is a file "go". */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile double sum;

static int has_told(void)
{
    return access("go", F_OK) == 0;
}

static void relax(void)
{
    while (!has_told())
        for (int i = 0; i < 20000000; i++)
            sum = sum + 1; /* waits_for: relax */
}

static void rest(void)
{
    while (!has_told())
        usleep(200000); /* waits_for: rest */
}

static void poll_for(int source)
{
    int flag;
    while (!has_told())
        MPI_Iprobe(source, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/* Rank 0 comes to the barrier when rank 1 is in it: both wait then. */
static void come_after(int rank)
{
    if (rank == 1)
        MPI_Send(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);
    else
        MPI_Recv(NULL, 0, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        usleep(500000);
}

/* Two ranks that communicate while the others wait. */
static void exchange(int peer)
{
    int mine = 0, other = 0;
    while (!mine && !other) {
        mine = has_told();
        for (int i = 0; i < 1000; i++)
            MPI_Sendrecv(&mine, 1, MPI_INT, peer, 9, &other, 1, MPI_INT, peer, 9, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    }
}

/* An error, after which all ranks wait for a file, but not for each other. */
static void open_slowly(int rank)
{
    int mine = rank, all;
    MPI_File file;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, rank == 0 ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_SELF, "fifo", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    int rank, size, all[16];
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD); /* none is still in MPI_Init when others wait */
    if (rank == size - 1 && strcmp(how, "computes") == 0)
        relax();
    else if (rank == size - 1 && strcmp(how, "rests") == 0)
        rest();
    else if (rank == size - 1 && strcmp(how, "polls") == 0)
        poll_for(0);
    else if (rank == size - 1 && strcmp(how, "stops") == 0)
        raise(SIGSTOP);
    else if (rank > 0 && strcmp(how, "both") == 0)
        rank == 1 ? relax() : rest();
    else if (strcmp(how, "computes") == 0)
        come_after(rank);
    else if (rank < 2 && strcmp(how, "others") == 0)
        exchange(1 - rank);
    else if (strcmp(how, "roots") == 0)
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, rank, MPI_COMM_WORLD); /* waits_for: roots */
    else if (strcmp(how, "file") == 0)
        open_slowly(rank);
    else if (rank == 0 && strcmp(how, "leaves") == 0)
        return MPI_Bcast(all, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD); /* waits_for: barrier */
    MPI_Finalize();
    return 0;
}
