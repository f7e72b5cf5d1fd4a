/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Type signatures as a monoid. Two ranks can compare them without knowing each other's datatypes.
 *
 *     struct st_signature s = st_signature_empty(), ints;
 *     st_signature_append(&s, &of_double, &s);
 *     st_signature_repeat(&ints, &of_int, 1000000000000);      // O(log count)
 *     st_signature_append(&s, &ints, &s);
 *     if (st_signature_equal(&s, &received)) { ... equal, but for one chance in 2^64 ... }
 *
 * A signature e1 e2 ... en is (h, n, B^n) with h = h(e1)*B^(n-1) + h(e2)*B^(n-2) + ... + h(en)
 * modulo the prime 2^127 - 1 (Karp and Rabin, 1987). So h(uv) = h(u)*B^|v| + h(v), in O(1), and n
 * copies take O(log n). Two different signatures of at most n elements have the same hash for n of
 * the 2^127 possible values of B. B is fixed, and the hashes of the elements follow from the
 * elements alone (element.h): signatures may be sent, stored and compared between ranks, MPI
 * libraries and runs.
 *
 * If both datatypes are available, use st_match() (signature_match.h), which does not depend on the
 * hash.
 */
#ifndef ST_CORE_SIGNATURE_SIGNATURE_H
#define ST_CORE_SIGNATURE_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/signature/element.h"

/* 128 bits, below 2^127 - 1. */
struct st_residue {
    uint64_t high, low;
};

struct st_signature {
    struct st_residue hash;
    struct st_residue power; /* B^length */
    int64_t length;          /* in elements; a pair type has two */
};

struct st_signature st_signature_empty(void);
/* Returns the signature of one element, which must not be opaque. */
struct st_signature st_signature_one(const struct st_basic_element *element);
/* The same, by the element's hash (element.h). */
struct st_signature st_signature_hashed(uint64_t element);
/* Appends one signature to another. `out` may be one of them. Returns false if the length does not
 * fit in 64 bits. */
bool st_signature_append(struct st_signature *out, const struct st_signature *first,
                         const struct st_signature *second);
bool st_signature_repeat(struct st_signature *out, const struct st_signature *one, int64_t times);
bool st_signature_equal(const struct st_signature *a, const struct st_signature *b);

#endif
