/*
 * What the ranks must agree on in a collective call, taken from its arguments: core/agree/rules.h says which, for each
 * function.
 */
#ifndef ST_RUNTIME_RANKS_AGREED_H
#define ST_RUNTIME_RANKS_AGREED_H

#include "core/agree/collective.h"
#include "runtime/wrap/facts.h"

/* Before the first call: the predefined operations by name. MPI is initialized. */
void st_agreed_begin(void);

/* Fills in `call` what the rules name (enum st_rule), but for pairs. The arguments are right as far as this rank can
 * tell. */
void st_agreed_fill(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    uint32_t rules, struct st_collective *call);

/* What must agree on an intercommunicator, of a function with these rules. */
uint32_t st_agreed_inter_rules(uint32_t rules);

/* The name of the predefined operation that st_collective.operation is of, or the lower half of it; NULL: it is none. */
const char *st_agreed_operation(uint64_t operation);
/* That number of an operation's handle; 0: it is the program's own, which may be another one in each rank. */
uint64_t st_agreed_hash(uint64_t handle);

#endif
