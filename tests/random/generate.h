/*
 * Random nested datatypes over every combiner of the installed MPI, from a seed: the same seed
 * makes the same types under the same MPI. Negative strides and displacements, zero counts and
 * block lengths, empty and resized types, shared bases and freed ones are ordinary cases.
 */
#ifndef TESTS_RANDOM_GENERATE_H
#define TESTS_RANDOM_GENERATE_H

#include <mpi.h>
#include <stdint.h>

#define MOST_DEPTH 6
/* A type's data stays within this many bytes of its buffer address, on either side. */
#define MOST_REACH ((MPI_Aint)1 << 20)
#define MOST_SIZE ((MPI_Count)1 << 18)

struct rng {
    uint64_t state;
};
uint64_t rng_next(struct rng *rng);
/* Uniform in low..high, both included. */
int64_t rng_in(struct rng *rng, int64_t low, int64_t high);

struct generated {
    MPI_Datatype type; /* committed; the caller's to free */
    int depth;         /* constructors above a predefined type */
};

/* One random type of at most `depth` nested constructors. All intermediate types are freed: what
 * the result is built on lives only below it. */
struct generated generate(struct rng *rng, int depth);

/* The constructors made so far, by name, for the summary: every one must have been drawn. */
extern const char *const constructor_names[];
extern unsigned long constructor_uses[];
extern const int constructor_count;

#endif
