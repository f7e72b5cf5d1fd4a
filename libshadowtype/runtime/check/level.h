/*
 * thread-level: calls from threads that the provided level of thread support does not allow.
 *
 * MPI_THREAD_SINGLE and MPI_THREAD_FUNNELED: only the main thread may call. MPI_THREAD_SERIALIZED: no
 * two threads at a time.
 *
 * A thread may leave a call by longjmp() in a callback of the program's, and is no longer in MPI then,
 * though its call has not returned. So where there are callbacks, a thread that begins a call leaves a
 * note with each thread that is in one; a thread that finds a note when its call returns was in MPI
 * together with the other one. Without callbacks the thread that comes second reports at once.
 *
 * Silent with MPI sessions, each of which has a level of its own, and for threads that MPI started.
 */
#ifndef ST_RUNTIME_CHECK_LEVEL_H
#define ST_RUNTIME_CHECK_LEVEL_H

#include "runtime/wrap/facts.h"

/* MPI_Init has returned, and calls are checked. */
void st_level_begins(void);
/* There is an MPI session. */
void st_level_session(void);
/* This thread calls MPI for the first time: number `count` of the threads that have. */
void st_level_thread(uint32_t count);

/* The program gives MPI a function to call: an error handler, an operation, ... */
void st_level_callbacks(void);
/* Returns true if a call may be left by longjmp(): there are functions of the program's that MPI calls. */
bool st_level_has_callbacks(void);

void st_check_level(struct st_facts *facts);
void st_check_level_after(struct st_facts *facts);

#endif
