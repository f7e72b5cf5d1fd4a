/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread-level: calls from threads that the provided level of thread support does not allow.
 *
 * MPI_THREAD_SINGLE and MPI_THREAD_FUNNELED: only the main thread may call. MPI_THREAD_SERIALIZED:
 * no two threads may call at the same time.
 *
 * A thread may leave a call by longjmp() in a callback of the program; it is then not in MPI any
 * more, though its call has not returned. So if there are callbacks, a thread that begins a call
 * writes a note to each thread that is in one. A thread that finds a note when its call returns was
 * in MPI at the same time as the other one. Without callbacks the second thread reports at once.
 *
 * Nothing is reported with MPI sessions, each of which has its own level, and for threads that MPI
 * started.
 */
#ifndef ST_RUNTIME_CHECK_LEVEL_H
#define ST_RUNTIME_CHECK_LEVEL_H

#include "runtime/wrap/facts.h"

/* MPI_Init has returned, and calls are checked. */
void st_level_begins(void);
/* There is an MPI session. */
void st_level_session(void);
/* This thread calls MPI for the first time; `count` threads have called it so far. */
void st_level_thread(uint32_t count);

/* The program registers a function that MPI may call: an error handler, an operation, ... */
void st_level_callbacks(void);
/* Returns true if a call may be left by longjmp(), because MPI may call functions of the program. */
bool st_level_has_callbacks(void);

void st_check_level(struct st_facts *facts);
void st_check_level_after(struct st_facts *facts);

#endif
