/*
 * Blocks of many sizes that come and go in several threads, across realloc and fork; with --check=size a
 * buffer that fills its block is never found wrong. Runs as two ranks; says nothing and ends with 0.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, BLOCKS = 64, ROUNDS = 3000 };

static size_t random_size(unsigned *seed)
{
    unsigned kind = (unsigned)rand_r(seed) % 16;
    size_t most = kind < 8 ? 300 : kind < 13 ? 5000 : kind < 15 ? 100000 : 3000000;
    return (size_t)rand_r(seed) % most + 1;
}

static void *give(size_t bytes, unsigned *seed)
{
    void *block = NULL;
    switch (rand_r(seed) % 4) {
    case 0:
        return calloc(1, bytes);
    case 1:
        return posix_memalign(&block, 64, bytes) ? NULL : block;
    default:
        return malloc(bytes);
    }
}

static void *work(void *context)
{
    unsigned seed = (unsigned)(size_t)context * 7919u + 1;
    char *blocks[BLOCKS] = {0};
    size_t bytes[BLOCKS];
    for (int i = 0; i < ROUNDS; i++) {
        int at = rand_r(&seed) % BLOCKS;
        size_t size = random_size(&seed);
        if (blocks[at] && rand_r(&seed) % 3 == 0) {
            blocks[at] = realloc(blocks[at], size);
        } else {
            free(blocks[at]);
            blocks[at] = give(size, &seed);
        }
        bytes[at] = size;
        memset(blocks[at], i, size < 64 ? size : 64);
        int other = rand_r(&seed) % BLOCKS;
        if (blocks[other]) {
            size_t from = (size_t)rand_r(&seed) % bytes[other];
            MPI_Bcast(blocks[other] + from, (int)(bytes[other] - from), MPI_BYTE, 0, MPI_COMM_SELF);
        }
        if (i % 500 == 0) {
            char *map =
                mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            MPI_Bcast(map, 100000, MPI_BYTE, 0, MPI_COMM_SELF);
            map = mremap(map, 100000, 300000, MREMAP_MAYMOVE);
            MPI_Bcast(map, 300000, MPI_BYTE, 0, MPI_COMM_SELF);
            munmap(map, 300000);
        }
    }
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    return NULL;
}

/* A child allocates, too, while the parent's threads do. */
static int child_works(void)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        void *blocks[BLOCKS];
        for (int i = 0; i < BLOCKS; i++)
            blocks[i] = malloc((size_t)(i * 997 + 1));
        for (int i = 0; i < BLOCKS; i++)
            free(realloc(blocks[i], (size_t)(i + 1)));
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

/* A rank may use its neighbour's part of a shared window, which is after its own. */
static void share(void)
{
    int rank, *mine, *first, unit;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(100 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine,
                            &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
    MPI_Bcast(mine, rank == 0 ? 200 : 100, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Bcast(first + 50, 150, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    int provided, right = 1;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int count = provided == MPI_THREAD_MULTIPLE ? THREADS : 1;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, (void *)(size_t)i);
    for (int i = 0; i < 5; i++)
        right = child_works() && right;
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    share();
    MPI_Finalize();
    return !right;
}
