/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Basic types: the leaves of every type map. The MPI name says how to read the bytes (MPI-4.0,
 * 3.2.2, tables 3.1 to 3.3; pair types 6.9.4). The size is the MPI library's answer, recorded in
 * the rank.
 */
#ifndef ST_CORE_MODEL_BASIC_H
#define ST_CORE_MODEL_BASIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum st_class {
    ST_CLASS_RAW,    /* a type this version does not know: bytes */
    ST_CLASS_MARKER, /* MPI_LB, MPI_UB: a bound, no data */
    ST_CLASS_CHAR,   /* text */
    ST_CLASS_SIGNED,
    ST_CLASS_UNSIGNED,
    ST_CLASS_FLOAT,
    ST_CLASS_COMPLEX,
    ST_CLASS_BOOL,
    ST_CLASS_LOGICAL, /* Fortran */
    ST_CLASS_WCHAR,
    ST_CLASS_BYTE, /* MPI_BYTE: uninterpreted */
    ST_CLASS_PACKED,
    ST_CLASS_PAIR /* two members: MPI_DOUBLE_INT, MPI_2REAL, ... */
};

/* A member of a pair type, in bytes. */
struct st_pair_member {
    enum st_class class_;
    uint32_t size;
    uint32_t offset;
};

struct st_basic {
    const char *name; /* "MPI_INT"; valid as long as its type */
    enum st_class class_;
    int64_t size; /* bytes of one element in memory: the true extent, with the gap of a pair */
    struct st_pair_member members[2]; /* pair types */
};

/* Returns how to read an element of the predefined type `name`, which takes `size` bytes in memory.
 * The class is ST_CLASS_RAW if the name is unknown, or if the size is impossible for it. */
struct st_basic st_basic_of(const char *name, int64_t size);

/* The names of all basic types that are known, by index from 0 on; NULL after the last. */
const char *st_basic_name(size_t index);

/* "signed", "pair", ... */
const char *st_class_name(enum st_class class_);

#endif
