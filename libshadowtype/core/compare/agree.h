/*
 * Whether a basic type of MPI is for a type of the program: the first rule of type matching
 * (MPI-4.0, 3.3.1: the type of the variable and the datatype of the call), for one element.
 *
 * Integers agree by size and sign, floating-point numbers by size and format, so that MPI_INT64_T
 * and MPI_LONG are both for a long of 8 bytes. The characters are kept apart as the standard does
 * (3.2.2): MPI_CHAR is for char, MPI_SIGNED_CHAR for signed char, MPI_BYTE for anything.
 */
#ifndef ST_CORE_COMPARE_AGREE_H
#define ST_CORE_COMPARE_AGREE_H

#include "core/model/basic.h"
#include "core/compare/fields.h"

enum st_agree {
    ST_AGREES,
    ST_OTHER_CLASS,  /* an integer for a floating-point number, ... */
    ST_OTHER_SIZE,   /* the class is right */
    ST_OTHER_SIGN,   /* the size, too */
    ST_OTHER_FORMAT, /* 16 bytes of long double are not IEEE's 16 bytes */
    ST_NO_BASIC_TYPE /* MPI has no basic type for this kind of field */
};

/* A basic type as it is sent: whole, a member of a pair, or half of a complex number. */
struct st_sent {
    const struct st_basic *basic;
    enum st_class class_;
    int64_t size;  /* bytes in memory */
    int8_t member; /* 0, 1: of a pair; -1: the whole */
    bool half;     /* a complex number taken for two of its parts */
};

/* MPI_BYTE, MPI_PACKED, and what is unknown: bytes without a type. */
static inline bool st_bytes(const struct st_sent *sent)
{
    return sent->class_ == ST_CLASS_BYTE || sent->class_ == ST_CLASS_PACKED ||
           sent->class_ == ST_CLASS_RAW;
}

/* Of one element of `size` bytes of this kind; not for bytes. */
enum st_agree st_agree(const struct st_sent *sent, enum st_field_kind kind, int64_t size);

#endif
