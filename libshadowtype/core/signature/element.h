/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements: what a basic type contributes to a type signature (MPI-4.0, 3.3.1 and 5.1).
 *
 *     struct st_basic_element elements[2];
 *     int count = st_elements_of(leaf, elements);     // MPI_DOUBLE_INT: MPI_DOUBLE, MPI_INT
 *     for (int i = 0; i < count; i++) {
 *         char text[ST_ELEMENT_TEXT];
 *         st_element_text(&elements[i], text);
 *     }
 *
 * Two elements match if and only if they are the same. A pair type counts as two elements here.
 * measure.elements and serialised positions count it as one leaf with the members .first and
 * .second: st_signature_element() (signatures.h) converts.
 *
 * - Names that the standard gives to one type are one element (MPI_LONG_LONG and
 *   MPI_LONG_LONG_INT, MPI_C_COMPLEX and MPI_C_FLOAT_COMPLEX; Open MPI's MPI_CXX_COMPLEX). Types
 *   that only have the same representation are different: MPI_INT does not match MPI_INTEGER, and
 *   MPI_BYTE matches only MPI_BYTE.
 * - A type from MPI_Type_create_f90_real, _complex or _integer matches one that was made with the
 *   same precision and range, and nothing else, not even the predefined type of that size
 *   (MPI-4.0, 19.1.9).
 * - MPI_LB and MPI_UB, and types of size 0, contribute nothing.
 * - An unknown type (OPAQUE, a freed one whose inside was not kept, a predefined type without a
 *   name, MPI_DATATYPE_NULL) is one opaque element, which matches only that very type (the same
 *   st_type).
 */
#ifndef ST_CORE_SIGNATURE_ELEMENT_H
#define ST_CORE_SIGNATURE_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/type.h"

struct st_basic_element {
    enum st_combiner kind;        /* NAMED, F90_*, OPAQUE */
    const char *name;             /* NAMED; for a synonym, the name that the recorder uses */
    int64_t precision, range;     /* F90_*; 0 if it has no such parameter */
    const struct st_type *opaque; /* OPAQUE */
};

/* Stores the elements of a type without parts (st_has_parts()). Returns how many, 0 to 2. The names
 * live as long as the type. */
int st_elements_of(const struct st_type *leaf, struct st_basic_element elements[2]);

bool st_element_same(const struct st_basic_element *a, const struct st_basic_element *b);

/* Returns a hash that is the same in every process, except for an opaque element. */
uint64_t st_element_hash(const struct st_basic_element *element);

/* "MPI_INT", "F90_REAL(15,307)", "OPAQUE"; longer names are cut. */
#define ST_ELEMENT_TEXT 128
void st_element_text(const struct st_basic_element *element, char text[ST_ELEMENT_TEXT]);

#endif
