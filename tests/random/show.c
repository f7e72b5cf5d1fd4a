/*
 * Random types with a buffer each and what MPI packs of it, for show.py to look at in gdb: the
 * values that `mpipp` shows, in order, must be what MPI sends.
 *
 *     show [SEED [TYPES]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

struct sample {
    unsigned long long seed;
    MPI_Datatype type;
    int count;
    int packed_size;
    unsigned char *buffer;
    unsigned char *packed;
};

#define MOST_SAMPLES 1000
struct sample samples[MOST_SAMPLES];
int sample_count;

__attribute__((noinline)) static void all_made(void) /* show.py stops here */
{
    __asm__ volatile("");
}

/* Values that read the same in gdb as in memory: no padding bits, no NaN that a conversion quiets.
 */
static void fill(unsigned char *memory, size_t bytes, struct rng *rng)
{
    for (size_t i = 0; i < bytes; i++) {
        memory[i] = (unsigned char)rng_in(rng, 1, 0x3f);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20261121;
    int wanted = argc > 2 ? atoi(argv[2]) : 120;
    size_t bytes = 2 * (size_t)MOST_REACH;
    unsigned char *memory = malloc(bytes);
    struct rng filling = {seed};
    fill(memory, bytes, &filling);
    for (; sample_count < wanted && sample_count < MOST_SAMPLES; seed++) {
        struct rng rng = {seed};
        struct generated made = generate(&rng, (int)rng_in(&rng, 0, MOST_DEPTH));
        MPI_Aint lb, extent;
        int size, position = 0;
        MPI_Type_get_extent(made.type, &lb, &extent);
        MPI_Type_size(made.type, &size);
        if (size > 4000 || (made.depth && extent <= 0)) {
            continue; /* larger, and backward ones, are oracle.c's: a text of them says no more */
        }
        struct sample *sample = &samples[sample_count++];
        sample->seed = seed;
        sample->type = made.type;
        sample->count = (int)rng_in(&rng, 1, 2);
        sample->buffer = memory + bytes / 2 + rng_in(&rng, 0, 64);
        sample->packed = malloc((size_t)size * 2 + 64);
        if (size) { /* MPICH 4.0.2 divides by zero in MPI_Pack of some empty types */
            MPI_Pack(sample->buffer, sample->count, made.type, sample->packed, size * 2 + 64,
                     &position, MPI_COMM_SELF);
        }
        sample->packed_size = position;
    }
    all_made();
    MPI_Finalize();
    return 0;
}
