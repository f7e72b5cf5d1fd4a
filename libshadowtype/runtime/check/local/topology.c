/* SPDX-License-Identifier: BSD-3-Clause */
/* argument-topology: the grids and graphs of processes that a program describes (MPI-4.0, 8.5). */
#include <stdio.h>

#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/names.h"

static void report_argument(struct st_facts *facts, int number, const char *message,
                            const char *advice)
{
    st_find(facts, &(struct st_found){.check = ST_ARGUMENT_TOPOLOGY,
                                      .parameter = number,
                                      .message = message,
                                      .advice = advice});
}

/* Reports that member `index` of an array is wrong. */
static void report_member(struct st_facts *facts, int number, int64_t index, const char *advice)
{
    char message[160];
    snprintf(message, sizeof message, "passes %lld in '%s'[%lld]",
             (long long)st_number_at(facts, number, index), facts->form->parameters[number].name,
             (long long)index);
    report_argument(facts, number, message, advice);
}

static void find_too_large(struct st_facts *facts, int number, const char *what, int64_t processes)
{
    char message[160];
    snprintf(message, sizeof message, "makes a %s of %lld processes in a communicator of %d", what,
             (long long)processes, facts->comm.size);
    report_argument(facts, number, message,
                    "the topology has no more processes than the communicator");
}

/* Returns the length of a required array; 0 if it cannot be checked. */
static int64_t length_of(const struct st_facts *facts, int number)
{
    int length = facts->form->parameters[number].length;
    if (length < 0 || !facts->values[number] || (int64_t)facts->values[length] < 0) {
        return 0;
    }
    return (int64_t)facts->values[length];
}

/* --- grids --------------------------------------------------------------------------------- */

static void check_grid(struct st_facts *facts, int number)
{
    int64_t length = length_of(facts, number), processes = 1;
    for (int64_t i = 0; i < length; i++) {
        int64_t side = st_number_at(facts, number, i);
        if (side < 1) {
            report_member(facts, number, i,
                          "each dimension has at least one process; MPI_Dims_create fills in the "
                          "dimensions that are 0");
            return;
        }
        if (__builtin_mul_overflow(processes, side, &processes)) {
            processes = INT64_MAX;
        }
    }
    if (length && facts->has_comm && processes > facts->comm.size) {
        find_too_large(facts, number, "grid", processes);
    }
}

static void check_direction(struct st_facts *facts, int number)
{
    int64_t direction = (int64_t)facts->values[number];
    int64_t dimensions = facts->has_comm && !st_found_at(facts, facts->form->comm)
                             ? st_ask_dimensions(facts->values[facts->form->comm])
                             : -1;
    char message[120];
    if (dimensions < 0 || (direction >= 0 && direction < dimensions)) {
        return;
    }
    snprintf(message, sizeof message, "passes direction %lld, in a grid of %lld dimension%s",
             (long long)direction, (long long)dimensions, dimensions == 1 ? "" : "s");
    report_argument(facts, number, message,
                    "directions are 0 to one less than the number of dimensions");
}

/* Only a periodic dimension has coordinates beyond its ends. */
static void check_coordinates(struct st_facts *facts, int number)
{
    int sides[ST_MOST_DIMENSIONS], periods[ST_MOST_DIMENSIONS], here[ST_MOST_DIMENSIONS];
    if (!facts->values[number] || !facts->has_comm || st_found_at(facts, facts->form->comm)) {
        return;
    }
    int64_t dimensions = st_ask_grid(facts->values[facts->form->comm], sides, periods, here);
    for (int64_t i = 0; i < dimensions; i++) {
        int64_t at = st_number_at(facts, number, i);
        if (!periods[i] && (at < 0 || at >= sides[i])) {
            report_member(facts, number, i,
                          "in a dimension that is not periodic, coordinates are 0 to one less than "
                          "its length");
            return;
        }
    }
}

/* MPI_Dims_create: dimensions that are not 0 are kept. */
static void check_given_dims(struct st_facts *facts, int number)
{
    int64_t length = length_of(facts, number), nodes = (int64_t)facts->values[0], product = 1;
    for (int64_t i = 0; i < length; i++) {
        int64_t side = st_number_at(facts, number, i);
        if (side < 0) {
            report_member(facts, number, i, "a dimension is 0, to be filled in, or positive");
            return;
        }
        if (side && __builtin_mul_overflow(product, side, &product)) {
            product = INT64_MAX;
        }
    }
    char message[160];
    if (nodes < 1) {
        report_argument(facts, 0, "passes a number of processes below 1",
                        "pass the size of the communicator");
    } else if (nodes % product) {
        snprintf(message, sizeof message,
                 "gives dimensions with %lld processes, which do not divide %lld",
                 (long long)product, (long long)nodes);
        report_argument(
            facts, number, message,
            "the product of the dimensions that are not 0 divides the number of processes; set the "
            "others to 0 before the call");
    }
}

static void check_dimensions(struct st_facts *facts, int number)
{
    if ((int64_t)facts->values[number] < 0) {
        report_argument(facts, number, "passes a negative number of dimensions",
                        "a grid has 0 or more dimensions");
    }
}

