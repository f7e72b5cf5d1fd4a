/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/model/basic.h"

#include <string.h>

static const struct {
    const char *name;
    enum st_class class_;
} names[] = {
    {"MPI_CHAR", ST_CLASS_CHAR},
    {"MPI_SIGNED_CHAR", ST_CLASS_CHAR},
    {"MPI_UNSIGNED_CHAR", ST_CLASS_CHAR},
    {"MPI_CHARACTER", ST_CLASS_CHAR},
    {"MPI_WCHAR", ST_CLASS_WCHAR},
    {"MPI_BYTE", ST_CLASS_BYTE},
    {"MPI_PACKED", ST_CLASS_PACKED},
    {"MPI_LB", ST_CLASS_MARKER},
    {"MPI_UB", ST_CLASS_MARKER},
    {"MPI_SHORT", ST_CLASS_SIGNED},
    {"MPI_INT", ST_CLASS_SIGNED},
    {"MPI_LONG", ST_CLASS_SIGNED},
    {"MPI_LONG_LONG", ST_CLASS_SIGNED},
    {"MPI_LONG_LONG_INT", ST_CLASS_SIGNED},
    {"MPI_INT8_T", ST_CLASS_SIGNED},
    {"MPI_INT16_T", ST_CLASS_SIGNED},
    {"MPI_INT32_T", ST_CLASS_SIGNED},
    {"MPI_INT64_T", ST_CLASS_SIGNED},
    {"MPI_AINT", ST_CLASS_SIGNED},
    {"MPI_OFFSET", ST_CLASS_SIGNED},
    {"MPI_COUNT", ST_CLASS_SIGNED},
    {"MPI_INTEGER", ST_CLASS_SIGNED},
    {"MPI_INTEGER1", ST_CLASS_SIGNED},
    {"MPI_INTEGER2", ST_CLASS_SIGNED},
    {"MPI_INTEGER4", ST_CLASS_SIGNED},
    {"MPI_INTEGER8", ST_CLASS_SIGNED},
    {"MPI_INTEGER16", ST_CLASS_SIGNED},
    {"MPI_UNSIGNED_SHORT", ST_CLASS_UNSIGNED},
    {"MPI_UNSIGNED", ST_CLASS_UNSIGNED},
    {"MPI_UNSIGNED_LONG", ST_CLASS_UNSIGNED},
    {"MPI_UNSIGNED_LONG_LONG", ST_CLASS_UNSIGNED},
    {"MPI_UINT8_T", ST_CLASS_UNSIGNED},
    {"MPI_UINT16_T", ST_CLASS_UNSIGNED},
    {"MPI_UINT32_T", ST_CLASS_UNSIGNED},
    {"MPI_UINT64_T", ST_CLASS_UNSIGNED},
    {"MPI_FLOAT", ST_CLASS_FLOAT},
    {"MPI_DOUBLE", ST_CLASS_FLOAT},
    {"MPI_LONG_DOUBLE", ST_CLASS_FLOAT},
    {"MPI_REAL", ST_CLASS_FLOAT},
    {"MPI_REAL2", ST_CLASS_FLOAT},
    {"MPI_REAL4", ST_CLASS_FLOAT},
    {"MPI_REAL8", ST_CLASS_FLOAT},
    {"MPI_REAL16", ST_CLASS_FLOAT},
    {"MPI_DOUBLE_PRECISION", ST_CLASS_FLOAT},
    {"MPIX_C_FLOAT16", ST_CLASS_FLOAT},
    {"MPI_C_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_C_FLOAT_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_C_DOUBLE_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_C_LONG_DOUBLE_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_CXX_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_CXX_FLOAT_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_CXX_DOUBLE_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_CXX_LONG_DOUBLE_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_COMPLEX4", ST_CLASS_COMPLEX},
    {"MPI_COMPLEX8", ST_CLASS_COMPLEX},
    {"MPI_COMPLEX16", ST_CLASS_COMPLEX},
    {"MPI_COMPLEX32", ST_CLASS_COMPLEX},
    {"MPI_DOUBLE_COMPLEX", ST_CLASS_COMPLEX},
    {"MPI_C_BOOL", ST_CLASS_BOOL},
    {"MPI_CXX_BOOL", ST_CLASS_BOOL},
    {"MPI_LOGICAL", ST_CLASS_LOGICAL},
    {"MPI_LOGICAL1", ST_CLASS_LOGICAL},
    {"MPI_LOGICAL2", ST_CLASS_LOGICAL},
    {"MPI_LOGICAL4", ST_CLASS_LOGICAL},
    {"MPI_LOGICAL8", ST_CLASS_LOGICAL},
    {"MPI_LOGICAL16", ST_CLASS_LOGICAL},
};

