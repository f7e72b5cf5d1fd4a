/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of a collective call on which the ranks must agree; core/agree/rules.h says which
 * these are for each function.
 */
#ifndef ST_RUNTIME_RANKS_AGREED_H
#define ST_RUNTIME_RANKS_AGREED_H

#include "core/agree/collective.h"
#include "runtime/wrap/facts.h"

/* To be called before the first call: reads the predefined operations. MPI must be initialized. */
void st_agreed_begin(void);

/* Fills in the members of `call` that the rules (enum st_rule) name, except pairs. The arguments
 * must be right as far as this rank can tell. */
void st_agreed_fill(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    uint32_t rules, struct st_collective *call);

/* Returns the rules that apply on an intercommunicator, for a function with these rules. */
uint32_t st_agreed_inter_rules(uint32_t rules);

/* Returns the name of the predefined operation for st_collective.operation, or for the lower half
 * of it; NULL if there is none. */
const char *st_agreed_operation(uint64_t operation);
/* Returns that number for an operation's handle; 0 for an operation of the program, which may
 * differ between ranks. */
uint64_t st_agreed_hash(uint64_t handle);

#endif
