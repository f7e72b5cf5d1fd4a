/*
 * What a process does with the others of a window: epochs between MPI_Win_post, start, complete and wait, and locks
 * (struct st_win_peer of core/model/registry.h). A hang is explained by them: they tell which process has not done its part.
 * The epochs that the process itself is in (win_epochs.h) change with them.
 */
#ifndef ST_RUNTIME_OBJECTS_EPOCHS_H
#define ST_RUNTIME_OBJECTS_EPOCHS_H

#include <stdbool.h>

#include "runtime/wrap/facts.h"

/* Called before MPI gets a call of a function that has to do with epochs (enum st_sync), and after. Of one-sided calls
 * only the first one in the epoch of a fence (st_win_epochs_is_first) changes something. */
void st_epochs_before(const struct st_facts *facts);
void st_epochs_after(const struct st_facts *facts, bool succeeded);

#endif
