/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A type of the program (C, C++, Fortran) as a tree of fields and their positions.
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
 * The tree is more regular than the input: the children of a group fill it from its first byte to
 * its last, with padding; every node is an array without gaps (a dimension with gaps becomes a
 * group); overlapping fields become a union. Fields are identified by their index in the input. All
 * numbers are bytes.
 */
#ifndef ST_CORE_COMPARE_FIELDS_H
#define ST_CORE_COMPARE_FIELDS_H

#include "core/compare/comb.h"
#include "core/model/error.h"

/* X(name, text) */
#define ST_FIELD_KINDS(X)                                                                          \
    X(ST_FIELD_GROUP, "group") /* struct, class, derived type: its children are its members */     \
    X(ST_FIELD_UNION, "union") /* all its children have the same position */                       \
    X(ST_FIELD_SIGNED, "signed")                                                                   \
    X(ST_FIELD_UNSIGNED, "unsigned")                                                               \
    X(ST_FIELD_ENUM, "enum")                                                                       \
    X(ST_FIELD_CHAR, "char") /* C's char, Fortran's character */                                   \
    X(ST_FIELD_WCHAR, "wchar")                                                                     \
    X(ST_FIELD_FLOAT, "float") /* the machine's formats: float, double, long double */             \
    X(ST_FIELD_QUAD, "quad")   /* IEEE's format of 16 bytes: __float128, real(16) */               \
    X(ST_FIELD_COMPLEX, "complex")                                                                 \
    X(ST_FIELD_QUAD_COMPLEX, "quad complex")                                                       \
    X(ST_FIELD_BOOL, "bool")                                                                       \
    X(ST_FIELD_LOGICAL, "logical") /* Fortran */                                                   \
    X(ST_FIELD_POINTER, "pointer")                                                                 \
    X(ST_FIELD_VTABLE, "vtable")         /* C++: the hidden pointer to the vtable */               \
    X(ST_FIELD_DESCRIPTOR, "descriptor") /* Fortran: of an allocatable or pointer array */         \
    X(ST_FIELD_BITS, "bits")             /* bit-fields: the bytes that they share */               \
    X(ST_FIELD_OTHER, "other")           /* MPI has no type for it */                              \
    X(ST_FIELD_PADDING, "padding")       /* only in the tree, never in the input */

enum st_field_kind {
#define X(name, text) name,
    ST_FIELD_KINDS(X)
#undef X
        ST_FIELD_KIND_END
};

/* Returns the text of a kind; NULL if there is no such kind. */
const char *st_field_kind_name(unsigned kind);

/* The most dimensions of a field and all fields above it together: st_fields_build() refuses more. */
#define ST_FIELD_DIMS 12

/* A field. The `below` fields inside it, at any depth, follow it. */
struct st_field {
    enum st_field_kind kind;
    uint32_t below;
    int64_t offset; /* from the start of one element of the field that contains it */
    int64_t size;   /* of one element */
    uint32_t dims;  /* number of dimensions, of an array */
    /* Count and distance of each dimension, outermost first. A count is at least 0; that of the
     * very first dimension of the outermost field, or of the last field in it, may be
     * ST_FIELD_OPEN. */
    const struct st_nest_level *dim;
};

/* An unknown length: of what a pointer points to, C's flexible array, Fortran's a(*). It is taken
 * to be as long as the type map reaches. */
#define ST_FIELD_OPEN (-1)

#define ST_NO_FIELD UINT32_MAX

struct st_field_node {
    enum st_field_kind kind;
    uint32_t field;  /* index in the input; for PADDING, that of the field around it.
                        ST_NO_FIELD: a union made of overlapping fields, or one alternative of a
                        union */
    uint32_t parent; /* of node `root`: the node itself */
    int64_t offset;  /* of the first element, from the start of the parent's element */
    int64_t size;    /* of one element; elements are contiguous */
    int64_t count;
    uint32_t first, children; /* of a group, in order of offsets; of a union, each with its
                                 offset and size */
};

struct st_fields {
    struct st_field_node *nodes;
    uint32_t node_count, node_capacity;
    uint32_t root;      /* ST_NO_FIELD: the object is empty */
    uint32_t *children; /* node numbers */
    uint32_t children_count, children_capacity;
    struct st_field *input; /* a copy, with lengths in the place of open ones */
    struct st_nest_level *dims;
    uint32_t input_count;
    int64_t size; /* of the object */
};

/* Builds the tree. `reach` is where the type map ends, for open lengths. The caller must
 * st_fields_free() *tree. Returns ST_OVERFLOW if a size does not fit in 64 bits; ST_NO_MEMORY;
 * ST_OUT_OF_RANGE if the input is impossible: the fault's field says what. */
enum st_error st_fields_build(struct st_fields **tree, const struct st_field *fields,
                              uint32_t count, int64_t reach, struct st_fault *fault);
void st_fields_free(struct st_fields *tree);

/* Returns the child of a group that contains an offset in its element, 0 <= at < size. */
uint32_t st_fields_child(const struct st_fields *tree, const struct st_field_node *group,
                         int64_t at);

/* Of a node: the number of elements, over all arrays around it, and the position of element
 * `index`, from the start of the object. */
int64_t st_fields_count(const struct st_fields *tree, uint32_t node);
int64_t st_fields_offset(const struct st_fields *tree, uint32_t node, int64_t index);

/* Stores the counts of all dimensions of a node, outermost first. Returns how many there are. */
uint32_t st_fields_shape(const struct st_fields *tree, uint32_t node, int64_t shape[ST_FIELD_DIMS]);

#endif