/* --- graphs -------------------------------------------------------------------------------- */

static void check_nodes(struct st_facts *facts, int number)
{
    int64_t nodes = (int64_t)facts->values[number];
    if (nodes < 0) {
        report_argument(facts, number, "passes a negative number of nodes",
                        "a graph has 0 or more nodes");
    } else if (facts->has_comm && nodes > facts->comm.size) {
        find_too_large(facts, number, "graph", nodes);
    }
}

/* The edges of node i end at index[i]. */
static void check_index(struct st_facts *facts, int number)
{
    int64_t length = length_of(facts, number), before = 0;
    for (int64_t i = 0; i < length; i++) {
        int64_t end = st_number_at(facts, number, i);
        if (end < before) {
            report_member(facts, number, i,
                          "each member counts the edges of all nodes up to this one: it is no less "
                          "than the member before");
            return;
        }
        before = end;
    }
}

static void check_ranks(struct st_facts *facts, int number, int64_t length, int64_t size,
                        const char *advice)
{
    for (int64_t i = 0; i < length; i++) {
        int64_t rank = st_number_at(facts, number, i);
        if ((rank < 0 || rank >= size) && rank != st_numbers.proc_null) {
            report_member(facts, number, i, advice);
            return;
        }
    }
}

/* Checks the array after the index. */
static void check_edges(struct st_facts *facts, int number)
{
    int64_t nodes = length_of(facts, number - 1);
    if (!nodes || st_found_at(facts, number - 1)) {
        return;
    }
    int64_t edges = st_number_at(facts, number - 1, nodes - 1);
    if (facts->values[number]) {
        check_ranks(facts, number, edges, nodes, "edges lead to nodes, 0 to 'nnodes' - 1");
    } else if (edges > 0) {
        st_find_null(facts, number, "pass an array with a member for each edge");
    }
}

/* --- distributed graphs -------------------------------------------------------------------- */

static void check_weights(struct st_facts *facts, int number, int64_t length)
{
    if (!facts->values[number] || st_name_of("weights", facts->values[number])) {
        return;
    }
    for (int64_t i = 0; i < length; i++) {
        if (st_number_at(facts, number, i) < 0) {
            report_member(facts, number, i, "weights are not negative");
            return;
        }
    }
}

/* Returns the length of an array after the degrees, with a member for each edge. Reports the array, and
 * returns 0, if it is missing. */
static int64_t edges_of(struct st_facts *facts, int number, int degrees)
{
    int64_t length = length_of(facts, degrees), edges = 0;
    if (st_found_at(facts, degrees)) {
        return 0;
    }
    for (int64_t i = 0; i < length; i++) {
        edges += st_number_at(facts, degrees, i);
    }
    if (edges > 0 && !facts->values[number]) {
        st_find_null(facts, number, "pass an array with a member for each edge");
    }
    return facts->values[number] ? edges : 0;
}

static void check_degrees(struct st_facts *facts, int number)
{
    int64_t length = length_of(facts, number);
    for (int64_t i = 0; i < length; i++) {
        if (st_number_at(facts, number, i) < 0) {
            report_member(facts, number, i, "a process has 0 or more edges");
            return;
        }
    }
}

static int degrees_before(const struct st_form *form, int number)
{
    for (int i = 0; i < number; i++) {
        if (form->parameters[i].role == ST_ROLE_DEGREES) {
            return i;
        }
    }
    return -1;
}

static void check_of_edges(struct st_facts *facts, int number, enum st_role role)
{
    int degrees = degrees_before(facts->form, number);
    int64_t length = degrees < 0 ? length_of(facts, number) : edges_of(facts, number, degrees);
    if (role == ST_ROLE_WEIGHTS) {
        check_weights(facts, number, length);
    } else if (facts->has_comm) {
        check_ranks(facts, number, length, facts->comm.size,
                    "edges begin and end at ranks of the communicator");
    }
}

void st_check_topology(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->parameter_count; i++) {
        enum st_role role = form->parameters[i].role;
        switch (role) {
        case ST_ROLE_DIMENSIONS:
            check_dimensions(facts, i);
            break;
        case ST_ROLE_CARTDIMS:
            check_grid(facts, i);
            break;
        case ST_ROLE_DIRECTION:
            check_direction(facts, i);
            break;
        case ST_ROLE_COORDS:
            check_coordinates(facts, i);
            break;
        case ST_ROLE_GIVENDIMS:
            check_given_dims(facts, i);
            break;
        case ST_ROLE_NODES:
            check_nodes(facts, i);
            break;
        case ST_ROLE_NODEINDEX:
            check_index(facts, i);
            break;
        case ST_ROLE_EDGES:
            check_edges(facts, i);
            break;
        case ST_ROLE_DEGREES:
            check_degrees(facts, i);
            break;
        case ST_ROLE_NEIGHBOURS:
        case ST_ROLE_WEIGHTS:
            check_of_edges(facts, i, role);
            break;
        default:
            break;
        }
    }
}
