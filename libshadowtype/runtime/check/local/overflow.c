/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes whose size, extent or displacements do not fit in 64 bits: MPI-4.0, 5.1. */
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"

__extension__ typedef __int128 wide;

struct st_base {
    int64_t lb, extent, size;
};

/* The bytes that the blocks so far cover: from the first byte to after the last one. */
struct st_block_bounds {
    wide low, high, size;
    bool some, too_wide;
    int64_t entry; /* the block that determines it */
};

static bool is_too_wide(wide bytes)
{
    return bytes > INT64_MAX || bytes < INT64_MIN;
}

static bool ask_base(uint64_t type, struct st_base *base)
{
    base->size = st_ask_size(type);
    return base->size >= 0 && st_ask_extent(type, &base->lb, &base->extent);
}

/* Adds `length` elements, a stride apart, from displacement `start` on. Factors have 64 bits, so
 * nothing here exceeds 128. */
static void add_elements(struct st_block_bounds *reach, wide start, wide length, wide stride,
                         const struct st_base *base)
{
    if (length <= 0 || reach->too_wide) {
        return;
    }
    wide last = (length - 1) * stride;
    wide low = start + base->lb + (last < 0 ? last : 0);
    wide high = start + base->lb + base->extent + (last > 0 ? last : 0);
    if (!reach->some || low < reach->low) {
        reach->low = low;
    }
    if (!reach->some || high > reach->high) {
        reach->high = high;
    }
    reach->some = true;
    reach->size += length * base->size;
    reach->too_wide = is_too_wide(start) || is_too_wide(low) || is_too_wide(high) ||
                      is_too_wide(reach->high - reach->low) || is_too_wide(reach->size);
}

/* MPI_Type_contiguous, _vector, _hvector: parameters count, (block length, stride,) base. */
static void add_regular(struct st_block_bounds *reach, const struct st_facts *facts,
                        const struct st_base *base)
{
    bool contiguous = facts->form->parameter_count == 3;
    int64_t count = (int64_t)facts->values[0];
    int64_t length = contiguous ? 1 : (int64_t)facts->values[1];
    wide stride = contiguous ? base->extent : (int64_t)facts->values[2];
    if (!contiguous && !strstr(facts->form->name, "hvector")) { /* its stride is in bytes */
        stride *= base->extent;
    }
    struct st_block_bounds block = {.some = false};
    if (count <= 0) {
        return;
    }
    reach->entry = count - 1;
    add_elements(&block, 0, length, base->extent, base);
    if (block.too_wide || is_too_wide(stride) || is_too_wide((wide)count * length)) {
        reach->too_wide = block.some;
        return;
    }
    if (block.some) {
        const struct st_base whole = {.lb = (int64_t)block.low,
                                      .extent = (int64_t)(block.high - block.low),
                                      .size = (int64_t)block.size};
        add_elements(reach, 0, count, stride, &whole);
    }
}

static wide magnitude(int64_t number)
{
    return number < 0 ? -(wide)number : number;
}

/* To be called if all blocks have one base. Returns true if even the longest block at the farthest
 * displacement, `count` times, fits. Most types are that small, and then no block is looked at
 * alone. `unit`: bytes of a displacement of 1. */
static bool is_far_from_overflow(const struct st_facts *facts, int64_t count, wide unit,
                                 const struct st_base *base)
{
    int64_t length = (int64_t)facts->values[1];
    uint64_t farthest = 0, longest = length > 0 ? (uint64_t)length : 0; /* or'ed: not below them */
    if (facts->form->parameters[1].pointer) {
        longest = 0;
        for (int64_t i = 0; i < count; i++) {
            length = st_number_at(facts, 1, i);
            longest |= length > 0 ? (uint64_t)length : 0;
        }
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t start = st_number_at(facts, 2, i);
        farthest |= (uint64_t)(start < 0 ? ~start : start);
    }
    wide block = longest * magnitude(base->extent) + magnitude(base->lb);
    wide reach = ((wide)farthest + 1) * unit;
    return count * (wide)longest <= INT64_MAX && !is_too_wide(count * (wide)longest * base->size) &&
           block <= INT64_MAX / 4 && reach <= INT64_MAX / 4;
}

/* MPI_Type_indexed and similar functions: parameters count, lengths or length, displacements, base
 * or bases. */
static void add_blocks(struct st_block_bounds *reach, const struct st_facts *facts, int bases,
                       struct st_base *base)
{
    const struct st_parameter *parameters = facts->form->parameters;
    const char *name = facts->form->name;
    bool bytes = bases >= 0 || strstr(name, "hindexed");
    int64_t count = (int64_t)facts->values[0];
    if (bases < 0 &&
        is_far_from_overflow(facts, count, bytes ? 1 : magnitude(base->extent), base)) {
        return;
    }
    for (int64_t i = 0; i < count && !reach->too_wide; i++) {
        int64_t length =
            parameters[1].pointer ? st_number_at(facts, 1, i) : (int64_t)facts->values[1];
        wide start = st_number_at(facts, 2, i);
        if (bases >= 0 && !ask_base(st_handle_at(facts, bases, i), base)) {
            continue;
        }
        add_elements(reach, bytes ? start : start * base->extent, length, base->extent, base);
        reach->entry = i;
    }
}

/* MPI_Type_create_subarray: the extent is that of the whole array. */
static void add_array(struct st_block_bounds *reach, const struct st_facts *facts, int sizes,
                      int64_t ndims, const struct st_base *base)
{
    wide members = 1;
    for (int64_t i = 0; i < ndims && !is_too_wide(members); i++) {
        members *= st_number_at(facts, sizes, i);
    }
    if (is_too_wide(members)) {
        reach->too_wide = true;
    } else {
        add_elements(reach, 0, members, base->extent, &(struct st_base){.extent = base->extent});
    }
}

static void find_overflow(struct st_facts *facts, int number, int base, struct st_spot spot)
{
    st_find(facts,
            &(struct st_found){.check = ST_DATATYPE_OVERFLOW,
                               .parameter = number,
                               .message = "makes a datatype whose size or extent does not fit in "
                                          "MPI_Aint",
                               .type = base >= 0 ? facts->values[base] : 0,
                               .spot = spot,
                               .advice = "is a count in bytes where elements are meant?"});
}

void st_check_overflow(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    int base_at = st_parameter_of(form, ST_ROLE_BASE), bases = st_parameter_of(form, ST_ROLE_BASES);
    int ndims = st_parameter_of(form, ST_ROLE_NDIMS),
        sizes = st_parameter_of(form, ST_ROLE_EXTENTS);
    bool counts = st_parameter_of(form, ST_ROLE_SIZE) == 0;
    struct st_block_bounds reach = {.some = false};
    struct st_base base;
    if (facts->found || (!counts && sizes < 0)) {
        return;
    }
    if (base_at >= 0 && !ask_base(facts->values[base_at], &base)) {
        return;
    }
    if (sizes >= 0) {
        add_array(&reach, facts, sizes, (int64_t)facts->values[ndims], &base);
    } else if (form->parameter_count > 3 && form->parameters[2].pointer) {
        add_blocks(&reach, facts, bases, &base);
    } else if (base_at >= 0) {
        add_regular(&reach, facts, &base);
    }
    if (reach.too_wide) {
        find_overflow(facts, sizes >= 0 ? sizes : 0, base_at,
                      (struct st_spot){.which = sizes >= 0 ? ST_NO_ELEMENT : ST_ENTRY,
                                       .number = reach.entry});
    }
}
