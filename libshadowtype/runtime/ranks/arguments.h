/*
 * Arguments that are no data, and that the ranks must agree on in a collective call: those of functions that make
 * communicators, and of windows and files (core/agree/rules.h).
 */
#ifndef ST_RUNTIME_RANKS_ARGUMENTS_H
#define ST_RUNTIME_RANKS_ARGUMENTS_H

#include "core/agree/collective.h"
#include "runtime/wrap/facts.h"

/* One call, and what it tells the others. */
struct st_stated_call {
    const struct st_form *form;
    const struct st_comm *comm;
    const uint64_t *values;
    struct st_collective *call;
};

/* Fills in what the rules (enum st_rule) name. */
void st_arguments_fill(const struct st_stated_call *made, uint32_t rules);

/* The array that a parameter points to, with `count` members, must agree. */
void st_arguments_add_numbers(const struct st_stated_call *made, int parameter, int64_t count);

#endif
