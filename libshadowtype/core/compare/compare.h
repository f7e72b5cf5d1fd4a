/*
 * An MPI datatype against a type of the program, field by field.
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
 * Nothing is unrolled: the type map is taken as combs (comb.h), each is split where it crosses from
 * one field into another (match.c), and what falls on one field is added up as boxes of its array's
 * indices (cover.h). What the split costs is bounded: past that the rest of the type map is left
 * out, and the comparison says so.
 */
#ifndef ST_CORE_COMPARE_COMPARE_H
#define ST_CORE_COMPARE_COMPARE_H

#include "core/compare/agree.h"
#include "core/compare/cover.h"

/* X(name, text) */
#define ST_FIELD_VERDICTS(X)                                                                       \
    X(ST_FOUND_MATCH, "match")                                                                     \
    X(ST_FOUND_BYTES, "bytes")     /* sent as MPI_BYTE, MPI_PACKED: allowed for everything */      \
    X(ST_FOUND_UNKNOWN, "unknown") /* a basic type that this version does not know */              \
    X(ST_FOUND_NOT_SENT, "not sent")                                                               \
    X(ST_FOUND_ELSEWHERE, "elsewhere") /* an absolute address outside the object */                \
    /* from here on: what does not match */                                                        \
    X(ST_FOUND_WRONG_TYPE, "wrong type")                                                           \
    X(ST_FOUND_WRONG_OFFSET, "wrong offset") /* the right type, but it begins elsewhere */         \
    X(ST_FOUND_INSIDE, "inside")             /* the rest of an element that begins before it */    \
    X(ST_FOUND_PIECE, "piece")               /* some of its bytes, as bytes */                     \
    X(ST_FOUND_NO_TYPE, "no type") /* a pointer, a bit-field, ...: MPI has no type for it */       \
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

/* What was found for some elements of a field, or for some bytes that are no field. All numbers
 * are bytes but for counts of elements. */
struct st_compare_row {
    enum st_field_verdict finding;
    enum st_agree why;       /* WRONG_TYPE, NO_TYPE */
    enum st_field_kind kind; /* PADDING: `field` is what it is in */
    uint32_t field;          /* index in the input; ST_NO_FIELD: outside of the object */
    int64_t offset;          /* of the row's first element */
    int64_t size;            /* of one element; BEFORE, BEYOND: from the first byte to the last */
    bool sent;               /* else what follows about MPI means nothing */
    struct st_sent mpi;
    enum st_complex_part part; /* MATCH: of a complex field, a real number is sent */
    int64_t
        displacement; /* of the MPI element over the row's first element; origin is to be added */
    int64_t last; /* of the one over its last, if the row is one box; else the same as the first */
    int64_t from, to; /* which bytes of the field's first element it is over */
    bool again;       /* some elements are sent more than once */
    int64_t all;      /* how many elements the field has */
    uint32_t dims;
    int64_t elements; /* of the field; outside: of the type map */
    bool located;     /* which elements is known, in `where`; else only how many at most */
    struct st_cover_part where;
};

struct st_comparison {
    struct st_compare_row *rows; /* by field, in order of offsets */
    size_t count, capacity;
    /* A field is a leaf of the program's type, arrays and unions counting as one. */
    int64_t fields;
    int64_t different; /* not sent as declared; these and not_sent are disjoint */
    int64_t not_sent;  /* not a byte of it */
    int64_t in_part;   /* of an array, not all elements */
    int64_t as_bytes;
    int64_t unknown;       /* fields and parts of the type map of which nothing can be said */
    bool padding, outside; /* is there a faulty row of this sort */
    bool complete;         /* else only so many elements of the type map have been compared */
    int64_t compared;
    bool absolute;   /* the type map holds absolute addresses: it was compared from MPI_BOTTOM */
    int64_t origin;  /* the displacement that lies on the object's first byte */
    int64_t size;    /* of the object */
    int64_t element; /* of one element of it */
    struct st_fields *tree;
};

/* What a person will wait for: some seconds at most. */
#define ST_COMPARE_WORK (UINT64_C(1) << 23)

/* Where the object and the buffer are. */
struct st_compare_at {
    uint64_t address; /* of the object, for types made of absolute addresses; 0: not known */
    int64_t start;    /* of the buffer, from the object's first byte */
};

/* `count` of `type` in an object that `fields` describe (fields.h). work: what it may cost
 * (work.h). *found is the caller's; it refers to the type. ST_OVERFLOW, ST_NO_MEMORY;
 * ST_OUT_OF_RANGE: as st_fields_build(). */
enum st_error st_compare(struct st_comparison **found, const struct st_type *type, int64_t count,
                         const struct st_field *fields, uint32_t field_count,
                         struct st_compare_at at, uint64_t work, struct st_fault *fault);
void st_comparison_free(struct st_comparison *found);

#endif
