/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element addresses as texts (the paper's IV.C):
 *
 *     address = T [ "{" repetition "}" ] [ name ] { "[" index "]" [ name ] } [ ".first" | ".second" ]
 *     name    = "(" STRUCT, VECTOR, ... or a basic type: MPI_CHAR or CHAR ")"
 *
 * T(STRUCT)[2][5](MPI_CHAR) is the long form, T[2][5] the short one. Indices count from 0. Names
 * only clarify. A name may follow a type; it may not follow the index of a block, or of a dimension
 * that is not the last. Blanks are allowed between the parts. T is the caller's: an expression, a
 * name.
 *
 *     size_t of_T[ST_ADDRESS_SPLITS], count = st_address_splits(text, length, of_T);
 *     ... the first of them that is a type: text[0 .. of_T[i]) ...
 *     if (st_address_resolve(&route, type, address, ST_ANY_COUNT, rest, strlen(rest), &fault)) {
 *         ... fault says why, and `route` is at the last node that exists ...
 *     }
 *     char text[80];
 *     if (st_address_format(&route, ST_ADDRESS_LONG, text, sizeof text) >= sizeof text) { ... }
 *
 * Texts have a length and need no terminator. There is no recursion.
 */
#ifndef ST_CORE_ADDRESS_ADDRESS_H
#define ST_CORE_ADDRESS_ADDRESS_H

#include "core/address/route.h"

/* X(name, meaning); `at` and `length` are those of the wrong part of the text */
#define ST_ADDRESS_ERRORS(X)                                                                       \
    X(ST_ADDRESS_OK, "")                                                                           \
    X(ST_ADDRESS_SYNTAX, "no element address from `at` on")                                        \
    X(ST_ADDRESS_NUMBER, "a number that does not fit in 64 bits")                                  \
    X(ST_ADDRESS_REPETITION, "no repetition `index`: there are `children`")                        \
    X(ST_ADDRESS_INDEX, "no child `index`: the node has `children`")                               \
    X(ST_ADDRESS_LEAF, "an index below a basic type")                                              \
    X(ST_ADDRESS_INSIDE, "an index below a type whose inside is not known")                        \
    X(ST_ADDRESS_NAME, "the name of another type than the node's")                                 \
    X(ST_ADDRESS_STAGE, "a name, where the node is an intermediate stage")                         \
    X(ST_ADDRESS_MEMBER, "a member of what is no pair")                                            \
    X(ST_ADDRESS_OVERFLOW, "the displacement of child `index` does not fit in 64 bits")            \
    X(ST_ADDRESS_NO_MEMORY, "no memory")

enum st_address_error {
#define X(name, text) name,
    ST_ADDRESS_ERRORS(X)
#undef X
};

struct st_address_fault {
    enum st_address_error error;
    size_t at, length;
    int64_t index, children;
};

#define ST_ANY_COUNT INT64_C(-1)

/* Moves `route`, which must be initialized, to the node that `text` names. `text` is what follows
 * T. There are `count` types at `address`: any repetition below `count` is valid (ST_ANY_COUNT: any
 * at all). With "{r}" the root of the route is the repetition, else it is the type. Returns the
 * error, and fills *fault (may be NULL) if there is one. */
enum st_address_error st_address_resolve(struct st_route *route, const struct st_type *type,
                                         uint64_t address, int64_t count, const char *text,
                                         size_t length, struct st_address_fault *fault);

enum st_address_form { ST_ADDRESS_SHORT, ST_ADDRESS_LONG };

/* Writes what follows T in the address of a node: as much as fits into `size` bytes, the last one 0
 * (nothing if size is 0). Returns the length of the whole text, without the 0. */
size_t st_address_format(const struct st_route *route, enum st_address_form form, char *buffer,
                         size_t size);

/* Returns the name of a node in the long form: "STRUCT", "MPI_CHAR"; NULL for an intermediate
 * stage. */
const char *st_address_name(const struct st_place *place);

enum { ST_ADDRESS_SPLITS = 16 };

/* Finds where T may end. The result is ambiguous because T may have brackets itself: in
 * types[1][0], T is types[1][0], types[1], or types, and the caller must take the first that is a
 * type. Stores the lengths of all prefixes whose rest is a valid address, in the order in which to
 * try them: longest first; but prefixes that end before the name of a combiner, such as (STRUCT),
 * come before the others, and a T in quotes is the only one. If there are more than
 * ST_ADDRESS_SPLITS, the shortest are stored. Returns how many; 0 if there is no T. */
size_t st_address_splits(const char *text, size_t length, size_t splits[ST_ADDRESS_SPLITS]);

#endif
