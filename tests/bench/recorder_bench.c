/*
 * What recording costs: time added to create + commit + free of a vector type, and memory per type.
 *
 *     mpicc.mpich -O2 -Ilibshadowtype tests/bench/recorder_bench.c -o build/recorder_bench -ldl
 *     mpiexec.mpich -n 1 env LD_PRELOAD=build/lib/libshadowtype-mpich.so build/recorder_bench
 *
 * Bare and recorded calls take turns in one process, and the best round of each counts: these
 * machines change their speed while one looks. The bare calls go to the MPI library's functions by
 * their addresses, past the wrappers. Without the preload it only prints the bare figure.
 *
 * With an argument it measures times only.
 *
 * Exit status 1 if a limit is broken (100 ns, 2 x for a million blocks, 160 bytes, 200 bytes during
 * growth), 0 otherwise.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bare.h"
#include "core/model/registry.h"

enum { ROUNDS = 400, TYPES_PER_ROUND = 500, LIVE = 100000, BLOCKS = 1000000, BLOCK_ROUNDS = 15 };

struct calls {
    int (*vector)(int, int, int, MPI_Datatype, MPI_Datatype *);
    int (*commit)(MPI_Datatype *);
    int (*release)(MPI_Datatype *);
    int (*size)(MPI_Datatype, int *);
    int (*hindexed)(int, const int *, const MPI_Aint *, MPI_Datatype, MPI_Datatype *);
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double round_of(const struct calls *calls)
{
    double start = now();
    for (int i = 0; i < TYPES_PER_ROUND; i++) {
        MPI_Datatype type;
        calls->vector(3, 1, 8, MPI_DOUBLE, &type);
        calls->commit(&type);
        calls->release(&type);
    }
    return (now() - start) / TYPES_PER_ROUND;
}

static double round_without_constructor(const struct calls *calls)
{
    double start = now();
    int size;
    for (int i = 0; i < TYPES_PER_ROUND; i++)
        calls->size(MPI_DOUBLE, &size);
    return (now() - start) / TYPES_PER_ROUND;
}

/* A type with a million blocks: its arrays are copied, which costs at most what MPI itself does. True if
 * that limit is broken. */
static int large(const struct calls *bare, const struct calls *wrapped)
{
    static int lengths[BLOCKS];
    static MPI_Aint offsets[BLOCKS];
    const struct calls *calls[2] = {bare, wrapped};
    double best[2] = {1e18, 1e18};
    for (int i = 0; i < BLOCKS; i++) {
        lengths[i] = 1 + i % 2;
        offsets[i] = 24 * (MPI_Aint)i;
    }
    for (int i = 0; i < 2 * BLOCK_ROUNDS; i++) {
        MPI_Datatype type;
        double start = now();
        calls[i % 2]->hindexed(BLOCKS, lengths, offsets, MPI_DOUBLE, &type);
        double time = now() - start;
        best[i % 2] = time < best[i % 2] ? time : best[i % 2];
        calls[i % 2]->release(&type);
    }
    printf("create of an hindexed type with 10^6 blocks: bare %.2f ms, recorded %.2f ms: %.2f x "
           "(limit "
           "2)\n",
           best[0] / 1e6, best[1] / 1e6, best[1] / best[0]);
    return best[1] > 2 * best[0];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const struct st_root *root = dlsym(RTLD_DEFAULT, ST_ROOT_SYMBOL);
    struct calls bare, wrapped = {MPI_Type_vector, MPI_Type_commit, MPI_Type_free, MPI_Type_size,
                                  MPI_Type_create_hindexed};
    *(void **)&bare.vector = bare_function("PMPI_Type_vector");
    *(void **)&bare.commit = bare_function("PMPI_Type_commit");
    *(void **)&bare.release = bare_function("PMPI_Type_free");
    *(void **)&bare.size = bare_function("PMPI_Type_size");
    *(void **)&bare.hindexed = bare_function("PMPI_Type_create_hindexed");

    double best_bare = 1e9, best_wrapped = 1e9, plain_bare = 1e9, plain_wrapped = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double time = round_of(&bare);
        best_bare = time < best_bare ? time : best_bare;
        time = round_of(&wrapped);
        best_wrapped = time < best_wrapped ? time : best_wrapped;
        time = round_without_constructor(&bare);
        plain_bare = time < plain_bare ? time : plain_bare;
        time = round_without_constructor(&wrapped);
        plain_wrapped = time < plain_wrapped ? time : plain_wrapped;
    }
    printf("create + commit + free of a vector: bare %.1f ns, recorded %.1f ns, added %.1f ns "
           "(limit 100)\n",
           best_bare, best_wrapped, best_wrapped - best_bare);
    printf("a call with no constructor in it: added %.1f ns (limit 5)\n",
           plain_wrapped - plain_bare);
    int failed = best_wrapped - best_bare > 100 || plain_wrapped - plain_bare > 5;

    if (root && argc == 1) {
        failed |= large(&bare, &wrapped);
        static MPI_Datatype types[LIVE];
        uint64_t used = root->types_bytes - root->ring_bytes;
        uint64_t table = root->table;
        double peak = 0;
        for (int i = 0; i < LIVE; i++) {
            MPI_Type_vector(3 + i % 7, 1, 8, MPI_DOUBLE, &types[i]);
            MPI_Type_commit(&types[i]);
            double each = (double)(root->types_bytes - root->ring_bytes - used) / (i + 1);
            if (root->table != table) {
                /* For a moment the old table, half as large, was there too. */
                const struct st_table *grown = (const void *)(uintptr_t)root->table;
                each += (double)(sizeof(uint32_t) << grown->log2_slots) / 2 / (i + 1);
                table = root->table;
            }
            if (i >= LIVE / 10 && each > peak)
                peak = each;
        }
        double each = (double)(root->types_bytes - root->ring_bytes - used) / LIVE;
        printf(
            "registry at %d live vectors: %.1f bytes each (limit 160), at most %.1f while it grew"
            " (limit 200), mapped %.1f each in all, ring %lu bytes\n",
            LIVE, each, peak, (double)root->mapped_bytes / LIVE, (unsigned long)root->ring_bytes);
        failed |= each > 160 || peak > 200;
        for (int i = 0; i < LIVE; i++)
            MPI_Type_free(&types[i]);
    }
    MPI_Finalize();
    return failed;
}
