/* Comparisons (compare.h) of datatypes and types of a program, written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/compare/compare.h"
#include "fixture.h"

#define SCALAR(kind_, offset_, size_) {.kind = kind_, .offset = offset_, .size = size_}
#define HOLDS(kind_, offset_, size_, below_)                                                       \
    {.kind = kind_, .offset = offset_, .size = size_, .below = below_}
#define ARRAY(kind_, offset_, size_, below_, level)                                                \
    {.kind = kind_, .offset = offset_, .size = size_, .below = below_, .dims = 1, .dim = level}
#define COUNT(fields) ((uint32_t)(sizeof(fields) / sizeof *(fields)))

/* The basic types of the tests below, and structs made of them. */
struct kit {
    struct fixture f;
    uint32_t top;
    struct st_comparison *found;
};

static uint32_t named(struct kit *kit, const char *name, int64_t size)
{
    return image_named(&kit->f.image, name, size);
}

static void compare(struct kit *kit, const struct st_field *fields, uint32_t count,
                    uint64_t address)
{
    struct st_fault fault = {0};
    fixture_open(&kit->f);
    assert_int_equal(st_compare(&kit->found, fixture_type(&kit->f, kit->top), 1, fields, count,
                                (struct st_compare_at){address, 0}, ST_COMPARE_WORK, &fault),
                     ST_OK);
}

static void done(struct kit *kit)
{
    st_comparison_free(kit->found);
    fixture_deinit(&kit->f);
}

static const struct st_compare_row *row_at(const struct kit *kit, size_t i,
                                           enum st_field_verdict finding, uint32_t field,
                                           int64_t offset)
{
    assert_true(i < kit->found->count);
    const struct st_compare_row *row = &kit->found->rows[i];
    assert_string_equal(st_field_verdict_name(row->finding), st_field_verdict_name(finding));
    assert_int_equal(row->field, field);
    assert_int_equal(row->offset, offset);
    return row;
}

static void structs_are_told_field_by_field(void **state)
{
    (void)state;
    /* struct cell { double x; int id; struct cell *next; char tag; } */
    const struct st_field cell[] = {
        HOLDS(ST_FIELD_GROUP, 0, 32, 4),  SCALAR(ST_FIELD_FLOAT, 0, 8),
        SCALAR(ST_FIELD_SIGNED, 8, 4),    SCALAR(ST_FIELD_POINTER, 16, 8),
        SCALAR(ST_FIELD_UNSIGNED, 24, 1),
    };
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t types[] = {named(&kit, "MPI_DOUBLE", 8), named(&kit, "MPI_LONG", 8),
                        named(&kit, "MPI_AINT", 8), named(&kit, "MPI_INT", 4)};
    kit.top = image_struct(&kit.f.image, 4, (int64_t[]){0, 8, 16, 30}, (int64_t[]){1, 1, 1, 1},
                           types, 0, 32, false);
    compare(&kit, cell, COUNT(cell), 0);
    row_at(&kit, 0, ST_FOUND_MATCH, 1, 0);
    const struct st_compare_row *row = row_at(&kit, 1, ST_FOUND_WRONG_TYPE, 2, 8);
    assert_int_equal(row->why, ST_OTHER_SIZE);
    assert_string_equal(row->mpi.basic->name, "MPI_LONG");
    row = row_at(&kit, 2, ST_FOUND_PADDING, 0, 12); /* the rest of it */
    assert_int_equal(row->displacement, 8);
    assert_int_equal(row->size, 4);
    row = row_at(&kit, 3, ST_FOUND_NO_TYPE, 3, 16);
    assert_int_equal(row->kind, ST_FIELD_POINTER);
    row_at(&kit, 4, ST_FOUND_NOT_SENT, 4, 24);
    row = row_at(&kit, 5, ST_FOUND_PADDING, 0, 25);
    assert_int_equal(row->displacement, 30);
    assert_int_equal(row->from, 5);
    row = row_at(&kit, 6, ST_FOUND_BEYOND, ST_NO_FIELD, 32);
    assert_int_equal(row->size, 2);
    assert_int_equal(kit.found->count, 7);
    assert_int_equal(kit.found->fields, 4);
    assert_int_equal(kit.found->different, 2);
    assert_int_equal(kit.found->not_sent, 1);
    assert_true(kit.found->padding && kit.found->outside && kit.found->complete);
    done(&kit);
}

