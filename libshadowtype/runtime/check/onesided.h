/*
 * The group `rma`: the one-sided calls of all ranks of a node against each other, and the order of ranks that the calls
 * of MPI make (MPI-4.0, 12.7). A row of the table of groups (check_groups.h).
 */
#ifndef ST_RUNTIME_CHECK_ONESIDED_H
#define ST_RUNTIME_CHECK_ONESIDED_H

#include "runtime/check/check.h"

/* Call it after st_node_begin(). Returns false if there is no memory, or there are more than ST_CLOCK_RANKS ranks. */
bool st_onesided_begin(void);
/* MPI_Finalize has returned, or the process is a child made by fork(). */
void st_onesided_end(void);

bool st_onesided_wants(const struct st_form *form);
void st_onesided_before(struct st_checked *checked);
void st_onesided_after(struct st_checked *checked, bool succeeded);
struct st_record *st_onesided_completed(struct st_facts *facts, int parameter, int64_t member,
                                        struct st_record *record, bool *locked);

#endif
