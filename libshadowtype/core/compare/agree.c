/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/compare/agree.h"

#include <float.h>
#include <string.h>

/* Returns true if it is IEEE's 16-byte format, as MPI_REAL16 and MPI_COMPLEX32 are whatever long
 * double is. */
static bool is_quad(const struct st_sent *sent)
{
    return LDBL_MANT_DIG != 113 && (strcmp(sent->basic->name, "MPI_REAL16") == 0 ||
                                    strcmp(sent->basic->name, "MPI_COMPLEX32") == 0);
}

/* Returns the kind of field that a basic type describes; PADDING if there is none. */
static enum st_field_kind kind_of(const struct st_sent *sent)
{
    switch (sent->class_) {
    case ST_CLASS_CHAR:
        if (strcmp(sent->basic->name, "MPI_SIGNED_CHAR") == 0) {
            return ST_FIELD_SIGNED;
        }
        return strcmp(sent->basic->name, "MPI_UNSIGNED_CHAR") == 0 ? ST_FIELD_UNSIGNED
                                                                   : ST_FIELD_CHAR;
    case ST_CLASS_SIGNED:
        return ST_FIELD_SIGNED;
    case ST_CLASS_UNSIGNED:
        return ST_FIELD_UNSIGNED;
    case ST_CLASS_FLOAT:
        return is_quad(sent) ? ST_FIELD_QUAD : ST_FIELD_FLOAT;
    case ST_CLASS_COMPLEX:
        return is_quad(sent) ? ST_FIELD_QUAD_COMPLEX : ST_FIELD_COMPLEX;
    case ST_CLASS_BOOL:
        return ST_FIELD_BOOL;
    case ST_CLASS_LOGICAL:
        return ST_FIELD_LOGICAL;
    case ST_CLASS_WCHAR:
        return ST_FIELD_WCHAR;
    default:
        return ST_FIELD_PADDING;
    }
}

static bool is_integer(enum st_field_kind kind)
{
    return kind == ST_FIELD_SIGNED || kind == ST_FIELD_UNSIGNED;
}

/* Returns the kind with the same format on this machine, if there is one. */
static enum st_field_kind machine_kind(enum st_field_kind kind)
{
    if (LDBL_MANT_DIG == 113 && kind == ST_FIELD_QUAD) {
        return ST_FIELD_FLOAT;
    }
    return LDBL_MANT_DIG == 113 && kind == ST_FIELD_QUAD_COMPLEX ? ST_FIELD_COMPLEX : kind;
}

enum st_agree st_agree(const struct st_sent *sent, enum st_field_kind kind, int64_t size)
{
    enum st_field_kind mine = kind_of(sent);
    bool same = sent->size == size;
    kind = machine_kind(kind);
    if (kind < ST_FIELD_SIGNED || kind > ST_FIELD_LOGICAL) {
        return ST_NO_BASIC_TYPE;
    }
    if (mine == kind) {
        return same ? ST_AGREES : ST_OTHER_SIZE;
    }
    /* The compiler chooses the integer type of an enum, the C library that of wchar_t. */
    if (is_integer(mine) && (kind == ST_FIELD_ENUM || kind == ST_FIELD_WCHAR)) {
        return same ? ST_AGREES : ST_OTHER_SIZE;
    }
    if (is_integer(mine) && is_integer(kind)) {
        return same ? ST_OTHER_SIGN : ST_OTHER_SIZE;
    }
    if (mine == ST_FIELD_BOOL && kind == ST_FIELD_LOGICAL && same) {
        return ST_AGREES; /* for example logical(c_bool) */
    }
    bool real = (mine == ST_FIELD_FLOAT || mine == ST_FIELD_QUAD) &&
                (kind == ST_FIELD_FLOAT || kind == ST_FIELD_QUAD);
    bool complex = (mine == ST_FIELD_COMPLEX || mine == ST_FIELD_QUAD_COMPLEX) &&
                   (kind == ST_FIELD_COMPLEX || kind == ST_FIELD_QUAD_COMPLEX);
    if (real || complex) {
        return same ? ST_OTHER_FORMAT : ST_OTHER_SIZE;
    }
    return ST_OTHER_CLASS;
}
