/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits how many ranks get a debugger: the first N with an error, on each host of the job.
 *
 * There is no file and no server: a rank that has a turn keeps a name in Linux's abstract socket
 * namespace, which disappears with the process however it ends. While it is held it listens on a
 * second name, so that others can wait for the end of the hold without polling. They must wait: if
 * they went on, MPI might end the job, and with it the rank that the user is looking at. A name
 * that another user has taken is ignored.
 */
#ifndef ST_RUNTIME_ATTACH_TURN_H
#define ST_RUNTIME_ATTACH_TURN_H

#include <stdbool.h>

/* Returns true if this process is one of the first MOST. It then counts as held until st_turn_end. */
bool st_turn_take(unsigned most);
void st_turn_end(void);

/* Returns when no other process is held (any more). */
void st_turn_wait(unsigned most);

/* Returns true once, in one process of the job on this host. */
bool st_turn_tells(void);

#endif