static void bytes_go_over_everything(void **state)
{
    (void)state;
    const struct st_nest_level three = {3, 24};
    /* struct { double x; int id; (4 bytes) int *p; } [3] */
    const struct st_field cells[] = {
        ARRAY(ST_FIELD_GROUP, 0, 24, 3, &three),
        SCALAR(ST_FIELD_FLOAT, 0, 8),
        SCALAR(ST_FIELD_SIGNED, 8, 4),
        SCALAR(ST_FIELD_POINTER, 16, 8),
    };
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t byte = named(&kit, "MPI_BYTE", 1);
    kit.top = image_contiguous(&kit.f.image, 5, image_contiguous(&kit.f.image, 14, byte));
    compare(&kit, cells, COUNT(cells), 0);
    row_at(&kit, 0, ST_FOUND_BYTES, 1, 0);
    row_at(&kit, 1, ST_FOUND_BYTES, 2, 8);
    const struct st_compare_row *row = row_at(&kit, 2, ST_FOUND_BYTES, 0, 12);
    assert_int_equal(row->kind, ST_FIELD_PADDING);
    assert_int_equal(row->elements, 3);
    row = row_at(&kit, 3, ST_FOUND_BYTES, 3, 16); /* the first two pointers are sent whole */
    assert_int_equal(row->elements, 2);
    row = row_at(&kit, 4, ST_FOUND_PIECE, 3, 64);
    assert_int_equal(row->from, 0);
    assert_int_equal(row->to, 6);
    assert_int_equal(row->where.box[0].dim[0].first, 2);
    assert_int_equal(kit.found->count, 5);
    assert_int_equal(kit.found->different, 1);
    assert_false(kit.found->padding || kit.found->outside);
    done(&kit);
}

static void unions_are_what_suits_most(void **state)
{
    (void)state;
    /* struct { union { struct { int a, b; } s; struct { int c; float d; } t; long l; } u; union {
     * int i; float f; } v[2]; } */
    const struct st_nest_level two = {2, 4};
    const struct st_field fields[] = {
        HOLDS(ST_FIELD_GROUP, 0, 16, 11), HOLDS(ST_FIELD_UNION, 0, 8, 7),
        HOLDS(ST_FIELD_GROUP, 0, 8, 2),   SCALAR(ST_FIELD_SIGNED, 0, 4),
        SCALAR(ST_FIELD_SIGNED, 4, 4),    HOLDS(ST_FIELD_GROUP, 0, 8, 2),
        SCALAR(ST_FIELD_SIGNED, 0, 4),    SCALAR(ST_FIELD_FLOAT, 4, 4),
        SCALAR(ST_FIELD_SIGNED, 0, 8),    ARRAY(ST_FIELD_UNION, 8, 4, 2, &two),
        SCALAR(ST_FIELD_SIGNED, 0, 4),    SCALAR(ST_FIELD_FLOAT, 0, 4),
    };
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t integer = named(&kit, "MPI_INT", 4), real = named(&kit, "MPI_FLOAT", 4);
    uint32_t types[] = {integer, real, integer, real};
    kit.top = image_struct(&kit.f.image, 4, (int64_t[]){0, 4, 8, 12}, (int64_t[]){1, 1, 1, 1},
                           types, 0, 16, false);
    compare(&kit, fields, COUNT(fields), 0);
    row_at(&kit, 0, ST_FOUND_MATCH, 6, 0); /* t.c, not s.a */
    row_at(&kit, 1, ST_FOUND_MATCH, 7, 4);
    const struct st_compare_row *row = row_at(&kit, 2, ST_FOUND_MATCH, 10, 8);
    assert_int_equal(row->elements, 1); /* v[0].i, v[1].f */
    row_at(&kit, 3, ST_FOUND_MATCH, 11, 12);
    assert_int_equal(kit.found->count, 4);
    assert_int_equal(kit.found->different, 0);
    done(&kit);

    fixture_init(&kit.f);
    kit.top = image_contiguous(&kit.f.image, 1, named(&kit, "MPI_CHAR", 1));
    compare(&kit, fields, COUNT(fields), 0);
    row_at(&kit, 0, ST_FOUND_WRONG_TYPE, 3, 0); /* nothing suits */
    row_at(&kit, 1, ST_FOUND_NOT_SENT, 4, 4);
    row_at(&kit, 2, ST_FOUND_NOT_SENT, 9, 8); /* a union that nothing is sent in is one field */
    assert_int_equal(kit.found->fields, 3);
    assert_int_equal(kit.found->not_sent, 2);
    done(&kit);
}

