/*
 * How many ranks get a debugger: the first N that err, on each host of the job.
 *
 * No file and no server: a rank that has a turn keeps a name in Linux's abstract socket namespace,
 * which goes with the process however it ends. While it is held it listens on a second one, so that
 * others can wait for its end with no clock: would they go on, MPI might end the job, and with it
 * the rank that somebody looks at. A name that another user has taken counts for nothing.
 */
#ifndef ST_RUNTIME_ATTACH_TURN_H
#define ST_RUNTIME_ATTACH_TURN_H

#include <stdbool.h>

/* Whether this process is one of the MOST. Then it counts as held until st_turn_end. */
bool st_turn_take(unsigned most);
void st_turn_end(void);

/* Returns when none of the others is held (any more). */
void st_turn_wait(unsigned most);

/* True in one process of the job on this host, once. */
bool st_turn_tells(void);

#endif
