/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a basic type of MPI describes a type of the program: the first rule of type matching
 * (MPI-4.0, 3.3.1: the type of the variable and the datatype of the call), for one element.
 *
 * Integers agree by size and sign, floating-point numbers by size and format: MPI_INT64_T and
 * MPI_LONG both describe a long of 8 bytes. The characters are distinguished as in the standard
 * (3.2.2): MPI_CHAR describes char, MPI_SIGNED_CHAR signed char, MPI_BYTE anything.
 */
#ifndef ST_CORE_COMPARE_AGREE_H
#define ST_CORE_COMPARE_AGREE_H

#include "core/model/basic.h"
#include "core/compare/fields.h"

enum st_agree {
    ST_AGREES,
    ST_OTHER_CLASS,  /* for example an integer for a floating-point number */
    ST_OTHER_SIZE,   /* the class agrees, the size does not */
    ST_OTHER_SIGN,   /* class and size agree, the sign does not */
    ST_OTHER_FORMAT, /* 16 bytes of long double do not have IEEE's format */
    ST_NO_BASIC_TYPE /* MPI has no basic type for this kind of field */
};

/* A basic type that is sent: all of it, a member of a pair, or half of a complex number. */
struct st_sent {
    const struct st_basic *basic;
    enum st_class class_;
    int64_t size;  /* bytes in memory */
    int8_t member; /* 0, 1: a member of a pair; -1: all of it */
    bool half;     /* one of the two real numbers of a complex one */
};

/* MPI_BYTE, MPI_PACKED and unknown types: bytes without a type. */
static inline bool st_bytes(const struct st_sent *sent)
{
    return sent->class_ == ST_CLASS_BYTE || sent->class_ == ST_CLASS_PACKED ||
           sent->class_ == ST_CLASS_RAW;
}

/* Compares with one element of `size` bytes of this kind. Not for bytes (st_bytes()). */
enum st_agree st_agree(const struct st_sent *sent, enum st_field_kind kind, int64_t size);

#endif