static void unions_in_unions_are_searched(void **state)
{
    (void)state;
    /* union { int i; union { int j; union { float f; char c[4]; } w; } v; } */
    const struct st_nest_level four = {4, 1};
    const struct st_field fields[] = {
        HOLDS(ST_FIELD_UNION, 0, 4, 6),       SCALAR(ST_FIELD_SIGNED, 0, 4),
        HOLDS(ST_FIELD_UNION, 0, 4, 4),       SCALAR(ST_FIELD_SIGNED, 0, 4),
        HOLDS(ST_FIELD_UNION, 0, 4, 2),       SCALAR(ST_FIELD_FLOAT, 0, 4),
        ARRAY(ST_FIELD_CHAR, 0, 1, 0, &four),
    };
    struct kit kit;
    fixture_init(&kit.f);
    kit.top = image_contiguous(&kit.f.image, 4, named(&kit, "MPI_CHAR", 1));
    compare(&kit, fields, COUNT(fields), 0);
    const struct st_compare_row *row = row_at(&kit, 0, ST_FOUND_MATCH, 6, 0);
    assert_int_equal(row->elements, 4);
    assert_int_equal(kit.found->count, 1);
    done(&kit);
}

static void members_that_overlap_are_a_union(void **state)
{
    (void)state;
    /* A member in another one's bytes, as [[no_unique_address]] gives them; and one in the padding
     * at the end of a base, which overlaps nothing. */
    const struct st_field fields[] = {
        HOLDS(ST_FIELD_GROUP, 0, 32, 6), HOLDS(ST_FIELD_GROUP, 0, 16, 2),
        SCALAR(ST_FIELD_FLOAT, 0, 8),    SCALAR(ST_FIELD_SIGNED, 8, 4),
        SCALAR(ST_FIELD_SIGNED, 12, 4),  SCALAR(ST_FIELD_FLOAT, 16, 8),
        SCALAR(ST_FIELD_SIGNED, 20, 4),
    };
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t integer = named(&kit, "MPI_INT", 4), real = named(&kit, "MPI_DOUBLE", 8);
    uint32_t types[] = {real, integer, integer};
    kit.top = image_struct(&kit.f.image, 3, (int64_t[]){0, 8, 20}, (int64_t[]){1, 2, 1}, types, 0,
                           32, false);
    compare(&kit, fields, COUNT(fields), 0);
    row_at(&kit, 0, ST_FOUND_MATCH, 2, 0);
    row_at(&kit, 1, ST_FOUND_MATCH, 3, 8);
    row_at(&kit, 2, ST_FOUND_MATCH, 4, 12);
    row_at(&kit, 3, ST_FOUND_MATCH, 6, 20);
    assert_int_equal(kit.found->count, 4);
    assert_int_equal(kit.found->different, 0);
    done(&kit);
}

