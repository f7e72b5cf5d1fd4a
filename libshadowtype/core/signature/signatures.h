/*
 * The type signatures of datatypes, kept so that each is worked out once.
 *
 *     struct st_signatures *signatures = st_signatures_new();
 *     struct st_signature send;
 *     switch (st_signatures_of(signatures, type, 4, &send)) {
 *     case ST_SIGNATURE_KNOWN: ... send.length elements; send.hash goes to the other rank ...
 *     }
 *     ... st_match() (signature_match.h), st_signature_text() (signature_text.h) ...
 *     st_signatures_free(signatures);
 *
 * Types are known by their address: a st_signatures must be dropped before the types that it has
 * seen (when the st_types that they belong to are released). Types of several registries may be
 * mixed. A datatype's first use costs what its tree has parts, the next O(1). No recursion,
 * whatever the depth. Not thread-safe: one each, or a lock.
 *
 * Counts are taken as MPI takes them: of a negative one there is nothing.
 */
#ifndef ST_CORE_SIGNATURE_SIGNATURES_H
#define ST_CORE_SIGNATURE_SIGNATURES_H

#include "core/signature/sequence.h"
#include "core/signature/signature.h"
#include "core/model/type.h"

enum st_signature_state {
    ST_SIGNATURE_KNOWN,
    ST_SIGNATURE_OPAQUE,    /* something in it is not known (element.h) */
    ST_SIGNATURE_TOO_LONG,  /* more than 2^63 - 1 elements */
    ST_SIGNATURE_UNDECIDED, /* past the bound on work, or interrupted */
    ST_SIGNATURE_NO_MEMORY
};

struct st_signatures;

struct st_signatures *st_signatures_new(void); /* NULL: no memory */
void st_signatures_free(struct st_signatures *signatures);

/* Memory held, in bytes: a long-lived one may be dropped when it has grown large. */
size_t st_signatures_bytes(const struct st_signatures *signatures);

/* The most work that one call does, in runs looked at (sequence.h); ST_MOST_WORK at first. Such a
 * call is the first with a large type. */
void st_signatures_bound(struct st_signatures *signatures, uint64_t most_work);
/* Is asked now and then during such a call; true ends it, as the bound does. What has been worked
 * out until then is kept. NULL: none. */
void st_signatures_interrupt(struct st_signatures *signatures, bool (*interrupted)(void *context),
                             void *context);

/* The signature of `count` repetitions of `type`, for other ranks: KNOWN, OPAQUE, TOO_LONG or
 * NO_MEMORY; *out is filled only if KNOWN. O(log count) when the type has been seen. */
enum st_signature_state st_signatures_of(struct st_signatures *signatures,
                                         const struct st_type *type, int64_t count,
                                         struct st_signature *out);

/* The same as a sequence, for what is in one address space. OPAQUE: *out is the sequence
 * nevertheless, with an opaque element for each that is not known. */
enum st_signature_state st_signatures_sequence(struct st_signatures *signatures,
                                               const struct st_type *type, int64_t count,
                                               struct st_sequence *out);
struct st_sequences *st_signatures_sequences(struct st_signatures *signatures);

/* An element of a signature, where it stands in the datatype. */
struct st_signature_place {
    const struct st_type *leaf; /* the basic type (or opaque one) */
    int64_t number; /* of the leaf as MPI sends them, from 0 on: as measure.elements and the
                       serialised positions count, a pair type being one */
    int member;     /* of a pair type: 0 (.first) or 1 (.second); -1: no pair */
};

/* Element `index` of `count` repetitions of `type`; a signature's elements count from 0, and a pair
 * type is two. The type's sequence has been asked for, and index is below its length. An opaque
 * type counts as one leaf. O(depth), and the log of the number of members in each struct. */
void st_signatures_place(const struct st_signatures *signatures, const struct st_type *type,
                         int64_t index, struct st_signature_place *place);

#endif
