/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a type signature for people, with repetitions folded:
 *
 *     struct st_signature_text text;
 *     st_signature_text(signatures, type, 1, ST_TEXT_ITEMS, &text);
 *     if (text.text) {
 *         puts(text.text);        // (MPI_DOUBLE MPI_CHAR)2 MPI_DOUBLE MPI_CHAR*3
 *     }
 *     free(text.text);
 *
 * `NAME*n` is n elements of a basic type, `(...)n` is n times the elements in the parentheses. The
 * text follows from the signature alone: equal signatures have equal texts, however their datatypes
 * are built, in every process. A text without an ellipsis describes one signature only.
 *
 * It is the paper's regular typesig (VI.B): equal neighbours are summarised first, so that dcdcdccc
 * is (dc)2dc3, not (dc)3c2. Then it differs from the paper's Algorithm 1, which has to serialise:
 * at each position, from the left, it takes the repetition that covers most elements (with the
 * shortest period of these), and treats its period in the same way. It tries all periods of up to
 * ST_TEXT_RUNS summarised neighbours, and those that show in how the sequence is cut (sequence.h)
 * at this position, on each level.
 *
 * The length is limited: after `most` names the text ends with `... N more elements`; the text
 * before the ellipsis is the complete beginning of the signature. The time is limited, whatever the
 * number of elements: O(most · levels) comparisons, each O(levels). st_signatures_interrupt() ends
 * it (UNDECIDED).
 */
#ifndef ST_CORE_SIGNATURE_SIGNATURE_TEXT_H
#define ST_CORE_SIGNATURE_SIGNATURE_TEXT_H

#include "core/signature/signatures.h"

#define ST_TEXT_ITEMS 64 /* names: some lines of a terminal */
#define ST_TEXT_RUNS 15

struct st_signature_text {
    enum st_signature_state state;
    char *text;       /* the caller must free() it; set for KNOWN and OPAQUE, else NULL; "" for
                         no elements */
    int64_t elements; /* of the signature; with OPAQUE, an opaque type counts as one */
    int64_t left_out; /* of these, those that the ellipsis replaces */
};

/* Writes the signature of `count` repetitions of `type` with at most `most` names (at least 1). */
void st_signature_text(struct st_signatures *signatures, const struct st_type *type, int64_t count,
                       size_t most, struct st_signature_text *out);

#endif