static void complex_numbers_are_two_real_ones(void **state)
{
    (void)state;
    const struct st_nest_level five = {5, 16}, ten = {10, 8};
    const struct st_field numbers[] = {ARRAY(ST_FIELD_COMPLEX, 0, 16, 0, &five)};
    const struct st_field pairs[] = {ARRAY(ST_FIELD_FLOAT, 0, 8, 0, &ten)};
    struct kit kit;

    fixture_init(&kit.f);
    kit.top = image_contiguous(&kit.f.image, 9, named(&kit, "MPI_DOUBLE", 8));
    compare(&kit, numbers, 1, 0);
    const struct st_compare_row *row = row_at(&kit, 0, ST_FOUND_MATCH, 0, 0);
    assert_int_equal(row->part, ST_REAL_PART);
    assert_int_equal(row->elements, 5);
    row = row_at(&kit, 1, ST_FOUND_MATCH, 0, 0);
    assert_int_equal(row->part, ST_IMAGINARY_PART);
    assert_int_equal(row->displacement, 8);
    assert_int_equal(row->elements, 4);
    assert_int_equal(kit.found->count, 2);
    done(&kit);

    fixture_init(&kit.f);
    kit.top = image_contiguous(&kit.f.image, 5, named(&kit, "MPI_C_DOUBLE_COMPLEX", 16));
    compare(&kit, pairs, 1, 0);
    row = row_at(&kit, 0, ST_FOUND_MATCH, 0, 0);
    assert_true(row->mpi.half);
    assert_int_equal(row->elements, 10);
    assert_int_equal(kit.found->count, 1);
    done(&kit);

    fixture_init(&kit.f);
    kit.top = image_contiguous(&kit.f.image, 5, named(&kit, "MPI_C_FLOAT_COMPLEX", 8));
    compare(&kit, numbers, 1, 0);
    row = row_at(&kit, 0, ST_FOUND_WRONG_TYPE, 0, 0);
    assert_int_equal(row->why, ST_OTHER_SIZE);
    done(&kit);
}

static void pairs_are_their_two_members(void **state)
{
    (void)state;
    const struct st_nest_level ten = {10, 16};
    const struct st_field good[] = {ARRAY(ST_FIELD_GROUP, 0, 16, 2, &ten),
                                    SCALAR(ST_FIELD_FLOAT, 0, 8), SCALAR(ST_FIELD_SIGNED, 8, 4)};
    const struct st_field bad[] = {ARRAY(ST_FIELD_GROUP, 0, 16, 2, &ten),
                                   SCALAR(ST_FIELD_FLOAT, 0, 8), SCALAR(ST_FIELD_SIGNED, 12, 4)};
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t pair = named(&kit, "MPI_DOUBLE_INT", 12);
    kit.top = image_contiguous(&kit.f.image, 10, image_resized(&kit.f.image, 0, 16, pair));
    compare(&kit, good, 3, 0);
    const struct st_compare_row *row = row_at(&kit, 0, ST_FOUND_MATCH, 1, 0);
    assert_int_equal(row->mpi.member, 0);
    row = row_at(&kit, 1, ST_FOUND_MATCH, 2, 8);
    assert_int_equal(row->mpi.member, 1);
    assert_int_equal(row->elements, 10);
    assert_int_equal(kit.found->count, 2); /* and no padding: a pair's gap is not sent */
    st_comparison_free(kit.found);
    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, kit.top), 1, bad, 3,
                                (struct st_compare_at){0}, ST_COMPARE_WORK, NULL),
                     ST_OK);
    row_at(&kit, 1, ST_FOUND_PADDING, 0, 8);
    row_at(&kit, 2, ST_FOUND_NOT_SENT, 2, 12);
    done(&kit);
}

