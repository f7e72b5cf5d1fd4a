/*
 * What a process does with the others of a window: epochs between MPI_Win_post, start, complete and wait, and locks
 * (struct st_win_peer of core/model/registry.h). A hang is explained by them: they tell which process has not done its part.
 */
#ifndef ST_RUNTIME_OBJECTS_EPOCHS_H
#define ST_RUNTIME_OBJECTS_EPOCHS_H

#include <stdbool.h>

#include "runtime/wrap/facts.h"

/* True for the functions that open and close epochs and locks. */
bool st_epochs_have(const struct st_form *form);

/* Called before MPI gets such a call, and after. */
void st_epochs_before(const struct st_facts *facts);
void st_epochs_after(const struct st_facts *facts, bool succeeded);

#endif
