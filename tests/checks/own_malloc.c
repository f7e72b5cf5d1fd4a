/*
 * A program with a malloc of its own, linked into it, whose blocks nobody knows; with --check=size nothing is
 * found, a sentence tells why, and it runs as without. One rank.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static _Alignas(16) char memory[1 << 28];
static size_t used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *memalign(size_t alignment, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    uintptr_t at = (uintptr_t)memory + used + 16;
    at = (at + alignment - 1) / alignment * alignment;
    used = at + bytes - (uintptr_t)memory;
    pthread_mutex_unlock(&mutex);
    ((size_t *)at)[-1] = bytes;
    return (void *)at;
}

void *malloc(size_t bytes)
{
    return memalign(16, bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return malloc(count * bytes); /* never given twice: it is 0 */
}

void *realloc(void *block, size_t bytes)
{
    void *larger = malloc(bytes);
    if (block) {
        size_t old = ((size_t *)block)[-1];
        memcpy(larger, block, old < bytes ? old : bytes);
    }
    return larger;
}

void free(void *block)
{
    (void)block;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    *block = memalign(alignment, bytes);
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char *p = malloc(100);
    MPI_Bcast(p, 110, MPI_BYTE, 0, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
