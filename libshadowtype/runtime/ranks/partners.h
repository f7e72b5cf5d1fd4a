/*
 * Calls that make a communicator, and that some ranks of the old one alone make: MPI_Comm_create_group, whose group and tag
 * must be the same in all of the group; and MPI_Intercomm_create between its two leaders, whose tags must be.
 *
 * No count of calls is the same in all ranks here. But each two ranks that name each other have made so many such calls
 * together: these are counted, and compared as if the two were a communicator of their own. Where threads may come at
 * the same time (MPI_THREAD_MULTIPLE) the order of two ranks' calls is not known, and nothing is compared.
 */
#ifndef ST_RUNTIME_RANKS_PARTNERS_H
#define ST_RUNTIME_RANKS_PARTNERS_H

#include "runtime/wrap/facts.h"

/* The program's call, as st_collective_compared(); of a function that is none of these nothing happens. */
void st_partners_compared(const struct st_form *form, const struct st_call *call,
                          const uint64_t *values, uint32_t found);

#endif
