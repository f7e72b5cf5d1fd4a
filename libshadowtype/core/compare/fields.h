/*
 * A type of the program (C, C++, Fortran) as a tree of fields, and what of it lies where.
 *
 *     // struct cell { double x; int id; } cells[100];
 *     const struct st_nest_level hundred = {100, 16};
 *     const struct st_field fields[] = {
 *         {.kind = ST_FIELD_GROUP, .size = 16, .below = 2, .dims = 1, .dim = &hundred},
 *         {.kind = ST_FIELD_FLOAT, .size = 8, .offset = 0},
 *         {.kind = ST_FIELD_SIGNED, .size = 4, .offset = 8},
 *     };
 *     struct st_fields *tree;
 *     st_fields_build(&tree, fields, 3, 0, &fault);
 *
 * The tree that is built differs from the input where that makes it plain: the children of a group
 * cover it from its first byte to its last, padding included; every node is an array without gaps
 * (a dimension with gaps becomes a group of its own); what overlaps is a union. Fields are named by
 * their index in the input. All numbers are bytes.
 */
#ifndef ST_CORE_COMPARE_FIELDS_H
#define ST_CORE_COMPARE_FIELDS_H

#include "core/compare/comb.h"
#include "core/model/error.h"

/* X(name, text) */
#define ST_FIELD_KINDS(X)                                                                          \
    X(ST_FIELD_GROUP, "group") /* struct, class, derived type: its children are its members */     \
    X(ST_FIELD_UNION, "union") /* its children all lie at the same place */                        \
    X(ST_FIELD_SIGNED, "signed")                                                                   \
    X(ST_FIELD_UNSIGNED, "unsigned")                                                               \
    X(ST_FIELD_ENUM, "enum")                                                                       \
    X(ST_FIELD_CHAR, "char") /* C's char, Fortran's character */                                   \
    X(ST_FIELD_WCHAR, "wchar")                                                                     \
    X(ST_FIELD_FLOAT, "float") /* the machine's: float, double, long double */                     \
    X(ST_FIELD_QUAD, "quad")   /* IEEE's of 16 bytes: __float128, real(16) */                      \
    X(ST_FIELD_COMPLEX, "complex")                                                                 \
    X(ST_FIELD_QUAD_COMPLEX, "quad complex")                                                       \
    X(ST_FIELD_BOOL, "bool")                                                                       \
    X(ST_FIELD_LOGICAL, "logical") /* Fortran */                                                   \
    X(ST_FIELD_POINTER, "pointer")                                                                 \
    X(ST_FIELD_VTABLE, "vtable")         /* C++: the hidden pointer to it */                       \
    X(ST_FIELD_DESCRIPTOR, "descriptor") /* Fortran: of an allocatable or pointer array */         \
    X(ST_FIELD_BITS, "bits")             /* bit-fields: the bytes that they share */               \
    X(ST_FIELD_OTHER, "other")           /* MPI has no type for it */                              \
    X(ST_FIELD_PADDING, "padding")       /* only in the tree that is built */

enum st_field_kind {
#define X(name, text) name,
    ST_FIELD_KINDS(X)
#undef X
        ST_FIELD_KIND_END
};

/* The text of a kind; NULL for a number that is none. */
const char *st_field_kind_name(unsigned kind);

/* All dimensions above and of a field together: more are refused. */
#define ST_FIELD_DIMS 12

/* A field, followed by the `below` fields that are inside it, directly or deeper. */
struct st_field {
    enum st_field_kind kind;
    uint32_t below;
    int64_t offset; /* from the start of what it is in (one element of it) */
    int64_t size;   /* of one element */
    uint32_t dims;  /* of an array */
    /* Count and distance, outermost first. A count is 0 or more; that of the very first dimension
     * of the outermost field, or of the last field in it, may be ST_FIELD_OPEN. */
    const struct st_nest_level *dim;
};

/* A length that nobody knows: what a pointer points to, C's flexible array, Fortran's a(*). It is
 * as long as the type map reaches. */
#define ST_FIELD_OPEN (-1)

#define ST_NO_FIELD UINT32_MAX

struct st_field_node {
    enum st_field_kind kind;
    uint32_t field;  /* index in the input; of PADDING, of what it is in. ST_NO_FIELD: a union of
                        fields that overlap, one of the things that a union may be */
    uint32_t parent; /* of node `root`: itself */
    int64_t offset;  /* of the first element from the start of the parent's element */
    int64_t size;    /* of one element; the next follows at once */
    int64_t count;
    uint32_t first, children; /* a group's, by offset; a union's, of its offset and size each */
};

struct st_fields {
    struct st_field_node *nodes;
    uint32_t node_count, node_capacity;
    uint32_t root;      /* ST_NO_FIELD: there is nothing in it */
    uint32_t *children; /* node numbers */
    uint32_t children_count, children_capacity;
    struct st_field *input; /* a copy, with open lengths closed */
    struct st_nest_level *dims;
    uint32_t input_count;
    int64_t size; /* of all of it */
};

/* `reach`: where the type map ends, for open lengths. *tree is the caller's to st_fields_free().
 * ST_OVERFLOW: a size leaves 64 bits; ST_NO_MEMORY; ST_OUT_OF_RANGE: the fault's field says what of
 * the input is impossible. */
enum st_error st_fields_build(struct st_fields **tree, const struct st_field *fields,
                              uint32_t count, int64_t reach, struct st_fault *fault);
void st_fields_free(struct st_fields *tree);

/* Which child of a group an offset in its element lies in, 0 <= at < size. */
uint32_t st_fields_child(const struct st_fields *tree, const struct st_field_node *group,
                         int64_t at);

/* How many elements a node has, arrays of arrays multiplied out, and where number `index` of them
 * is, from the start of all. */
int64_t st_fields_count(const struct st_fields *tree, uint32_t node);
int64_t st_fields_offset(const struct st_fields *tree, uint32_t node, int64_t index);

/* The counts of all dimensions of a node, outermost first; how many there are. */
uint32_t st_fields_shape(const struct st_fields *tree, uint32_t node, int64_t shape[ST_FIELD_DIMS]);

#endif
