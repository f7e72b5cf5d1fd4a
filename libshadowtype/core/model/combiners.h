/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The combiners (MPI-4.0, 5.1.13), one row each. The numbers are our own, because the values of
 * MPI_COMBINER_* differ between the MPI libraries. The rows generate enum st_combiner, the
 * decoder's checks of a node, and the names in element addresses, reports, the debugger and Python.
 *
 * NAMED is a predefined type. OPAQUE is a type whose constructor was not seen: it was made before
 * the recorder was loaded, or by MPI itself.
 */
#ifndef ST_CORE_MODEL_COMBINERS_H
#define ST_CORE_MODEL_COMBINERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * X(number, name, base, args[0], args[1], args[2], array 0, array 1, array 2, array 3)
 *
 *   number  part of the registry's layout: never reuse it for another combiner
 *   base    1 if the combiner has exactly one old type, in st_node.base
 *   args    names of the constructor's numbers, in st_node.args; 0: unused. Counts, block lengths
 *           and strides are in elements of the base; lb, extent and size are in bytes. The suffix
 *           "_bytes" marks a number in bytes where other combiners have one of that name in
 *           elements
 *   array   names of the arrays, in their order in st_node.block, with the same units; 0: unused.
 *           The argument "count" or "ndims" is the length of each
 *
 * Two sets of args have no name here, because no constructor takes them: the args of NAMED (size,
 * true extent and extent in bytes, -1 if not known), and args[2] of F90_* (size in bytes).
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

/* Returns "VECTOR", ...; NULL if no combiner has this number. */
const char *st_combiner_name(unsigned combiner);

/* Returns the name of args[argument], argument < ST_COMBINER_ARGUMENTS; NULL if it is unused. */
const char *st_combiner_argument(unsigned combiner, int argument);

/* Returns the name of an array, array < ST_COMBINER_ARRAYS; NULL if it is unused. */
const char *st_combiner_array(unsigned combiner, int array);

/* Has bit `number` set if the combiner has exactly one old type, in st_node.base. */
#define ST_BASE_BIT(number, name, base, ...) | (uint32_t)(base) << (number)
enum { ST_COMBINERS_WITH_BASE = 0u ST_COMBINERS(ST_BASE_BIT) };
#undef ST_BASE_BIT
_Static_assert(ST_COMBINER_END <= 31, "a bit for each combiner");

/* Returns true if a combiner has exactly one old type, in st_node.base. */
static inline bool st_has_base(unsigned combiner)
{
    return combiner < ST_COMBINER_END && ST_COMBINERS_WITH_BASE >> combiner & 1;
}

/* Returns the number of the argument or array of this name; -1 if there is none. "stride" finds
 * "stride_bytes", too. */
int st_combiner_find_argument(unsigned combiner, const char *name);
int st_combiner_find_array(unsigned combiner, const char *name);

#endif
