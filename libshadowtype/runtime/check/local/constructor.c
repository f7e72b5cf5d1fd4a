/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of datatype constructors: MPI-4.0, 5.1.2 to 5.1.4. */
#include <stdio.h>
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"

static void report_member(struct st_facts *facts, int number, const char *what, const char *advice,
                          struct st_spot spot)
{
    char message[160];
    snprintf(message, sizeof message, "makes a datatype with %s as '%s'", what,
             facts->form->parameters[number].name);
    st_find(facts, &(struct st_found){.check = ST_DATATYPE_ARGUMENT,
                                      .parameter = number,
                                      .message = message,
                                      .spot = spot,
                                      .advice = advice});
}

static void report_argument(struct st_facts *facts, int number, const char *what,
                            const char *advice)
{
    report_member(facts, number, what, advice, (struct st_spot){.which = ST_NO_ELEMENT});
}

static const char *const not_negative = "counts and block lengths are 0 or more";

/* Returns how many members the arrays have; 0 if that is not known. */
static int64_t members_of(const struct st_facts *facts)
{
    int ndims = st_parameter_of(facts->form, ST_ROLE_NDIMS);
    int size = st_parameter_of(facts->form, ST_ROLE_SIZE);
    int number = ndims >= 0 ? ndims : size;
    int64_t members = number >= 0 ? (int64_t)facts->values[number] : 0;
    return members > 0 ? members : 0;
}

/* Reports an array that is missing. Returns true if it is there and has members. */
static bool is_array(struct st_facts *facts, int number, int64_t members)
{
    if (members && !facts->values[number]) {
        report_argument(facts, number, "a null pointer",
                        "pass an array with a member for each block");
    }
    return members && facts->values[number];
}

static void check_sizes(struct st_facts *facts, int number, int64_t members)
{
    if (!is_array(facts, number, members)) {
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        if (st_number_at(facts, number, i) < 0) {
            report_member(facts, number, "a negative block length", not_negative,
                          (struct st_spot){.which = ST_ENTRY, .number = i});
            return;
        }
    }
}

static void check_bases(struct st_facts *facts, int number, int64_t members)
{
    if (!is_array(facts, number, members)) {
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        if (!st_check_type(facts, number, st_handle_at(facts, number, i), ST_USE_ANY)) {
            return;
        }
    }
}

static void check_positive(struct st_facts *facts, int number, int64_t members)
{
    if (!is_array(facts, number, members)) {
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        if (st_number_at(facts, number, i) < 1) {
            report_argument(facts, number, "a size below 1", "the sizes of an array are positive");
            return;
        }
    }
}

static void check_subsizes(struct st_facts *facts, int number, int64_t members)
{
    int sizes = st_parameter_of(facts->form, ST_ROLE_EXTENTS);
    if (!is_array(facts, number, members) || !facts->values[sizes]) {
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        int64_t sub = st_number_at(facts, number, i);
        if (sub < 1 || sub > st_number_at(facts, sizes, i)) {
            report_argument(facts, number,
                            sub < 1 ? "a size below 1" : "a size above the whole array's",
                            "a part of an array has 1 to all of its members in each dimension");
            return;
        }
    }
}

static void check_starts(struct st_facts *facts, int number, int64_t members)
{
    int sizes = st_parameter_of(facts->form, ST_ROLE_EXTENTS);
    int subsizes = st_parameter_of(facts->form, ST_ROLE_SUBSIZES);
    if (!is_array(facts, number, members) || !facts->values[sizes] || !facts->values[subsizes] ||
        st_found_at(facts, subsizes)) {
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        int64_t start = st_number_at(facts, number, i);
        int64_t room = st_number_at(facts, sizes, i) - st_number_at(facts, subsizes, i);
        if (start < 0 || start > room) {
            report_argument(
                facts, number,
                start < 0 ? "a negative start" : "a part that ends outside the array",
                "start and size of the part must lie in the array; starts count from 0, in "
                "Fortran, too");
            return;
        }
    }
}

static void check_order(struct st_facts *facts, int number)
{
    int64_t order = (int64_t)facts->values[number];
    if (order != st_numbers.order_c && order != st_numbers.order_fortran) {
        report_argument(facts, number, "a number that is no order",
                        "pass MPI_ORDER_C or MPI_ORDER_FORTRAN");
    }
}