static void open_arrays_are_as_long_as_the_type(void **state)
{
    (void)state;
    const struct st_nest_level open = {ST_FIELD_OPEN, 8};
    const struct st_field pointed[] = {ARRAY(ST_FIELD_FLOAT, 0, 8, 0, &open)};
    /* struct { int n; double d[]; } */
    const struct st_field flexible[] = {HOLDS(ST_FIELD_GROUP, 0, 8, 2),
                                        SCALAR(ST_FIELD_SIGNED, 0, 4),
                                        ARRAY(ST_FIELD_FLOAT, 8, 8, 0, &open)};
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t real = named(&kit, "MPI_DOUBLE", 8), integer = named(&kit, "MPI_INT", 4);
    kit.top = image_vector(&kit.f.image, ST_VECTOR, 100, 1, 10, real);
    uint32_t types[] = {integer, real};
    uint32_t opaque = image_plain(&kit.f.image, ST_OPAQUE, 8, 0, 8);
    uint32_t message =
        image_struct(&kit.f.image, 2, (int64_t[]){0, 8}, (int64_t[]){1, 50}, types, 0, 408, false);
    compare(&kit, pointed, 1, 0);
    const struct st_compare_row *row = row_at(&kit, 0, ST_FOUND_MATCH, 0, 0);
    assert_int_equal(row->elements, 100);
    assert_int_equal(row->all, 991);
    row = row_at(&kit, 1, ST_FOUND_NOT_SENT, 0, 8);
    assert_int_equal(row->elements, 891);
    assert_false(kit.found->outside);
    st_comparison_free(kit.found);

    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, message), 1, flexible, 3,
                                (struct st_compare_at){0}, ST_COMPARE_WORK, NULL),
                     ST_OK);
    row_at(&kit, 0, ST_FOUND_MATCH, 1, 0);
    row = row_at(&kit, 1, ST_FOUND_MATCH, 2, 8);
    assert_int_equal(row->elements, 50);
    assert_int_equal(kit.found->count, 2);
    st_comparison_free(kit.found);

    /* What needs a length cannot do without the type's. */
    struct st_fault fault;
    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, opaque), 1, pointed, 1,
                                (struct st_compare_at){0}, ST_COMPARE_WORK, &fault),
                     ST_OVERFLOW);
    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, integer), 0, pointed, 1,
                                (struct st_compare_at){0}, ST_COMPARE_WORK, &fault),
                     ST_OK);
    assert_int_equal(kit.found->count, 0); /* nothing is sent, nothing is there */
    done(&kit);
}

static void a_buffer_may_begin_inside_the_object(void **state)
{
    (void)state;
    const struct st_nest_level rows[] = {{10, 56}, {7, 8}};
    const struct st_field grid[] = {
        {.kind = ST_FIELD_FLOAT, .size = 8, .dims = 2, .dim = rows},
    };
    struct kit kit = {0};
    fixture_init(&kit.f);
    kit.top = named(&kit, "MPI_DOUBLE", 8);
    fixture_open(&kit.f);
    /* grid[9][5], grid[9][6] and one that is after it */
    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, kit.top), 3, grid, 1,
                                (struct st_compare_at){0, 68 * 8}, ST_COMPARE_WORK, NULL),
                     ST_OK);
    const struct st_compare_row *row = row_at(&kit, 0, ST_FOUND_NOT_SENT, 0, 0);
    assert_int_equal(row->elements, 68);
    row = row_at(&kit, 1, ST_FOUND_MATCH, 0, 68 * 8);
    assert_int_equal(row->elements, 2);
    assert_int_equal(row->displacement, 68 * 8); /* from the object, too: origin is to be added */
    row = row_at(&kit, 2, ST_FOUND_BEYOND, ST_NO_FIELD, 70 * 8);
    assert_int_equal(row->elements, 1);
    assert_int_equal(kit.found->origin, -68 * 8);
    st_comparison_free(kit.found);
    /* or before it */
    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, kit.top), 3, grid, 1,
                                (struct st_compare_at){0, -8}, ST_COMPARE_WORK, NULL),
                     ST_OK);
    row = row_at(&kit, 0, ST_FOUND_BEFORE, ST_NO_FIELD, -8);
    assert_int_equal(row->elements, 1);
    row = row_at(&kit, 1, ST_FOUND_MATCH, 0, 0);
    assert_int_equal(row->elements, 2);
    st_comparison_free(kit.found);
    /* or as far away as numbers go: what does not fit is refused */
    const int64_t far[] = {INT64_MAX - 8, INT64_MIN};
    for (size_t i = 0; i < COUNT(far); i++) {
        struct st_fault fault;
        enum st_error error =
            st_compare(&kit.found, fixture_type(&kit.f, kit.top), 3, grid, 1,
                       (struct st_compare_at){0, far[i]}, ST_COMPARE_WORK, &fault);
        assert_int_equal(error, i ? ST_OK : ST_OVERFLOW);
        if (!error) {
            st_comparison_free(kit.found);
        }
    }
    kit.found = NULL;
    done(&kit);
}

