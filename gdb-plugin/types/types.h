/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types of the values that the plugin creates: debug information and nothing else.
 *
 * gdb 13 cannot build a struct type in Python, and a frontend can only unfold a child that is a
 * gdb.Value of a real type. So this file is compiled (-x c -g -fno-eliminate-unused-debug-types)
 * and loaded by `add-symbol-file`; mpipp/synth.py packs the bytes. This works for a live process, a
 * core file and a program without debug information.
 *
 * Rules:
 *   - The name of this file ends in ".h": for any other name, gdb's `list` and `break LINE` may
 *     take it for
 *     the main file of the program (in Fortran).
 *   - There is no variable and no function: `print (char *)0` would show the name of an object at
 *     0.
 *   - All members have the same width on every ABI (long long, not long).
 */
#ifndef MPIPP_TYPES_H
#define MPIPP_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "core/model/combiners.h"

/* Kinds as `print` shows them: MPI_COMBINER_ without the prefix, and two that MPI does not have. */
enum mpipp_kind {
#define MPIPP_KIND(number, name, ...) name,
    ST_COMBINERS(MPIPP_KIND)
#undef MPIPP_KIND
        FREED,
    UNKNOWN
};

enum mpipp_order { C, FORTRAN };

enum mpipp_distribution { NONE, BLOCK, CYCLIC };

/* A distribution argument is a number, or the default; gdb prints an enum value without a name as a
 * number. */
enum mpipp_darg { DEFAULT = INT64_MIN };

/* A number that is shown in hexadecimal. */
typedef unsigned long long mpipp_hex;

/* The type of $mpi_type() and $MPI_INT: MPICH's handle is an int, Open MPI's a pointer. */
typedef int mpipp_int_handle;
typedef void *mpipp_handle;

/* A number that a program may leave open: INT64_MIN is shown as MPI_UNDEFINED. */
typedef long long mpipp_open;

/* A text that is an argument of a call, by its number (frame_texts.py). This is a number because
 * gdb leaves a struct out of the "simple values" of GDB/MI. */
typedef unsigned long long mpipp_argument;

/* A text, shown in quotes (a name), or without (a remark). */
struct mpipp_text {
    char text[160];
};
struct mpipp_word {
    char text[160];
};

/* An object that the plugin keeps, by its number (names.py): a recorded type, a list of its entries
 * or numbers, a place in a buffer with a list of children or the members of a struct, the blocks of
 * a call's buffer. (These are structs, because gdb does not call a printer for a number with a
 * format letter.) */
struct mpipp_type {
    unsigned long long number;
};
struct mpipp_entries {
    unsigned long long number;
};
struct mpipp_numbers {
    unsigned long long number;
};
struct mpipp_buffer {
    unsigned long long number;
};
struct mpipp_members {
    unsigned long long number;
};
struct mpipp_blocks {
    unsigned long long number;
};

/*
 * From here on, a struct with a typedef of the same name is what gdb itself writes, and the typedef
 * has a printer. The reason: when gdb 13 has unfolded a value itself, it takes the fields of that
 * value for those of every later value in its place, and ends if there are fewer. So a frontend may
 * only reach the typedef.
 */

/* One entry of an (h)indexed type or a struct. */
typedef struct mpipp_indexed_entry {
    long long blocklength;
    long long offset;
} mpipp_indexed_entry;
typedef struct mpipp_hindexed_entry {
    long long blocklength;
    long long offset_bytes;
} mpipp_hindexed_entry;
typedef struct mpipp_struct_entry {
    long long blocklength;
    long long offset;
    struct mpipp_type type;
} mpipp_struct_entry;

/*
 * A type as the constructor that built it: one struct per kind, so that gdb, too, knows its
 * members: $mpi_type(T).count. They have the names and the order in which they are shown; record.py
 * fills them in by name.
 *
 * A struct mpipp_type before the members identifies the type. Debug information does not describe
 * it: gdb keeps its bytes and shows nothing. (An unnamed bit-field is no member.)
 */
#define MPIPP_IDENTITY long long : 64

#define MPIPP_RECORD(tag, members)                                                                 \
    typedef struct mpipp_##tag {                                                                   \
        MPIPP_IDENTITY;                                                                            \
        enum mpipp_kind kind;                                                                      \
        members                                                                                    \
    } mpipp_##tag;                                                                                 \
    typedef struct mpipp_named_##tag {                                                             \
        MPIPP_IDENTITY;                                                                            \
        enum mpipp_kind kind;                                                                      \
        struct mpipp_text name;                                                                    \
        members                                                                                    \
    } mpipp_named_##tag;

