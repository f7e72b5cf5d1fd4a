/*
 * What one-sided calls name in the windows of two ranks, with --check=size: rank 0 calls, as in size.c. The
 * window of rank 1 is the larger one; how large it is rank 0 knows of the shared window alone.
 */
#include <mpi.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
enum { FEW = 10, MANY = 20 };
static int memory[2 * MANY], rank;

/* A buffer that no other call uses. */
static int *fresh(void)
{
    static int buffers[16][MANY], used;
    return buffers[used++];
}

static void created(void)
{
    MPI_Win win;
    MPI_Win_create(memory, (rank ? MANY : FEW) * (MPI_Aint)sizeof *memory, rank ? 1 : sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(fresh(), 1, MPI_INT, 0, FEW - 1, 1, MPI_INT, win);
        MPI_Get(fresh(), 1, MPI_INT, 1, (MANY - 1) * (MPI_Aint)sizeof *memory, 1, MPI_INT, win);
        MPI_Get(fresh(), MANY, MPI_INT, 1, 0, MANY, MPI_INT, win);
        MPI_Get(fresh(), 2, MPI_INT, 0, FEW - 1, 2, MPI_INT, win);      /* buffer-size */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void shared(void)
{
    MPI_Win win;
    int *base;
    MPI_Win_allocate_shared((rank ? MANY : FEW) * (MPI_Aint)sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(fresh(), FEW, MPI_INT, 0, 0, FEW, MPI_INT, win);
        MPI_Get(fresh(), MANY, MPI_INT, 1, 0, MANY, MPI_INT, win);
        MPI_Get(fresh(), FEW, MPI_INT, 0, 1, FEW, MPI_INT, win);        /* buffer-size */
        MPI_Get(fresh(), 1, MPI_INT, 1, MANY, 1, MPI_INT, win);         /* buffer-size */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    created();
    shared();
    MPI_Finalize();
    return 0;
}
