/*
 * What the checks want to be told of. The files of wrap/ call these functions, and know no more of the
 * checks; runtime/check/events.c has them.
 */
#ifndef ST_RUNTIME_WRAP_EVENTS_H
#define ST_RUNTIME_WRAP_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* MPI_Init (`world`) or MPI_Session_init has returned; nothing is recorded yet. */
void st_event_begins(bool world);
/* The same; the predefined types and MPI's constants are recorded. Not for later sessions. */
void st_event_recorded(bool world);
/* MPI_Finalize has returned. */
void st_event_ended(void);
/* A thread calls MPI for the first time: number `count` of the threads that have. */
void st_event_thread(uint32_t count);

/* The program spawns processes on a communicator, as the root. Returns what their environment is to have more,
 * "NAME=VALUE", in new memory (malloc), or NULL. */
char *st_event_spawns(uint64_t comm);

#endif