#define MPIPP_NUMBER(name) long long name;
#define MPIPP_TYPE struct mpipp_type type;
#define MPIPP_ORDER enum mpipp_order order;

MPIPP_RECORD(contiguous, MPIPP_NUMBER(count) MPIPP_TYPE)
MPIPP_RECORD(vector, MPIPP_NUMBER(count) MPIPP_NUMBER(blocklength) MPIPP_NUMBER(stride) MPIPP_TYPE)
MPIPP_RECORD(hvector,
             MPIPP_NUMBER(count) MPIPP_NUMBER(blocklength) MPIPP_NUMBER(stride_bytes) MPIPP_TYPE)
MPIPP_RECORD(resized, MPIPP_NUMBER(lb) MPIPP_NUMBER(extent) MPIPP_TYPE)
MPIPP_RECORD(dup, MPIPP_TYPE)
MPIPP_RECORD(f90_real, mpipp_open precision; mpipp_open range;)
MPIPP_RECORD(f90_complex, mpipp_open precision; mpipp_open range;)
MPIPP_RECORD(f90_integer, mpipp_open range;)
MPIPP_RECORD(opaque, mpipp_hex handle; mpipp_open size; mpipp_open lb; mpipp_open extent;)

typedef struct mpipp_predefined {
    MPIPP_IDENTITY;
    enum mpipp_kind kind;
    struct mpipp_text name;
} mpipp_predefined;

/* Not a type: a freed handle, an unknown one, or a type that cannot be read. */
typedef struct mpipp_freed {
    MPIPP_IDENTITY;
    enum mpipp_kind kind;
    struct mpipp_text freed_at;
    struct mpipp_type was;
} mpipp_freed;
typedef struct mpipp_unknown {
    MPIPP_IDENTITY;
    enum mpipp_kind kind;
    mpipp_hex handle;
} mpipp_unknown;
typedef struct mpipp_gone {
    MPIPP_IDENTITY;
    enum mpipp_kind kind;
    struct mpipp_word error;
} mpipp_gone;

/* Kinds with lists of any length. Short lists are arrays ("indexed_5"): C has a type for each
 * length. A printer unfolds the longer ones. */
#define MPIPP_INDEXED(tag, entries) MPIPP_RECORD(tag, MPIPP_NUMBER(count) entries MPIPP_TYPE)
#define MPIPP_BLOCKS(tag, offsets)                                                                 \
    MPIPP_RECORD(tag, MPIPP_NUMBER(count) MPIPP_NUMBER(blocklength) offsets MPIPP_TYPE)

MPIPP_INDEXED(indexed, struct mpipp_entries entries;)
MPIPP_INDEXED(hindexed, struct mpipp_entries entries;)
MPIPP_BLOCKS(indexed_block, struct mpipp_numbers offsets;)
MPIPP_BLOCKS(hindexed_block, struct mpipp_numbers offsets_bytes;)
MPIPP_RECORD(struct, MPIPP_NUMBER(count) struct mpipp_entries entries;)
MPIPP_RECORD(subarray, MPIPP_NUMBER(ndims) struct mpipp_numbers sizes;
             struct mpipp_numbers subsizes; struct mpipp_numbers starts; MPIPP_ORDER MPIPP_TYPE)
MPIPP_RECORD(darray,
             MPIPP_NUMBER(size) MPIPP_NUMBER(rank) MPIPP_NUMBER(ndims) struct mpipp_numbers gsizes;
             struct mpipp_numbers distribs; struct mpipp_numbers dargs; struct mpipp_numbers psizes;
             MPIPP_ORDER MPIPP_TYPE)

