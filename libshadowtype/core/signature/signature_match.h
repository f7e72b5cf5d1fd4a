/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Type matching (MPI-4.0, 3.3.1): whether a receive can receive what is sent.
 *
 *     struct st_match match;
 *     st_match(signatures, sent, 4, received, 2, &match);
 *     switch (match.verdict) {
 *     case ST_MATCH_EQUAL: ...
 *     case ST_MATCH_PREFIX: ...       // match.agreed of match.length[match.longer]
 *     case ST_MATCH_DIFFERENT: ...    // match.at[0].element is sent, match.at[1].element received
 *     }
 *
 * The standard requires that the signature of a send is that of the receive, or a prefix of it:
 * EQUAL, or PREFIX with longer == 1 for (send, receive). In a collective it must be EQUAL.
 *
 * A verdict is exact: EQUAL, PREFIX and DIFFERENT follow from the structure of both datatypes,
 * never from a hash (sequence.h). Nothing is unrolled. Once the types are known (signatures.h), two
 * equal signatures take O(log count), and the first difference O(depth · log), whatever the number
 * of elements is.
 *
 * element.h says which elements match. If one whole signature is MPI_PACKED, only the length in
 * bytes counts (3.3.1; 5.2: a packed message may be received with its unpacked type). All lengths
 * are then in bytes.
 */
#ifndef ST_CORE_SIGNATURE_SIGNATURE_MATCH_H
#define ST_CORE_SIGNATURE_SIGNATURE_MATCH_H

#include "core/signature/signatures.h"

enum st_match_verdict {
    ST_MATCH_EQUAL,
    ST_MATCH_PREFIX,    /* one is the beginning of the other */
    ST_MATCH_DIFFERENT, /* they differ at one element */
    ST_MATCH_OPAQUE,    /* equal up to an element that is not known in one of them (element.h) */
    ST_MATCH_TOO_LONG,  /* one has more than 2^63 - 1 elements (or bytes, if bytes count) */
    ST_MATCH_UNDECIDED, /* the work limit is reached, or interrupted: see hashes */
    ST_MATCH_NO_MEMORY
};

/* The element of one side that follows what the two have in common. */
struct st_match_element {
    bool present; /* false: that side ends there */
    struct st_basic_element element;
    struct st_signature_place place; /* .number is -1 if something before it is not known */
};

/* Index 0 is the first type, 1 the second. */
struct st_match {
    enum st_match_verdict verdict;
    bool bytes;        /* length and agreed are in bytes, because one is MPI_PACKED; `at` is not
                          valid */
    int64_t length[2]; /* in elements (a pair type has two); -1: not known */
    int64_t agreed;    /* how many elements are the same, from the first one on; -1: not known */
    int longer;        /* PREFIX: which of the two is longer */
    struct st_match_element at[2]; /* valid for PREFIX, DIFFERENT, OPAQUE */
    /* UNDECIDED: the result of the 128-bit hashes (signature.h). DIFFERENT: the signatures differ
     * for sure, or one is a prefix of the other. EQUAL: they are equal, but for one chance in 2^64. */
    enum st_match_hashes { ST_HASHES_UNKNOWN, ST_HASHES_EQUAL, ST_HASHES_DIFFERENT } hashes;
};

/* Compares `count1` repetitions of `type1` with `count2` of `type2`. */
void st_match(struct st_signatures *signatures, const struct st_type *type1, int64_t count1,
              const struct st_type *type2, int64_t count2, struct st_match *match);

#endif
