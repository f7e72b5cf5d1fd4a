/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The type signatures of datatypes, each computed once.
 *
 *     struct st_signatures *signatures = st_signatures_new();
 *     struct st_signature send;
 *     switch (st_signatures_of(signatures, type, 4, &send)) {
 *     case ST_SIGNATURE_KNOWN: ... send.length elements; send.hash goes to the other rank ...
 *     }
 *     ... st_match() (signature_match.h), st_signature_text() (signature_text.h) ...
 *     st_signatures_free(signatures);
 *
 * Types are identified by their address: free a st_signatures before the types that it has seen
 * (they are freed with their st_types). Types of several registries may be mixed. The first use of
 * a datatype costs O(parts of its tree), each further one O(1). No recursion, whatever the depth
 * is. Not thread-safe: use one per thread, or a lock.
 *
 * A negative count means no elements, as in MPI.
 */
#ifndef ST_CORE_SIGNATURE_SIGNATURES_H
#define ST_CORE_SIGNATURE_SIGNATURES_H

#include "core/signature/sequence.h"
#include "core/signature/signature.h"
#include "core/model/type.h"

enum st_signature_state {
    ST_SIGNATURE_KNOWN,
    ST_SIGNATURE_OPAQUE,    /* it contains an unknown type (element.h) */
    ST_SIGNATURE_TOO_LONG,  /* more than 2^63 - 1 elements */
    ST_SIGNATURE_UNDECIDED, /* the work limit is reached, or interrupted */
    ST_SIGNATURE_NO_MEMORY
};

struct st_signatures;

struct st_signatures *st_signatures_new(void); /* returns NULL if there is no memory */
void st_signatures_free(struct st_signatures *signatures);

/* Returns the memory in use, in bytes: free a long-lived one when it has grown large. */
size_t st_signatures_bytes(const struct st_signatures *signatures);

/* Sets the work limit of one call, in runs handled (sequence.h); at first ST_MOST_WORK. Only the
 * first call with a large type comes near to it. */
void st_signatures_bound(struct st_signatures *signatures, uint64_t most_work);
/* Sets a function that is called now and then during long calls; if it returns true the call ends
 * like at the work limit. Results so far are kept. NULL: cannot be interrupted. */
void st_signatures_interrupt(struct st_signatures *signatures, bool (*interrupted)(void *context),
                             void *context);

/* Stores the signature of `count` repetitions of `type`, for other ranks. Returns KNOWN, OPAQUE,
 * TOO_LONG or NO_MEMORY; *out is set only if KNOWN. O(log count) if the type was seen before. */
enum st_signature_state st_signatures_of(struct st_signatures *signatures,
                                         const struct st_type *type, int64_t count,
                                         struct st_signature *out);

/* Stores the same as a sequence, for comparisons within one address space. If OPAQUE, *out is
 * nevertheless the sequence, with an opaque element for each unknown type. */
enum st_signature_state st_signatures_sequence(struct st_signatures *signatures,
                                               const struct st_type *type, int64_t count,
                                               struct st_sequence *out);
struct st_sequences *st_signatures_sequences(struct st_signatures *signatures);

/* An element of a signature and its place in the datatype. */
struct st_signature_place {
    const struct st_type *leaf; /* the basic or opaque type */
    int64_t number; /* number of the leaf in what MPI sends, from 0 on. A pair type counts as
                       one, as in measure.elements and serialised positions */
    int member;     /* of a pair type: 0 (.first) or 1 (.second); else -1 */
};

/* Stores the place of element `index` of `count` repetitions of `type`. Elements count from 0; a
 * pair type has two, an opaque type one. st_signatures_sequence() must have been called for the
 * type, and `index` must be below its length. O(depth), and the log of the number of members in
 * each struct. */
void st_signatures_place(const struct st_signatures *signatures, const struct st_type *type,
                         int64_t index, struct st_signature_place *place);

#endif