static void absolute_addresses_are_taken_from_bottom(void **state)
{
    (void)state;
    const uint64_t address = UINT64_C(0x7fffffffe000);
    const struct st_field cell[] = {HOLDS(ST_FIELD_GROUP, 0, 16, 2), SCALAR(ST_FIELD_FLOAT, 0, 8),
                                    SCALAR(ST_FIELD_SIGNED, 8, 4)};
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t real = named(&kit, "MPI_DOUBLE", 8), integer = named(&kit, "MPI_INT", 4);
    uint32_t types[] = {real, integer, real};
    int64_t offsets[] = {(int64_t)address, (int64_t)address + 8, 0x555555560000};
    kit.top = image_struct(&kit.f.image, 3, offsets, (int64_t[]){1, 1, 20}, types, offsets[2],
                           offsets[1] - offsets[2] + 8, true);
    compare(&kit, cell, 3, address);
    assert_true(kit.found->absolute);
    const struct st_compare_row *row =
        row_at(&kit, 0, ST_FOUND_ELSEWHERE, ST_NO_FIELD, 0x555555560000 - (int64_t)address);
    assert_int_equal(row->elements, 20);
    row_at(&kit, 1, ST_FOUND_MATCH, 1, 0);
    row_at(&kit, 2, ST_FOUND_MATCH, 2, 8);
    assert_false(kit.found->outside);
    assert_int_equal(kit.found->different, 0);
    st_comparison_free(kit.found);
    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, kit.top), 1, cell, 3,
                                (struct st_compare_at){address + 4096, 0}, ST_COMPARE_WORK, NULL),
                     ST_OK); /* another object */
    assert_false(kit.found->absolute);
    assert_true(kit.found->outside);
    done(&kit);
}

static void what_is_opaque_is_counted(void **state)
{
    (void)state;
    const struct st_field cell[] = {HOLDS(ST_FIELD_GROUP, 0, 16, 2), SCALAR(ST_FIELD_FLOAT, 0, 8),
                                    SCALAR(ST_FIELD_SIGNED, 8, 4)};
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t types[] = {named(&kit, "MPI_DOUBLE", 8),
                        image_plain(&kit.f.image, ST_OPAQUE, 4, 0, 4)};
    kit.top =
        image_struct(&kit.f.image, 2, (int64_t[]){0, 8}, (int64_t[]){1, 1}, types, 0, 16, false);
    compare(&kit, cell, 3, 0);
    row_at(&kit, 0, ST_FOUND_MATCH, 1, 0);
    assert_int_equal(kit.found->unknown, 1);
    done(&kit);
}

/* Ten to the tenth elements cost no more than ten; a type that cannot be told in strides, only what
 * is allowed. */
