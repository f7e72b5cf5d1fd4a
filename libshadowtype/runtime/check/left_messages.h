/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that have sent or received, and that an error handler of the program has left (unreturned.h): what follows
 * on their communicators is not compared.
 */
#ifndef ST_RUNTIME_CHECK_LEFT_MESSAGES_H
#define ST_RUNTIME_CHECK_LEFT_MESSAGES_H

#include "runtime/ranks/matched.h"

/* A call begins with the stack pointer `sp`: forgets those of this thread that were left. */
void st_left_messages_forget(const void *sp, struct st_misfits *found);
/* The call with this stack pointer returns: forgets those that were made in its callbacks and were left. */
void st_left_messages_return(const void *sp, struct st_misfits *found);
/* Enters the running call that repeats a message (repeated_messages.h), if there is one, among the others: another
 * call is made in one of its callbacks, or it was left. */
void st_left_messages_enter(void);
/* Messages are not compared any more. */
void st_left_messages_stop(void);

#endif
