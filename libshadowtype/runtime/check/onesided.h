/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The group `rma`: compares the one-sided calls of all ranks of a node with each other, using the
 * order of ranks that the calls of MPI create (MPI-4.0, 12.7). It is a row of the table of groups
 * (check_groups.h).
 */
#ifndef ST_RUNTIME_CHECK_ONESIDED_H
#define ST_RUNTIME_CHECK_ONESIDED_H

#include "runtime/check/check.h"

/* To be called after st_node_begin(). Returns false if there is no memory, or if there are more
 * than ST_CLOCK_RANKS ranks. If it does not tell, only the clocks are kept, for others. */
bool st_onesided_begin(bool tells);
/* To be called when MPI_Finalize has returned, or in a child made by fork(). */
void st_onesided_end(void);

/* A call on the quick path (quick_access.c), whose buffer is in checked->bytes. */
bool st_onesided_is_on(void);
/* Returns true if what it accesses lies within the window of its target, and its own buffer in no window.
 * Sets checked->window. */
bool st_onesided_is_quick(struct st_checked *checked);
/* Another call begins, which may end epochs or free windows. */
void st_onesided_forget_quick(void);
/* Instead of st_onesided_before(). Of its return only st_onesided_after(checked, false) need hear. */
void st_onesided_access_before(struct st_checked *checked);

bool st_onesided_wants(const struct st_form *form);
void st_onesided_before(struct st_checked *checked);
void st_onesided_after(struct st_checked *checked, bool succeeded);
struct st_record *st_onesided_completed(struct st_facts *facts, int parameter, int64_t member,
                                        struct st_record *record, bool *locked);

#endif
