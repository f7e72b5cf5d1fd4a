/*
 * The combiners, a row each: MPI's (MPI-4.0, 5.1.13) by numbers of our own, because MPI_COMBINER_*
 * differs between the MPI libraries. From the rows are made: enum st_combiner, what the decoder
 * expects in a node, the names in element addresses, reports, the debugger and Python.
 *
 * NAMED is a predefined type. OPAQUE is a type whose constructor was not seen (made before the
 * recorder came, or by MPI itself).
 */
#ifndef ST_CORE_MODEL_COMBINERS_H
#define ST_CORE_MODEL_COMBINERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * X(number, name, base, args[0], args[1], args[2], array 0, array 1, array 2, array 3)
 *
 *   number  a part of the registry's layout: it is never given to another combiner
 *   base    1 if st_node.base is the one old type
 *   args    the names of the numbers that the constructor takes, in st_node.args; 0: none. Counts, block
 *           lengths and strides are in elements of the base, lb, extent and size in bytes; "_bytes" at the
 *           end says that a number is in bytes where others of that name are in elements
 *   array   the names of the arrays in st_node.block, in their order there, with the same units; 0: none.
 *           Each has as many members as the argument "count" or "ndims" says
 *
 * Not named here, since no constructor takes them: the args of NAMED (size, true extent and extent in
 * bytes, -1: not known), and args[2] of F90_* (size in bytes).
 */
#define ST_COMBINERS(X)                                                                            \
    X(1, NAMED, 0, 0, 0, 0, 0, 0, 0, 0)                                                            \
    X(2, DUP, 1, 0, 0, 0, 0, 0, 0, 0)                                                              \
    X(3, CONTIGUOUS, 1, "count", 0, 0, 0, 0, 0, 0)                                                 \
    X(4, VECTOR, 1, "count", "blocklength", "stride", 0, 0, 0, 0)                                  \
    X(5, HVECTOR, 1, "count", "blocklength", "stride_bytes", 0, 0, 0, 0)                           \
    X(6, INDEXED, 1, "count", 0, 0, "offsets", "lengths", 0, 0)                                    \
    X(7, HINDEXED, 1, "count", 0, 0, "offsets_bytes", "lengths", 0, 0)                             \
    X(8, INDEXED_BLOCK, 1, "count", "blocklength", 0, "offsets", 0, 0, 0)                          \
    X(9, HINDEXED_BLOCK, 1, "count", "blocklength", 0, "offsets_bytes", 0, 0, 0)                   \
    X(10, STRUCT, 0, "count", 0, 0, "offsets_bytes", "lengths", "types", 0)                        \
    X(11, SUBARRAY, 1, "ndims", 0, 0, "sizes", "subsizes", "starts", 0)                            \
    X(12, DARRAY, 1, "size", "rank", "ndims", "gsizes", "distribs", "dargs", "psizes")             \
    X(13, RESIZED, 1, "lb", "extent", 0, 0, 0, 0, 0)                                               \
    X(14, F90_REAL, 0, "precision", "range", 0, 0, 0, 0, 0)                                        \
    X(15, F90_COMPLEX, 0, "precision", "range", 0, 0, 0, 0, 0)                                     \
    X(16, F90_INTEGER, 0, 0, "range", 0, 0, 0, 0, 0)                                               \
    X(17, OPAQUE, 0, "size", "lb", "extent", 0, 0, 0, 0)

#define ST_COMBINER_ARGUMENTS 3
#define ST_COMBINER_ARRAYS 4

/* How a datatype was made. */
enum st_combiner {
#define ST_NUMBERED(number, name, ...) ST_##name = (number),
    ST_COMBINERS(ST_NUMBERED)
#undef ST_NUMBERED
        ST_COMBINER_END
};

/* "VECTOR"; NULL if the number is no combiner's. */
const char *st_combiner_name(unsigned combiner);

/* The name of args[argument] of a combiner, argument < ST_COMBINER_ARGUMENTS; NULL if it has none. */
const char *st_combiner_argument(unsigned combiner, int argument);

/* The name of an array of a combiner, array < ST_COMBINER_ARRAYS; NULL if it has none. */
const char *st_combiner_array(unsigned combiner, int array);

/* Bit `number` is set if the combiner has exactly one old type, in st_node.base. */
#define ST_BASE_BIT(number, name, base, ...) | (uint32_t)(base) << (number)
enum { ST_COMBINERS_WITH_BASE = 0u ST_COMBINERS(ST_BASE_BIT) };
#undef ST_BASE_BIT
_Static_assert(ST_COMBINER_END <= 31, "a bit for each combiner");

/* Returns true if a combiner has exactly one old type, in st_node.base. */
static inline bool st_has_base(unsigned combiner)
{
    return combiner < ST_COMBINER_END && ST_COMBINERS_WITH_BASE >> combiner & 1;
}

/* The number of the argument or array of this name, "stride" for "stride_bytes", too; -1 if there is none. */
int st_combiner_find_argument(unsigned combiner, const char *name);
int st_combiner_find_array(unsigned combiner, const char *name);

#endif
