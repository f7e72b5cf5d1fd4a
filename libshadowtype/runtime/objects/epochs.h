/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process does with the other processes of a window: epochs between MPI_Win_post, start,
 * complete and wait, and locks (struct st_win_peer of core/model/registry.h). They explain a hang,
 * because they show which process has not done its part. The epochs that the process itself is in
 * (win_epochs.h) change with them.
 */
#ifndef ST_RUNTIME_OBJECTS_EPOCHS_H
#define ST_RUNTIME_OBJECTS_EPOCHS_H

#include <stdbool.h>

#include "runtime/wrap/facts.h"

/* Called before and after MPI carries out a call that affects epochs (enum st_sync). Of the
 * one-sided calls only the first one in the epoch of a fence (st_win_epochs_is_first) changes
 * something. */
void st_epochs_before(const struct st_facts *facts);
void st_epochs_after(const struct st_facts *facts, bool succeeded);

#endif
