/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The group of checks (check_groups.h) that looks at probes, if it is sought what orders the ranks
 * (ranks/clocks.h, ranks/raced.h). Without that a probe is not slower: a program may probe very
 * often.
 */
#ifndef ST_RUNTIME_CHECK_LOOKED_MESSAGES_H
#define ST_RUNTIME_CHECK_LOOKED_MESSAGES_H

#include "runtime/check/check.h"

/* Returns true for MPI_Probe and MPI_Iprobe. */
bool st_looks_for_message(const struct st_form *form);
void st_looked_before(struct st_checked *checked);
void st_looked_after(struct st_checked *checked, bool succeeded);

#endif
