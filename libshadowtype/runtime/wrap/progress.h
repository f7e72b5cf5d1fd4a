/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data for a watch from outside, besides the calls that threads are in (core/model/registry.h,
 * struct st_progress): the number of calls, which threads belong to MPI, and whether the rank is
 * leaving.
 */
#ifndef ST_RUNTIME_WRAP_PROGRESS_H
#define ST_RUNTIME_WRAP_PROGRESS_H

#include <stdint.h>

/* MPI_Init is about to be called: the threads that exist are the program's. */
void st_progress_before_init(void);
/* MPI_Init has returned: new threads are MPI's. */
void st_progress_after_init(void);
/* Calls are checked: *calls grows with each of them. */
void st_progress_counts(const void *calls);
/* MPI_Finalize has called the last callback of the program. */
void st_progress_leaves(void);

#endif