static void the_work_is_bounded(void **state)
{
    (void)state;
    const int64_t many = 100000, prime = 15485863;
    const struct st_nest_level big[] = {{many, 32 * many}, {many, 32}};
    const struct st_nest_level line = {8 * many * many, 4};
    /* struct { double v[3]; int id; } a[100000][100000] */
    const struct st_nest_level three = {3, 8};
    const struct st_field cells[] = {
        {.kind = ST_FIELD_GROUP, .size = 32, .below = 2, .dims = 2, .dim = big},
        ARRAY(ST_FIELD_FLOAT, 0, 8, 0, &three),
        SCALAR(ST_FIELD_SIGNED, 24, 4),
    };
    const struct st_nest_level rows = {many, 8 * prime}, row_of = {prime, 8};
    const struct st_field odd_rows[] = {ARRAY(ST_FIELD_GROUP, 0, 8 * prime, 1, &rows),
                                        ARRAY(ST_FIELD_FLOAT, 0, 8, 0, &row_of)};
    const struct st_field flat[] = {ARRAY(ST_FIELD_SIGNED, 0, 4, 0, &line)};
    struct kit kit;
    fixture_init(&kit.f);
    uint32_t real = named(&kit, "MPI_DOUBLE", 8), integer = named(&kit, "MPI_INT", 4);
    uint32_t types[] = {real, integer};
    uint32_t cell =
        image_struct(&kit.f.image, 2, (int64_t[]){0, 24}, (int64_t[]){3, 1}, types, 0, 32, false);
    uint32_t all = image_contiguous(&kit.f.image, many * many, cell);
    uint32_t column = image_vector(&kit.f.image, ST_VECTOR, many, 1, many, cell);
    uint32_t reals = image_contiguous(&kit.f.image, 4 * many * many, real);
    /* No two of its elements stand at the same place of a row. */
    uint32_t odd = image_vector(&kit.f.image, ST_VECTOR, many * many, 1, 12347, real);
    kit.top = all;
    compare(&kit, cells, 3, 0);
    const struct st_compare_row *row = row_at(&kit, 0, ST_FOUND_MATCH, 1, 0);
    assert_int_equal(row->elements, 3 * many * many);
    row = row_at(&kit, 1, ST_FOUND_MATCH, 2, 24);
    assert_int_equal(row->elements, many * many);
    assert_int_equal(kit.found->count, 2);
    assert_int_equal(kit.found->compared, 4 * many * many);
    st_comparison_free(kit.found);

    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, column), 1, cells, 3,
                                (struct st_compare_at){0}, ST_COMPARE_WORK, NULL),
                     ST_OK);
    row = row_at(&kit, 0, ST_FOUND_MATCH, 1, 0);
    assert_int_equal(row->elements, 3 * many);
    row = row_at(&kit, 1, ST_FOUND_NOT_SENT, 1, 32);
    assert_int_equal(row->elements, 3 * many * (many - 1));
    assert_int_equal(row->where.boxes, 1);
    assert_int_equal(row->where.box[0].dim[0].last, many - 1);
    assert_int_equal(row->where.box[0].dim[1].first, 1);
    assert_int_equal(row->where.box[0].dim[2].last, 2);
    st_comparison_free(kit.found);

    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, reals), 1, cells, 3,
                                (struct st_compare_at){0}, ST_COMPARE_WORK, NULL),
                     ST_OK);
    row_at(&kit, 0, ST_FOUND_MATCH, 1, 0);
    row = row_at(&kit, 1, ST_FOUND_WRONG_TYPE, 2, 24); /* in each cell the fourth number */
    assert_int_equal(row->elements, many * many);
    st_comparison_free(kit.found);

    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, reals), 1, flat, 1,
                                (struct st_compare_at){0}, ST_COMPARE_WORK, NULL),
                     ST_OK);
    row = row_at(&kit, 0, ST_FOUND_WRONG_TYPE, 0, 0);
    assert_int_equal(row->elements, 4 * many * many);
    row = row_at(&kit, 1, ST_FOUND_INSIDE, 0, 4);
    assert_int_equal(row->where.box[0].dim[0].step, 2);
    assert_int_equal(row->elements, 4 * many * many);
    st_comparison_free(kit.found);

    assert_int_equal(st_compare(&kit.found, fixture_type(&kit.f, odd), 1, odd_rows, 2,
                                (struct st_compare_at){0}, ST_COMPARE_WORK, NULL),
                     ST_OK);
    assert_false(kit.found->complete);
    for (size_t i = 0; i < kit.found->count; i++) {
        assert_int_not_equal(kit.found->rows[i].finding, ST_FOUND_NOT_SENT);
    }
    done(&kit);
}

