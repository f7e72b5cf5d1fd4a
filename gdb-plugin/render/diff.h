/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the data of two buffers, element by element in the order of their type maps: how many
 * elements differ, and which is the first.
 *
 *     struct st_diff diff;
 *     st_diff_init(&diff, (struct st_diff_side[2]){{&indexes, &memory, &root}, {...}});
 *     diff.most = match.agreed;                     // as far as the two signatures are the same
 *     error = st_diff_run(&diff, &fault);
 *     ... diff.different of diff.compared; diff.first[0].leaf, diff.first[1].leaf ...
 *     ... error: at the element diff.sides[diff.failed].pack.route ...
 *     st_diff_deinit(&diff);
 *
 * Elements are those of the type signature: a pair has two. Their bytes are compared, not their
 * values: a NaN equals a NaN of the same bytes, and -0 does not equal 0. Bytes between elements,
 * and the padding bytes of a long double, are not compared. The memory in use is limited. Each side
 * is read once, from front to back.
 */
#ifndef ST_RENDER_DIFF_H
#define ST_RENDER_DIFF_H

#include "pack.h"

/* A buffer, and how to read its memory. */
struct st_diff_side {
    struct st_indexes *indexes;
    struct st_memory *memory;
    struct st_place root;
};

/* A side that is being compared. */
struct st_diff_walk {
    struct st_pack pack;
    unsigned char *data; /* of `part`, packed */
    struct st_pack_part part;
    size_t at;      /* bytes of the part that have been compared */
    int64_t leaves; /* leaves of the type map that are before the part */
};

/* An element of one side. */
struct st_diff_place {
    int64_t leaf; /* its number in what MPI sends; a pair counts as one */
    int member;   /* of a pair; else -1 */
};

struct st_diff {
    struct st_diff_walk sides[2];
    bool bytes;   /* compares byte by byte, because one side is MPI_PACKED; the numbers below
                     count bytes */
    int64_t most; /* elements to compare */
    bool (*interrupted)(void *context); /* called now and then; NULL: cannot be interrupted */
    void *context;

    int64_t compared, different;
    int64_t first_number; /* of the first one that differs, counted from 0; -1: there is none */
    struct st_diff_place first[2];
    bool sizes; /* it stopped at elements of different sizes */
    int failed; /* the side with the error */
};

/* Returns false if there is no memory. Call st_diff_deinit() in any case. */
bool st_diff_init(struct st_diff *diff, const struct st_diff_side sides[2]);
void st_diff_deinit(struct st_diff *diff);

/* Compares up to `most` elements, or to the end of one side. Returns the errors of st_pack_part(). */
enum st_error st_diff_run(struct st_diff *diff, struct st_fault *fault);

#endif
