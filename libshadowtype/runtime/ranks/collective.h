/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares each collective call of the program with those of the other ranks of the node, before
 * MPI carries it out (core/agree). Nothing waits for another rank, and nothing is sent.
 *
 *     struct st_comm *counted = st_collective_begins(comm);
 *     ...
 *     if (st_collective_is_compared(counted))
 *         st_collective_compared(&form_Bcast, counted, &call, values, found);
 *     result = PMPI_Bcast(...);
 */
#ifndef ST_RUNTIME_RANKS_COLLECTIVE_H
#define ST_RUNTIME_RANKS_COLLECTIVE_H

#include <stdatomic.h>

#include "runtime/wrap/facts.h"

extern atomic_bool st_collectives_on __attribute__((visibility("hidden")));

/* To be called when MPI is initialized, with a world, and the user wants it. */
void st_collectives_begin(void);
/* MPI_Finalize: nothing is compared from now on. */
void st_collectives_end(void);
/* The same in a child made by fork(), which is not a rank. */
void st_collectives_forget(void);

/* Counts one more compared call for the summary. */
void st_collective_counted(void);

/* Counts a call on a communicator that has no id. */
__attribute__((cold)) void st_collective_not_compared(void);

/* Returns true if a collective call on a communicator, window or file (NULL: an unknown one) must
 * be compared. */
static inline bool st_collective_is_compared(const struct st_comm *comm)
{
    if (!atomic_load_explicit(&st_collectives_on, memory_order_relaxed)) {
        return false;
    }
    if (__builtin_expect(comm && comm->id, 1)) {
        return true;
    }
    st_collective_not_compared();
    return false;
}

/* Compares a call of the program, which is counted already. `found`: parameters with a finding. */
void st_collective_compared(const struct st_form *form, const struct st_comm *comm,
                            const struct st_call *call, const uint64_t *values, uint32_t found);

/* Does the same for a call on the quick path; `pc` and `sp` as in struct st_call. */
void st_collective_compared_quick(const struct st_form *form, const struct st_comm *comm,
                                  const void *pc, const void *sp, const uint64_t *values);

/* Writes a call, counted already, for the others, and compares it with those that they have
 * written. */
struct st_differing;
void st_collective_meet(const struct st_differing *differing);

/* MPI has refused a call. If it is a collective one, the ranks need not make the same calls from
 * now on: those of its communicator are not compared any more. */
void st_collective_refused(const struct st_form *form, const uint64_t *values);

#endif
