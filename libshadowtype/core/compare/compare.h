/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares an MPI datatype with a type of the program, field by field.
 *
 *     struct st_comparison *found;
 *     if (!(error = st_compare(&found, type, 1, fields, count, at, ST_COMPARE_WORK,
 *                             &fault))) {
 *         for (size_t i = 0; i < found->count; i++) {
 *             ... found->rows[i]: which field, which elements of it, and what is sent there ...
 *         }
 *         st_comparison_free(found);
 *     }
 *
 * Nothing is unrolled. The type map is read as combs (comb.h). Each comb is split where it crosses
 * from one field into another (match.c). The elements of one field are added up as boxes of its
 * array's indices (cover.h). The work of splitting is limited: beyond the limit the rest of the
 * type map is left out, and the comparison says so.
 */
#ifndef ST_CORE_COMPARE_COMPARE_H
#define ST_CORE_COMPARE_COMPARE_H

#include "core/compare/agree.h"
#include "core/compare/cover.h"

/* X(name, text) */
#define ST_FIELD_VERDICTS(X)                                                                       \
    X(ST_FOUND_MATCH, "match")                                                                     \
    X(ST_FOUND_BYTES, "bytes")     /* sent as MPI_BYTE, MPI_PACKED: allowed for every field */     \
    X(ST_FOUND_UNKNOWN, "unknown") /* a basic type that this version does not know */              \
    X(ST_FOUND_NOT_SENT, "not sent")                                                               \
    X(ST_FOUND_ELSEWHERE, "elsewhere") /* an absolute address outside of the object */             \
    /* from here on: mismatches */                                                                 \
    X(ST_FOUND_WRONG_TYPE, "wrong type")                                                           \
    X(ST_FOUND_WRONG_OFFSET, "wrong offset") /* the right type at the wrong offset */              \
    X(ST_FOUND_INSIDE, "inside")             /* the rest of an element that begins earlier */      \
    X(ST_FOUND_PIECE, "piece")               /* some bytes of the field, as bytes */               \
    X(ST_FOUND_NO_TYPE, "no type") /* MPI has no type for it: a pointer, a bit-field, ... */       \
    X(ST_FOUND_PADDING, "padding")                                                                 \
    X(ST_FOUND_BEFORE, "before")                                                                   \
    X(ST_FOUND_BEYOND, "beyond")

enum st_field_verdict {
#define X(name, text) name,
    ST_FIELD_VERDICTS(X)
#undef X
        ST_FIELD_VERDICT_END
};

const char *st_field_verdict_name(unsigned finding);

static inline bool st_is_fault(enum st_field_verdict finding)
{
    return finding >= ST_FOUND_WRONG_TYPE;
}

enum st_complex_part { ST_WHOLE, ST_REAL_PART, ST_IMAGINARY_PART };

/* The result for some elements of a field, or for some bytes that belong to no field. All numbers
 * are bytes, except counts of elements. */
struct st_compare_row {
    enum st_field_verdict finding;
    enum st_agree why;       /* for WRONG_TYPE, NO_TYPE */
    enum st_field_kind kind; /* PADDING: `field` is the one that contains it */
    uint32_t field;          /* index in the input; ST_NO_FIELD: outside of the object */
    int64_t offset;          /* of the row's first element */
    int64_t size;            /* of one element; BEFORE, BEYOND: from the first byte to the last */
    bool sent;               /* if false, the following members about MPI are not valid */
    struct st_sent mpi;
    enum st_complex_part part; /* MATCH: a real number is sent for this part of a complex field */
    int64_t displacement; /* of the MPI element that is over the row's first element; add origin */
    int64_t last;         /* the same for the last element, if the row is one box; else equal to the
                     first */
    int64_t from, to;     /* bytes of the field's first element that the MPI element is over */
    bool again;           /* some elements are sent more than once */
    int64_t all;          /* number of elements of the field */
    uint32_t dims;
    int64_t elements; /* number of elements: of the field; outside: of the type map */
    bool located;     /* the elements are known and in `where`; else only their maximal number is */
    struct st_cover_part where;
};

struct st_comparison {
    struct st_compare_row *rows; /* grouped by field, in order of offsets */
    size_t count, capacity;
    /* Numbers of fields. A field is a leaf of the program's type; an array or a union counts as
     * one. */
    int64_t fields;
    int64_t different; /* not sent as declared; disjoint from not_sent */
    int64_t not_sent;  /* no byte of it is sent */
    int64_t in_part;   /* arrays of which some elements are not sent */
    int64_t as_bytes;
    int64_t unknown;       /* fields and parts of the type map that cannot be compared */
    bool padding, outside; /* there is a mismatch in padding; outside of the object */
    bool complete;         /* if false, only this many elements of the type map were compared */
    int64_t compared;
    bool absolute;   /* the type map has absolute addresses: it was compared from MPI_BOTTOM */
    int64_t origin;  /* the displacement of the object's first byte */
    int64_t size;    /* of the object */
    int64_t element; /* of one element of the object */
    struct st_fields *tree;
};

/* What a person will wait for: some seconds at most. */
#define ST_COMPARE_WORK (UINT64_C(1) << 23)

/* The addresses of the object and the buffer. */
struct st_compare_at {
    uint64_t address; /* of the object, for types made of absolute addresses; 0: not known */
    int64_t start;    /* of the buffer, counted from the object's first byte */
};

/* Compares `count` of `type` with an object that `fields` describe (fields.h). `work` is the work
 * limit (work.h). The caller must free *found, which refers to the type. Returns ST_OVERFLOW,
 * ST_NO_MEMORY; ST_OUT_OF_RANGE: see st_fields_build(). */
enum st_error st_compare(struct st_comparison **found, const struct st_type *type, int64_t count,
                         const struct st_field *fields, uint32_t field_count,
                         struct st_compare_at at, uint64_t work, struct st_fault *fault);
void st_comparison_free(struct st_comparison *found);

#endif
