/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the collective calls in the memory that the ranks share
 * (libshadowtype/core/agree/segment.h) which no rank has compared. A rank writes its call there,
 * then compares it with those of the others, and may be killed in between. The last one that a rank
 * writes is MPI_Finalize: if ranks have made different numbers of calls on MPI_COMM_WORLD, and no call
 * has waited, nobody else finds it.
 */
#ifndef CMD_WATCH_LEFT_H
#define CMD_WATCH_LEFT_H

#include <jansson.h>

/* Call it when the job has ended. Returns the findings as records of rank "pid": for each
 * communicator the first call in which the ranks disagree, unless a rank has reported it. The array
 * is empty if all ranks have reached MPI_Finalize after equal numbers of calls on MPI_COMM_WORLD. */
json_t *left_compare(void);

#endif
