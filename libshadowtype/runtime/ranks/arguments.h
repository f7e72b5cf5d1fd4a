/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of a collective call, other than data, on which the ranks must agree: those of
 * functions that make communicators, and of windows and files (core/agree/rules.h).
 */
#ifndef ST_RUNTIME_RANKS_ARGUMENTS_H
#define ST_RUNTIME_RANKS_ARGUMENTS_H

#include "core/agree/collective.h"
#include "runtime/wrap/facts.h"

/* One call, and what this rank publishes of it. */
struct st_stated_call {
    const struct st_form *form;
    const struct st_comm *comm;
    const uint64_t *values;
    struct st_collective *call;
};

/* Fills in the arguments that the rules (enum st_rule) name. */
void st_arguments_fill(const struct st_stated_call *made, uint32_t rules);

/* Adds the array that a parameter points to, with `count` members. */
void st_arguments_add_numbers(const struct st_stated_call *made, int parameter, int64_t count);

#endif
