/*
 * Random types, and the elements that they send by brute force: what match, signature_text and the
 * sequences below them are compared with. Not a line of the algebra is used.
 *
 *     struct grower grower = {.seed = 1};
 *     struct grown a = grow_tree(&grower, 5, 2);                  // any constructors, 2 basic
 * types struct grown b = grow_from(&grower, a.codes, a.count, 4);   // the same elements, otherwise
 *     ... a.type, b.type ...
 *     grower_deinit(&grower);
 */
#ifndef TESTS_GROW_H
#define TESTS_GROW_H

#include "forge.h"

/* An element by number: below GROW_CODES a basic type, from GROW_OPAQUE on an opaque datatype, each
 * of its own. */
enum { GROW_CODES = 8, GROW_PACKED = 5, GROW_OPAQUE = 64 };

struct grown {
    const struct st_type *type;
    uint8_t *codes;       /* of its elements, a pair type being two */
    uint8_t *leaf_starts; /* whether an element begins a leaf: 0 for .second of a pair */
    size_t count;
};

struct grower {
    struct forge forge;
    uint64_t seed;
    uint8_t opaque; /* how many there are */
    bool markers;   /* MPI_LB and MPI_UB may stand about */
};

void grower_deinit(struct grower *grower);

/* "MPI_DOUBLE": as texts of signatures have it. */
const char *grow_name(unsigned code);
/* Of one element in memory. */
int64_t grow_bytes(unsigned code);

/* A type of at most `depth` constructors above basic types, the first `alphabet` ones; some hundred
 * elements at most. */
struct grown grow_tree(struct grower *grower, int depth, unsigned alphabet);

/* A type that sends these. */
struct grown grow_from(struct grower *grower, const uint8_t *codes, size_t count, int depth);

/* An OPAQUE type of 8 bytes. */
struct grown grow_opaque(struct grower *grower);

#endif
