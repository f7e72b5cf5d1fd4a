/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports two one-sided accesses in conflict, with both calls; and accesses to memory that is not attached. */
#ifndef ST_RUNTIME_RANKS_RACE_REPORT_H
#define ST_RUNTIME_RANKS_RACE_REPORT_H

#include "runtime/ranks/owner.h"

/* Needs no lock. */
void st_race_tell(const struct st_race_pair *pair);
void st_wrong_access_tell(const struct st_wrong_access *access);

#endif
