/*
 * Collective calls that ranks have left in the memory that they share (libshadowtype/core/agree/segment.h), and that none of
 * them has compared: a rank was killed between leaving its call and looking at the others'.
 */
#ifndef CMD_WATCH_LEFT_H
#define CMD_WATCH_LEFT_H

#include <jansson.h>

/* The job has ended. Returns the records of what is found, as of rank "pid": of each communicator the first call in which
 * ranks disagree, if no rank has reported it. Empty where all ranks have come to MPI_Finalize. */
json_t *left_compare(void);

#endif
