/* SPDX-License-Identifier: BSD-3-Clause */
/* argument-null: null pointers where MPI writes a result, or reads an array, a text or a status. */
#include <stdio.h>

#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/parts.h"

/* MPI's constants that are no addresses are below this number, and no memory is. */
enum { LOWEST_ADDRESS = 4096 };

static void report_null(struct st_facts *facts, int number, const char *what, const char *advice)
{
    char message[120];
    snprintf(message, sizeof message, "passes %s as '%s'", what,
             facts->form->parameters[number].name);
    st_find(facts, &(struct st_found){.check = ST_ARGUMENT_NULL,
                                      .parameter = number,
                                      .message = message,
                                      .advice = advice});
}

void st_find_null(struct st_facts *facts, int number, const char *advice)
{
    report_null(facts, number, "a null pointer", advice);
}

/* Returns how many members the array has. Parameter `length` may be a pointer to the number. */
static int64_t members_of(const struct st_facts *facts, const struct st_parameter *parameter)
{
    const struct st_parameter *length = &facts->form->parameters[parameter->length];
    uint64_t value = facts->values[parameter->length];
    if (!length->pointer) {
        return (int64_t)value;
    }
    return value ? st_number_at(facts, parameter->length, 0) : 0;
}

static int64_t dimensions_of(const struct st_facts *facts)
{
    int comm = facts->form->comm;
    if (comm < 0 || !facts->has_comm || st_found_at(facts, comm)) {
        return -1;
    }
    return st_ask_dimensions(facts->values[comm]);
}

static const char *null_advice(const struct st_facts *facts, int number)
{
    switch (facts->form->parameters[number].role) {
    case ST_ROLE_NAMES:
    case ST_ROLE_MUST:
    case ST_ROLE_INFOKEY:
    case ST_ROLE_INFOVALUE:
        return "MPI reads what this argument points to";
    default:
        return "pass the address of a variable: MPI writes the result there";
    }
}

static void check_status(struct st_facts *facts, int number, uint64_t ignored, const char *advice)
{
    if (ignored) {
        st_find_null(facts, number, advice);
    }
}

static void check_null(struct st_facts *facts, int number)
{
    const struct st_parameter *parameter = &facts->form->parameters[number];
    switch ((enum st_needed)parameter->needed) {
    case ST_NEEDED_ALWAYS:
        if (!parameter->at_root || st_is_root(facts)) {
            st_find_null(facts, number, null_advice(facts, number));
        }
        break;
    case ST_NEEDED_MEMBERS:
        if (members_of(facts, parameter) > 0) {
            st_find_null(facts, number,
                         "pass an array: null is allowed only where it has no members");
        }
        break;
    case ST_NEEDED_DIMENSIONS:
        if (dimensions_of(facts) > 0) {
            st_find_null(facts, number, "pass an array with a member for each dimension");
        }
        break;
    case ST_NEEDED_STATUS:
        check_status(facts, number, st_numbers.status_ignore,
                     "pass MPI_STATUS_IGNORE, which is not null, if the status is not needed");
        break;
    case ST_NEEDED_STATUSES:
        if (members_of(facts, parameter) > 0) {
            check_status(facts, number, st_numbers.statuses_ignore,
                         "pass MPI_STATUSES_IGNORE, which is not null, if the statuses are not "
                         "needed");
        }
        break;
    case ST_NEEDED_GIVEN:
        st_find_null(facts, number, "pass the status that a receive, a probe or a wait has filled");
        break;
    case ST_NEEDED_NOT:
        break;
    }
}

static void check_given(struct st_facts *facts, int number)
{
    if (facts->form->parameters[number].needed == ST_NEEDED_GIVEN &&
        facts->values[number] == st_numbers.status_ignore) {
        report_null(facts, number, "MPI_STATUS_IGNORE",
                    "pass the status that a receive, a probe or a wait has filled");
    }
}

void st_check_nulls(struct st_facts *facts)
{
    for (uint32_t left = facts->form->pointers; left; left &= left - 1) {
        int number = __builtin_ctz(left);
        if (__builtin_expect(facts->values[number] >= LOWEST_ADDRESS, 1)) {
            continue;
        }
        if (!facts->values[number]) {
            check_null(facts, number);
        } else {
            check_given(facts, number);
        }
    }
}
