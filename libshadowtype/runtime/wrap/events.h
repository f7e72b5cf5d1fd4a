/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events for the checks. The files of wrap/ call these functions, and know nothing else of the
 * checks. runtime/check/events.c defines them.
 */
#ifndef ST_RUNTIME_WRAP_EVENTS_H
#define ST_RUNTIME_WRAP_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* MPI_Init (`world`) or MPI_Session_init has returned. Nothing is recorded yet. */
void st_event_begins(bool world);
/* After the same event: the predefined types and MPI's constants are recorded. Not called for later
 * sessions. */
void st_event_recorded(bool world);
/* MPI_Finalize has returned. */
void st_event_ended(void);
/* A thread calls MPI for the first time. `count` threads have called it so far. */
void st_event_thread(uint32_t count);

/* The program spawns processes on a communicator, and this rank is the root. Returns a variable to
 * add to their environment, "NAME=VALUE", in new memory (malloc), or NULL. */
char *st_event_spawns(uint64_t comm);

#endif