/* The pair types of MPI_MINLOC and MPI_MAXLOC. In C they are struct { value; int; } (MPI-4.0,
 * 6.9.4): the int begins at the next multiple of four. The Fortran ones, and MPI_2INT, have two
 * members of one type: `second` is 0, and each member has half of the size. */
static const struct {
    const char *name;
    enum st_class first;
    uint32_t first_size;
    bool alike;
} pairs[] = {
    {"MPI_FLOAT_INT", ST_CLASS_FLOAT, 4, false},
    {"MPI_DOUBLE_INT", ST_CLASS_FLOAT, 8, false},
    {"MPI_LONG_INT", ST_CLASS_SIGNED, sizeof(long), false},
    {"MPI_SHORT_INT", ST_CLASS_SIGNED, 2, false},
    {"MPI_LONG_DOUBLE_INT", ST_CLASS_FLOAT, sizeof(long double), false},
    {"MPI_2INT", ST_CLASS_SIGNED, 0, true},
    {"MPI_2INTEGER", ST_CLASS_SIGNED, 0, true},
    {"MPI_2REAL", ST_CLASS_FLOAT, 0, true},
    {"MPI_2DOUBLE_PRECISION", ST_CLASS_FLOAT, 0, true},
    {"MPI_2COMPLEX", ST_CLASS_COMPLEX, 0, true},
    {"MPI_2DOUBLE_COMPLEX", ST_CLASS_COMPLEX, 0, true},
};

static struct st_basic pair_of(size_t i, const char *name, int64_t size)
{
    struct st_basic basic = {.name = name, .class_ = ST_CLASS_PAIR, .size = size};
    uint32_t first = pairs[i].first_size;
    uint32_t second = (uint32_t)sizeof(int);
    uint32_t offset = first < second ? second : first;
    if (pairs[i].alike) {
        first = second = offset = (uint32_t)(size / 2);
    }
    basic.members[0] = (struct st_pair_member){pairs[i].first, first, 0};
    basic.members[1] =
        (struct st_pair_member){pairs[i].alike ? pairs[i].first : ST_CLASS_SIGNED, second, offset};
    if (offset + second > (uint64_t)size) {
        basic.class_ = ST_CLASS_RAW;
    }
    return basic;
}

static bool plausible(enum st_class class_, int64_t size)
{
    bool power = size > 0 && (size & (size - 1)) == 0;
    switch (class_) {
    case ST_CLASS_MARKER:
        return true;
    case ST_CLASS_SIGNED:
    case ST_CLASS_UNSIGNED:
    case ST_CLASS_LOGICAL:
        return power && size <= 16;
    case ST_CLASS_FLOAT:
        return power && size >= 2 && size <= 16;
    case ST_CLASS_COMPLEX:
        return power && size >= 4 && size <= 32;
    case ST_CLASS_WCHAR:
        return size == 2 || size == 4;
    default:
        return size == 1;
    }
}

const char *st_basic_name(size_t index)
{
    return index < sizeof names / sizeof *names ? names[index].name : NULL;
}

struct st_basic st_basic_of(const char *name, int64_t size)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(pairs[i].name, name) == 0 && size > 0 && size <= 64) {
            return pair_of(i, name, size);
        }
    }
    struct st_basic basic = {.name = name, .class_ = ST_CLASS_RAW, .size = size};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, name) == 0 && plausible(names[i].class_, size)) {
            basic.class_ = names[i].class_;
        }
    }
    return basic;
}

const char *st_class_name(enum st_class class_)
{
    static const char *const texts[] = {
        [ST_CLASS_RAW] = "raw",           [ST_CLASS_MARKER] = "marker",
        [ST_CLASS_CHAR] = "char",         [ST_CLASS_SIGNED] = "signed",
        [ST_CLASS_UNSIGNED] = "unsigned", [ST_CLASS_FLOAT] = "float",
        [ST_CLASS_COMPLEX] = "complex",   [ST_CLASS_BOOL] = "bool",
        [ST_CLASS_LOGICAL] = "logical",   [ST_CLASS_WCHAR] = "wchar",
        [ST_CLASS_BYTE] = "byte",         [ST_CLASS_PACKED] = "packed",
        [ST_CLASS_PAIR] = "pair",
    };
    return texts[class_];
}