static void impossible_fields_are_refused(void **state)
{
    (void)state;
    const struct st_nest_level backward = {3, -8}, close = {3, 4}, negative = {-2, 8};
    const struct st_nest_level many[ST_FIELD_DIMS + 1] = {{1, 8}};
    const struct st_nest_level huge = {INT64_MAX / 4, 8};
    const struct {
        struct st_field field[2];
        uint32_t count;
        enum st_error error;
        const char *what;
    } cases[] = {
        {{ARRAY(ST_FIELD_FLOAT, 0, 8, 0, &backward)}, 1, ST_OUT_OF_RANGE, "stride"},
        {{ARRAY(ST_FIELD_FLOAT, 0, 8, 0, &close)}, 1, ST_OUT_OF_RANGE, "stride"},
        {{ARRAY(ST_FIELD_FLOAT, 0, 8, 0, &negative)}, 1, ST_OUT_OF_RANGE, "count"},
        {{ARRAY(ST_FIELD_FLOAT, 0, 8, 0, &huge)}, 1, ST_OVERFLOW, NULL},
        {{{.kind = ST_FIELD_FLOAT, .size = 8, .dims = ST_FIELD_DIMS + 1, .dim = many}},
         1,
         ST_OUT_OF_RANGE,
         "dims"},
        {{HOLDS(ST_FIELD_FLOAT, 0, 8, 1), SCALAR(ST_FIELD_FLOAT, 0, 8)},
         2,
         ST_OUT_OF_RANGE,
         "kind"},
        {{HOLDS(ST_FIELD_GROUP, 0, 8, 5), SCALAR(ST_FIELD_FLOAT, 0, 8)},
         2,
         ST_OUT_OF_RANGE,
         "below"},
        {{HOLDS(ST_FIELD_GROUP, 0, 8, 0), SCALAR(ST_FIELD_FLOAT, 0, 8)},
         2,
         ST_OUT_OF_RANGE,
         "below"},
        {{HOLDS(ST_FIELD_GROUP, 0, 8, 1), SCALAR(ST_FIELD_FLOAT, -1, 8)},
         2,
         ST_OUT_OF_RANGE,
         "offset"},
        {{HOLDS(ST_FIELD_GROUP, 0, 8, 1), HOLDS(ST_FIELD_GROUP, 0, 8, 1)},
         2,
         ST_OUT_OF_RANGE,
         "below"},
        {{SCALAR(ST_FIELD_PADDING, 0, 8)}, 1, ST_OUT_OF_RANGE, "kind"},
        {{SCALAR(ST_FIELD_FLOAT, 0, 8)}, 0, ST_OUT_OF_RANGE, "count"},
        {{HOLDS(ST_FIELD_GROUP, 0, 8, 1), SCALAR(ST_FIELD_FLOAT, INT64_MAX - 3, 8)},
         2,
         ST_OVERFLOW,
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct st_fields *tree = NULL;
        struct st_fault fault = {0};
        assert_int_equal(st_fields_build(&tree, cases[i].field, cases[i].count, 0, &fault),
                         cases[i].error);
        assert_int_equal(fault.error, cases[i].error);
        if (cases[i].what) {
            assert_string_equal(fault.field, cases[i].what);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_are_told_field_by_field),
        cmocka_unit_test(bytes_go_over_everything),
        cmocka_unit_test(unions_are_what_suits_most),
        cmocka_unit_test(unions_in_unions_are_searched),
        cmocka_unit_test(members_that_overlap_are_a_union),
        cmocka_unit_test(complex_numbers_are_two_real_ones),
        cmocka_unit_test(pairs_are_their_two_members),
        cmocka_unit_test(open_arrays_are_as_long_as_the_type),
        cmocka_unit_test(a_buffer_may_begin_inside_the_object),
        cmocka_unit_test(absolute_addresses_are_taken_from_bottom),
        cmocka_unit_test(what_is_opaque_is_counted),
        cmocka_unit_test(the_work_is_bounded),
        cmocka_unit_test(impossible_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