static void check_distribs(struct st_facts *facts, int number, int64_t members)
{
    const struct st_numbers *n = &st_numbers;
    if (!is_array(facts, number, members)) {
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        int64_t way = st_number_at(facts, number, i);
        if (way != n->block && way != n->cyclic && way != n->none) {
            report_argument(
                facts, number, "a number that is no distribution",
                "pass MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC or MPI_DISTRIBUTE_NONE");
            return;
        }
    }
}

static void check_dargs(struct st_facts *facts, int number, int64_t members)
{
    int sizes = st_parameter_of(facts->form, ST_ROLE_DIMS);
    int grid = st_parameter_of(facts->form, ST_ROLE_GRID);
    int distribs = st_parameter_of(facts->form, ST_ROLE_DISTRIBS);
    if (!is_array(facts, number, members) || !facts->values[sizes] || !facts->values[grid] ||
        !facts->values[distribs]) {
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        int64_t arg = st_number_at(facts, number, i);
        int64_t way = st_number_at(facts, distribs, i);
        int64_t size = st_number_at(facts, sizes, i), procs = st_number_at(facts, grid, i);
        if (arg == st_numbers.default_arg || way == st_numbers.none) {
            continue;
        }
        bool small = way == st_numbers.block && procs > 0 && arg > 0 &&
                     arg < size / procs + (size % procs != 0);
        if (arg < 1 || small) {
            report_argument(
                facts, number, small ? "blocks too small for the array" : "a number below 1",
                "a distribution argument is MPI_DISTRIBUTE_DFLT_DARG or positive; blocks times "
                "processes must hold the array");
            return;
        }
    }
}

static void check_grid(struct st_facts *facts, int number, int64_t members)
{
    int procs = st_parameter_of(facts->form, ST_ROLE_PROCS);
    int64_t product = 1, size = (int64_t)facts->values[procs];
    check_positive(facts, number, members);
    if (st_found_at(facts, number) || !members || !facts->values[number]) {
        return;
    }
    for (int64_t i = 0; i < members && product <= size; i++) {
        product *= st_number_at(facts, number, i);
    }
    if (product != size && size > 0) {
        report_argument(facts, number, "a grid of processes that is not 'size' large",
                        "the product of the grid's sizes is the number of processes");
    }
}

static void check_number(struct st_facts *facts, int number, enum st_role role)
{
    int64_t value = (int64_t)facts->values[number];
    if (role == ST_ROLE_SIZE && value < 0) {
        report_argument(facts, number, "a negative number", not_negative);
    } else if ((role == ST_ROLE_NDIMS || role == ST_ROLE_PROCS) && value < 1) {
        report_argument(facts, number, "a number below 1",
                        "an array has one dimension or more, a grid one process or more");
    } else if (role == ST_ROLE_ME) {
        int procs = st_parameter_of(facts->form, ST_ROLE_PROCS);
        if (value < 0 || value >= (int64_t)facts->values[procs]) {
            report_argument(facts, number, "a rank outside of the grid",
                            "ranks are 0 to 'size' - 1");
        }
    }
}

void st_check_constructor(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    int64_t members = members_of(facts);
    for (int i = 0; i < form->parameter_count; i++) {
        enum st_role role = form->parameters[i].role;
        switch (role) {
        case ST_ROLE_SIZE:
        case ST_ROLE_NDIMS:
        case ST_ROLE_PROCS:
        case ST_ROLE_ME:
            check_number(facts, i, role);
            break;
        case ST_ROLE_SIZES:
            check_sizes(facts, i, members);
            break;
        case ST_ROLE_ARRAY:
            is_array(facts, i, members);
            break;
        case ST_ROLE_BASES:
            check_bases(facts, i, members);
            break;
        case ST_ROLE_EXTENTS:
        case ST_ROLE_DIMS:
            check_positive(facts, i, members);
            break;
        case ST_ROLE_SUBSIZES:
            check_subsizes(facts, i, members);
            break;
        case ST_ROLE_STARTS_AT:
            check_starts(facts, i, members);
            break;
        case ST_ROLE_ORDER:
            check_order(facts, i);
            break;
        case ST_ROLE_DISTRIBS:
            check_distribs(facts, i, members);
            break;
        case ST_ROLE_DARGS:
            check_dargs(facts, i, members);
            break;
        case ST_ROLE_GRID:
            check_grid(facts, i, members);
            break;
        case ST_ROLE_GIVES:
            if (!facts->values[i]) {
                report_argument(facts, i, "a null pointer",
                                "pass the address of the new datatype's variable");
            }
            break;
        default:
            break;
        }
    }
    st_check_overflow(facts);
}
