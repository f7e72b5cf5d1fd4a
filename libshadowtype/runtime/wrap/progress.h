/*
 * What a watch from outside needs beside the calls that threads are in (core/model/registry.h, struct
 * st_progress): how many calls there were, which threads are MPI's own, whether the rank is leaving.
 */
#ifndef ST_RUNTIME_WRAP_PROGRESS_H
#define ST_RUNTIME_WRAP_PROGRESS_H

#include <stdint.h>

/* MPI_Init is about to be called: the threads of now are the program's. */
void st_progress_before_init(void);
/* It has returned: threads that are new are MPI's own. */
void st_progress_after_init(void);
/* Calls are checked: `calls` grows with each of them. */
void st_progress_counts(const void *calls);
/* MPI_Finalize has called the last callback of the program's. */
void st_progress_leaves(void);

#endif