#define MPIPP_SHORT(n)                                                                             \
    MPIPP_INDEXED(indexed_##n, mpipp_indexed_entry entries[n];)                                    \
    MPIPP_INDEXED(hindexed_##n, mpipp_hindexed_entry entries[n];)                                  \
    MPIPP_BLOCKS(indexed_block_##n, long long offsets[n];)                                         \
    MPIPP_BLOCKS(hindexed_block_##n, long long offsets_bytes[n];)                                  \
    MPIPP_RECORD(struct_##n, MPIPP_NUMBER(count) mpipp_struct_entry entries[n];)

#define MPIPP_GRID(n)                                                                              \
    MPIPP_RECORD(subarray_##n, MPIPP_NUMBER(ndims) long long sizes[n]; long long subsizes[n];      \
                 long long starts[n]; MPIPP_ORDER MPIPP_TYPE)                                      \
    MPIPP_RECORD(darray_##n,                                                                       \
                 MPIPP_NUMBER(size) MPIPP_NUMBER(rank) MPIPP_NUMBER(ndims) long long gsizes[n];    \
                 enum mpipp_distribution distribs[n]; enum mpipp_darg dargs[n];                    \
                 long long psizes[n]; MPIPP_ORDER MPIPP_TYPE)

#define MPIPP_EIGHT(M, a, b, c, d, e, f, g, h) M(a) M(b) M(c) M(d) M(e) M(f) M(g) M(h)

MPIPP_EIGHT(MPIPP_GRID, 1, 2, 3, 4, 5, 6, 7, 8)

MPIPP_EIGHT(MPIPP_SHORT, 1, 2, 3, 4, 5, 6, 7, 8)
MPIPP_EIGHT(MPIPP_SHORT, 9, 10, 11, 12, 13, 14, 15, 16)
MPIPP_EIGHT(MPIPP_SHORT, 17, 18, 19, 20, 21, 22, 23, 24)
MPIPP_EIGHT(MPIPP_SHORT, 25, 26, 27, 28, 29, 30, 31, 32)
MPIPP_EIGHT(MPIPP_SHORT, 33, 34, 35, 36, 37, 38, 39, 40)
MPIPP_EIGHT(MPIPP_SHORT, 41, 42, 43, 44, 45, 46, 47, 48)
MPIPP_EIGHT(MPIPP_SHORT, 49, 50, 51, 52, 53, 54, 55, 56)
MPIPP_EIGHT(MPIPP_SHORT, 57, 58, 59, 60, 61, 62, 63, 64)

#if defined(__SIZEOF_FLOAT128__) && !defined(__clang__)
/* _Complex __float128. clang (14) describes it as a pair of long doubles; then it is not defined,
 * and the elements are shown as bytes. */
#define MPIPP_COMPLEX_QUAD 1
typedef _Complex float mpipp_complex_quad __attribute__((mode(TC)));
#endif

/* Basic types that are not among an architecture's own integers, by the names that native.py uses. */
struct mpipp_scalars {
    long long number;
    char char1;
    wchar_t wchar4;
    _Bool bool1;
    float float4;
    double float8;
    long double float16;
    float _Complex complex8;
    double _Complex complex16;
    long double _Complex complex32;
#ifdef __SIZEOF_FLOAT128__
    __float128 quad16;
#endif
#ifdef MPIPP_COMPLEX_QUAD
    mpipp_complex_quad quad32;
#endif
#ifdef __FLT16_MANT_DIG__
    _Float16 float2;
#endif
};

/* MPI_BYTE, MPI_PACKED and types without a C type: shown as 0x1f. */
struct mpipp_byte {
    unsigned char value;
};

/* Fortran's LOGICAL, by its size. */
struct mpipp_logical1 {
    int8_t value;
};
struct mpipp_logical2 {
    int16_t value;
};
struct mpipp_logical4 {
    int32_t value;
};
struct mpipp_logical8 {
    int64_t value;
};

/* The pair types of MPI_MINLOC and MPI_MAXLOC (MPI-4.0, 6.9.4). */
struct mpipp_float_int {
    float first;
    int second;
};
struct mpipp_double_int {
    double first;
    int second;
};
struct mpipp_long_double_int {
    long double first;
    int second;
};
struct mpipp_short_int {
    short first;
    int second;
};
struct mpipp_int_int {
    int first;
    int second;
};
struct mpipp_long_int {
    long first;
    int second;
};
struct mpipp_long_long {
    long first;
    long second;
};
struct mpipp_float_float {
    float first;
    float second;
};
struct mpipp_double_double {
    double first;
    double second;
};
struct mpipp_complex_complex {
    float _Complex first;
    float _Complex second;
};
struct mpipp_double_complex_double_complex {
    double _Complex first;
    double _Complex second;
};

#endif
